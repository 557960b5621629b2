import { describe, expect, it } from 'vitest';
import { Patience } from '../../services/lambda/execution/patience.ts';

describe('the patience of calls that find no idle environment', () => {
  it('is none before an environment has come back', () => {
    const patience = new Patience();
    expect(patience.leftMs('one', 100, 100)).toBe(0);
    patience.started('one', 400);
    expect(patience.leftMs('one', 100, 100)).toBe(0);
  });

  it('ends once a call has waited for as long as a start is worth, however often environments come back', () => {
    const patience = new Patience();
    patience.started('one', 400);
    patience.returned('one', 1000);
    expect(patience.leftMs('one', 1000, 1000)).toBe(1200);
    patience.returned('one', 2100);
    expect(patience.leftMs('one', 1000, 2100)).toBe(100);
    patience.returned('one', 2190);
    expect(patience.leftMs('one', 1000, 2200)).toBe(0);
  });

  it('is what a start is worth, less what has passed an environment last came back', () => {
    const patience = new Patience();
    patience.started('one', 400);
    patience.returned('one', 1000);
    expect(patience.leftMs('one', 2100, 2100)).toBe(100);
    expect(patience.leftMs('one', 2200, 2200)).toBe(0);
  });

  it('is never longer than five seconds, and of each revision its own', () => {
    const patience = new Patience();
    patience.started('slow', 60_000);
    patience.returned('slow', 0);
    expect(patience.leftMs('slow', 0, 0)).toBe(5000);
    expect(patience.leftMs('other', 0, 0)).toBe(0);
    patience.forget('slow');
    expect(patience.leftMs('slow', 0, 0)).toBe(0);
  });
});
