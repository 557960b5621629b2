import { describe, expect, it } from 'vitest';
import { Patience } from '../../services/lambda/execution/patience.ts';

describe('the patience of calls that find no idle environment', () => {
  it('is zero before an environment was released', () => {
    const patience = new Patience();
    expect(patience.leftMs('one', 100, 100)).toBe(0);
    patience.started('one', 400);
    expect(patience.leftMs('one', 100, 100)).toBe(0);
  });

  it('ends once a call has waited for the worth of a start, however often environments are released', () => {
    const patience = new Patience();
    patience.started('one', 400);
    patience.returned('one', 1000);
    expect(patience.leftMs('one', 1000, 1000)).toBe(1200);
    patience.returned('one', 2100);
    expect(patience.leftMs('one', 1000, 2100)).toBe(100);
    patience.returned('one', 2190);
    expect(patience.leftMs('one', 1000, 2200)).toBe(0);
  });

  it('is the worth of a start, less the time since an environment was last released', () => {
    const patience = new Patience();
    patience.started('one', 400);
    patience.returned('one', 1000);
    expect(patience.leftMs('one', 2100, 2100)).toBe(100);
    expect(patience.leftMs('one', 2200, 2200)).toBe(0);
  });

  it('is at most five seconds, and separate for each revision', () => {
    const patience = new Patience();
    patience.started('slow', 60_000);
    patience.returned('slow', 0);
    expect(patience.leftMs('slow', 0, 0)).toBe(5000);
    expect(patience.leftMs('other', 0, 0)).toBe(0);
    patience.forget('slow');
    expect(patience.leftMs('slow', 0, 0)).toBe(0);
  });
});
