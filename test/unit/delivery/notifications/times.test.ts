import { describe, expect, it } from 'vitest';
import { firstLookMs, sendAt } from '../../../../shared/domains/delivery/notifications/times.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();

describe('when a mail about notifications is due', () => {
  it.each<[timing: 'soon' | 'gathered', first: number, last: number, due: number]>([
    ['soon', 0, 0, 2],
    ['soon', 0, 1, 2],
    ['gathered', 0, 0, 5],
    ['gathered', 0, 4, 9],
    ['gathered', 0, 25, 30],
    ['gathered', 0, 29, 30],
  ])('%s, first at minute %i and last at minute %i: at minute %i', (timing, first, last, due) => {
    expect(sendAt({ timing, firstAt: at(first), lastAt: at(last) })?.toISOString()).toBe(at(due));
    // The first look is never late.
    expect(Date.parse(at(first)) + firstLookMs(timing)).toBeLessThanOrEqual(Date.parse(at(due)));
  });

  it('is never for a batch without notifications', () => {
    expect(sendAt({ timing: 'gathered' })).toBeUndefined();
  });
});
