import { describe, expect, it } from 'vitest';
import { ReadingTime } from '../../../../functions/boards/pages/site/reading/reading-time.ts';

const MINUTE = 60_000;

describe('the time that a person reads', () => {
  it('is what has passed since the last heartbeat, in whole seconds', () => {
    const time = new ReadingTime(0, true);
    expect(time.take(15_400)).toBe(15);
    expect(time.take(30_700)).toBe(15);
    expect(time.take(31_000)).toBe(1);
  });

  it('ends a minute after the last sign of the person', () => {
    const time = new ReadingTime(0, true);
    for (let at = 15_000; at <= MINUTE; at += 15_000) expect(time.take(at)).toBe(15);
    expect(time.isIdle(MINUTE + 15_000)).toBe(true);
    expect(time.take(MINUTE + 15_000)).toBe(0);
    time.sign(5 * MINUTE);
    expect(time.isIdle(5 * MINUTE + 1)).toBe(false);
    expect(time.take(5 * MINUTE + 10_000)).toBe(10);
  });

  it('stops while the tab is hidden', () => {
    const time = new ReadingTime(0, true);
    time.turn(4_000, false);
    expect(time.take(4_000)).toBe(4);
    expect(time.take(20_000)).toBe(0);
    time.turn(20_000, true);
    expect(time.take(22_000)).toBe(2);
  });

  it('is at most thirty seconds a heartbeat', () => {
    const time = new ReadingTime(0, true);
    expect(time.take(50_000)).toBe(30);
    expect(time.take(51_000)).toBe(1);
  });
});
