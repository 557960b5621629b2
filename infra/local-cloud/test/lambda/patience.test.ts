import { describe, expect, it } from 'vitest';
import { Patience } from '../../services/lambda/execution/patience.ts';

const PROCESSORS = 2;

describe('the patience of calls that find no idle environment', () => {
  it('is zero before an environment was released', () => {
    const patience = new Patience(PROCESSORS);
    expect(patience.leftMs('one', 1, 100, 100)).toBe(0);
    patience.started('one', 400);
    expect(patience.leftMs('one', 1, 100, 100)).toBe(0);
  });

  it('ends once a call has waited for the worth of a start, however often environments are released', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('one', 400);
    patience.returned('one', 1000);
    expect(patience.leftMs('one', 1, 1000, 1000)).toBe(1200);
    patience.returned('one', 2100);
    expect(patience.leftMs('one', 1, 1000, 2100)).toBe(100);
    patience.returned('one', 2190);
    expect(patience.leftMs('one', 1, 1000, 2200)).toBe(0);
  });

  it('is the worth of a start, less the time since an environment was last released', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('one', 400);
    patience.returned('one', 1000);
    expect(patience.leftMs('one', 1, 2100, 2100)).toBe(100);
    expect(patience.leftMs('one', 1, 2200, 2200)).toBe(0);
  });

  it('grows with each environment beyond the number of processors', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('one', 400);
    patience.returned('one', 1000);
    const left = [1, 2, 3, 4, 20].map((environments) => patience.leftMs('one', environments, 1000, 1000));
    expect(left).toEqual([1200, 2400, 3600, 4800, 5000]);
  });

  it('begins again for the calls that still wait when an environment is started, unless none is released', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('one', 400);
    patience.returned('one', 1000);
    patience.returned('one', 2190);
    expect(patience.leftMs('one', 1, 1000, 2200)).toBe(0);
    patience.starting('one', 2200);
    patience.returned('one', 2300);
    expect(patience.leftMs('one', 1, 1000, 2300)).toBe(1100);
    expect(patience.leftMs('one', 1, 1000, 3400)).toBe(0);
  });

  it('is at most five seconds, and separate for each revision', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('slow', 60_000);
    patience.returned('slow', 0);
    expect(patience.leftMs('slow', 1, 0, 0)).toBe(5000);
    expect(patience.leftMs('other', 1, 0, 0)).toBe(0);
    patience.forget('slow');
    expect(patience.leftMs('slow', 1, 0, 0)).toBe(0);
  });
});
