/** So much of what is beside the element is in sight too. */
const MARGIN_PX = 36;

/** Scrolls a box until an element in it is in sight. Unlike `scrollIntoView`, the page around it stays. */
export function reveal(box: HTMLElement, element: Element): void {
  const around = box.getBoundingClientRect();
  const at = element.getBoundingClientRect();
  box.scrollBy({
    left: distance(at.left, at.right, around.left, around.right),
    top: distance(at.top, at.bottom, around.top, around.bottom),
    behavior: 'instant',
  });
}

/** How far a span is from another that it should be within; if it is too long for that, its start counts. */
function distance(start: number, end: number, from: number, to: number): number {
  const before = start - MARGIN_PX - from;
  const after = end + MARGIN_PX - to;
  return before < 0 ? before : Math.max(0, Math.min(after, before));
}
