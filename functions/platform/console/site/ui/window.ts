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

/** Which of many items of one size are in sight in a box that scrolls. */
export function useWindow(
  box: RefObject<HTMLElement | null>,
  { count, size, isHorizontal = false }: { count: number; size: number; isHorizontal?: boolean },
): Shown {
  const [place, setPlace] = useState({ first: 0, length: FIRST_PX });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const at = isHorizontal ? element.scrollLeft : element.scrollTop;
      const length = isHorizontal ? element.clientWidth : element.clientHeight;
      const first = Math.floor(at / size / STEP) * STEP;
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
  const start = Math.max(0, Math.min(place.first - OVERSCAN, count));
  const end = Math.min(count, place.first + Math.ceil(place.length / size) + STEP + OVERSCAN);
  return { start, end, before: start * size, after: Math.max(0, count - end) * size };
}
