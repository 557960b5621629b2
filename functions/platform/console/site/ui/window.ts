import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** How many more than fit are drawn on each side, so that scrolling shows no gaps. */
const OVERSCAN = 12;
/** They change together with the number of items that are scrolled past. */
const STEP = 6;
const FIRST_PX = 900;

export interface Shown {
  start: number;
  end: number;
  /** The room of the items before and after those that are drawn, in pixels. */
  before: number;
  after: number;
}

/** The size of each item, or where each item begins and, at the end, where the last one ends; in pixels. */
type Sizes = number | readonly number[];

const startOf = (sizes: Sizes, index: number): number => (typeof sizes === 'number' ? index * sizes : sizes[index]!);
const indexAt = (sizes: Sizes, px: number): number =>
  typeof sizes === 'number' ? Math.floor(px / sizes) : sizes.findLastIndex((start) => start <= px);

/** Which of many items are in sight in a box that scrolls. */
export function useWindow(
  box: RefObject<HTMLElement | null>,
  { count, size, isHorizontal = false }: { count: number; size: Sizes; isHorizontal?: boolean },
): Shown {
  const [place, setPlace] = useState({ first: 0, length: FIRST_PX });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const at = isHorizontal ? element.scrollLeft : element.scrollTop;
      const length = isHorizontal ? element.clientWidth : element.clientHeight;
      const first = Math.floor(indexAt(size, at) / STEP) * STEP;
      setPlace((last) => (last.first === first && last.length === length ? last : { first, length }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [box, size, isHorizontal]);
  const first = Math.max(0, Math.min(place.first, count));
  const start = Math.max(0, first - OVERSCAN);
  const last = indexAt(size, startOf(size, first) + place.length);
  const end = Math.min(count, last + 1 + STEP + OVERSCAN);
  return { start, end, before: startOf(size, start), after: startOf(size, count) - startOf(size, end) };
}
