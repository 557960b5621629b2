import { expect, it } from 'vitest';
import { reveal } from '../../../../functions/platform/console/site/ui/reveal.ts';

/** How far a box from 100 to 300 is scrolled for an element. */
function scrolled(left: number, right: number): number {
  let by = 0;
  const rect = { left: 100, right: 300, top: 0, bottom: 50 };
  const box = { getBoundingClientRect: () => rect, scrollBy: (to: ScrollToOptions) => (by = to.left!) };
  reveal(box as never, { getBoundingClientRect: () => ({ left, right, top: 20, bottom: 30 }) } as never);
  return by;
}

it('scrolls a box as far as an element in it needs, with a part of what is beside it', () => {
  expect(scrolled(150, 250)).toBe(0);
  expect(scrolled(40, 90)).toBe(-96);
  expect(scrolled(280, 330)).toBe(66);
  // The start of what is too long for the box.
  expect(scrolled(200, 500)).toBe(64);
});
