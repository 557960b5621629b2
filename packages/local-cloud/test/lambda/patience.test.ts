import { describe, expect, it } from 'vitest';
import { Patience } from '../../services/lambda/execution/patience.ts';

const PROCESSORS = 2;

describe('the patience of calls that find no idle environment', () => {
  it('is zero before an environment was released', () => {
    const patience = new Patience(PROCESSORS);
    expect(patience.leftMs('one', 1, 100, 100)).toBe(0);
    patience.started('one', 400, 0);
    expect(patience.leftMs('one', 1, 100, 100)).toBe(0);
  });

  it('ends once a call has waited for the worth of a start, however often environments are released', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('one', 400, 0);
    patience.returned('one', 500, 1000);
    expect(patience.leftMs('one', 1, 1000, 1000)).toBe(1200);
    patience.returned('one', 500, 2100);
    expect(patience.leftMs('one', 1, 1000, 2100)).toBe(100);
    patience.returned('one', 500, 2190);
    expect(patience.leftMs('one', 1, 1000, 2200)).toBe(0);
  });

  it('is the worth of a start, less the time since an environment was last released', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('one', 400, 0);
    patience.returned('one', 500, 1000);
    expect(patience.leftMs('one', 1, 2100, 2100)).toBe(100);
    expect(patience.leftMs('one', 1, 2200, 2200)).toBe(0);
  });

  it('covers five calls like the last one before a burst starts an environment beyond the number of processors', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('one', 400, 0);
    patience.returned('one', 10, 1000);
    expect(patience.leftMs('one', 1, 9000, 9000)).toBe(0);
    expect(patience.leftMs('one', 2, 9000, 9000)).toBe(50);
    expect(patience.leftMs('one', 2, 9000, 9050)).toBe(0);
    patience.returned('one', 10, 9010);
    expect(patience.leftMs('one', 2, 9000, 9050)).toBe(2350);
    patience.returned('one', 399, 9020);
    expect(patience.leftMs('one', 2, 20_000, 20_000)).toBe(400);
    patience.returned('one', 400, 9030);
    expect(patience.leftMs('one', 2, 20_000, 20_000)).toBe(0);
  });

  it('covers the first calls before more environments than processors are started', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('one', 400, 1000);
    expect(patience.leftMs('one', 1, 600, 1000)).toBe(0);
    expect(patience.leftMs('one', 2, 600, 1000)).toBe(400);
    expect(patience.leftMs('one', 2, 600, 1400)).toBe(0);
  });

  it('lasts as long as environments are released, for calls that take a processor each', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('one', 400, 0);
    patience.returned('one', 800, 1000);
    const left = (environments: number, since: number, now: number) =>
      patience.leftMs('one', environments, since, now, true);
    expect(left(1, 2200, 2200)).toBe(0);
    expect(left(2, 2200, 2200)).toBe(5000);
    patience.returned('one', 800, 4000);
    expect(left(2, 2200, 7100)).toBe(1900);
    expect(left(3, 2200, 9000)).toBe(0);
    patience.starting('one', 9000);
    expect(left(3, 2200, 9100)).toBe(4900);
  });

  it('grows with each environment beyond the number of processors', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('one', 400, 0);
    patience.returned('one', 500, 1000);
    const left = [1, 2, 3, 4, 20].map((environments) => patience.leftMs('one', environments, 1000, 1000));
    expect(left).toEqual([1200, 2400, 3600, 4800, 5000]);
  });

  it('begins again for the calls that still wait when an environment is started, unless none is released', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('one', 400, 0);
    patience.returned('one', 500, 1000);
    patience.returned('one', 500, 2190);
    expect(patience.leftMs('one', 1, 1000, 2200)).toBe(0);
    patience.starting('one', 2200);
    patience.returned('one', 500, 2300);
    expect(patience.leftMs('one', 1, 1000, 2300)).toBe(1100);
    expect(patience.leftMs('one', 1, 1000, 3400)).toBe(0);
  });

  it('is at most five seconds, and separate for each revision', () => {
    const patience = new Patience(PROCESSORS);
    patience.started('slow', 60_000, 0);
    patience.returned('slow', 500, 0);
    expect(patience.leftMs('slow', 1, 0, 0)).toBe(5000);
    expect(patience.leftMs('other', 1, 0, 0)).toBe(0);
    patience.forget('slow');
    expect(patience.leftMs('slow', 1, 0, 0)).toBe(0);
  });
});
