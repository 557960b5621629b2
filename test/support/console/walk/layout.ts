/** What editors, pictures and graphs lay out by themselves, and what only screen readers read. */
const FOREIGN = 'svg, canvas, iframe, textarea, .cm-editor, [contenteditable], .sr, .skip';
/** Values, names and files as they are stored. */
const VERBATIM = 'code, pre, kbd, .grid, .card';
const CONTROLS = 'a[href], button, input, select, textarea, [role=tab], [role=menuitem]';
/** Letters reach a little beyond their lines. */
const LEEWAY_PX = 3;
/** Less of a text says nothing. */
const MIN_SHORT_PX = 48;
/** So much of two texts may lie over each other. */
const MAX_COVERED_PX = 4;

/** The part of a text or a control that is seen. */
interface Box {
  element: Element;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const nameOf = (element: Element): string => element.outerHTML.slice(0, 160);

/** Texts that are cut off, that cover each other or a control, or that only machines read. */
export function issuesOfLayout(): string[] {
  lookAgain();
  const found: string[] = [];
  const boxes: Box[] = [];
  for (const { element, text, rects } of texts()) {
    const machine = machineText(text);
    if (machine && (!element.closest(VERBATIM) || isTimeOfGrid(element, text)))
      found.push(`${machine}: “${text.slice(0, 80)}” in ${nameOf(element)}`);
    const clip = clipOf(element);
    // Only screen readers read it.
    if (clip.cutBy && clip.cutBy.clientWidth <= 1) continue;
    if (clip.cutBy && rects.some((rect) => exceeds(rect, clip.cutBy!)) && isLost(element, clip.cutBy)) {
      found.push(`cut off: “${text.slice(0, 60)}” by ${nameOf(clip.cutBy)}`);
    }
    boxes.push(...rects.flatMap((rect) => seenPart(element, rect, clip)));
  }
  for (const element of document.querySelectorAll(CONTROLS)) {
    if (!isSeen(element) || element.closest(FOREIGN)) continue;
    // A link in a text may have several lines.
    boxes.push(...[...element.getClientRects()].flatMap((rect) => seenPart(element, rect, clipOf(element))));
  }
  return [...new Set([...found, ...covered(boxes)])];
}

function* texts(): Generator<{ element: Element; text: string; rects: DOMRect[] }> {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const element = node.parentElement!;
    const text = node.data.trim();
    if (text === '' || element.closest(`${FOREIGN}, script, style, option`) || !isSeen(element)) continue;
    range.selectNodeContents(node);
    yield { element, text, rects: [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0) };
  }
}

const isSeen = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/;
const CODE = /^([a-z]+(_[a-z]+)+|[A-Z]+(_[A-Z]+)+)$/;

/** What kind of text of machines it is, if it is one. */
function machineText(text: string): string | undefined {
  if (UUID.test(text)) return 'an id';
  if (/\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return 'a time as stored';
  if (/\b(undefined|NaN|Invalid Date)\b|\[object /.test(text)) return 'no value';
  return CODE.test(text) ? 'a code' : undefined;
}

/** Grids show times as people read them. */
const isTimeOfGrid = (element: Element, text: string): boolean =>
  element.closest('.grid') !== null && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

/** Where an element can be seen, and what cuts it off for good. */
interface Clip {
  left: number;
  right: number;
  top: number;
  bottom: number;
  cutBy?: Element | undefined;
  /** Whether it stays in its place while the page scrolls. */
  isAbove: boolean;
}

const WHOLE: Clip = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity, isAbove: false };
const clips = new Map<Element, Clip>();

/** Forgets where elements were, as their places may have changed. */
export const lookAgain = (): void => clips.clear();

function clipOf(element: Element | null): Clip {
  if (!element || element === document.body) return WHOLE;
  const known = clips.get(element);
  if (known) return known;
  const clip = ownClipOf(element);
  clips.set(element, clip);
  return clip;
}

function ownClipOf(element: Element): Clip {
  const { overflowX, overflowY, display, position } = getComputedStyle(element);
  const outer = position === 'fixed' ? WHOLE : clipOf(element.parentElement);
  const isAbove = outer.isAbove || /fixed|sticky/.test(position);
  if (display === 'inline' || (overflowX === 'visible' && overflowY === 'visible')) return { ...outer, isAbove };
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return {
    left: Math.max(outer.left, left),
    right: Math.min(outer.right, right),
    top: Math.max(outer.top, top),
    bottom: Math.min(outer.bottom, bottom),
    cutBy: /auto|scroll/.test(overflowX + overflowY) ? undefined : element,
    isAbove,
  };
}

/** Whether a control is beyond what can be scrolled to. */
export function isOutOfReach(element: Element): boolean {
  const rect = element.getBoundingClientRect();
  if (rect.right <= innerWidth + 1 && rect.left >= -1) return false;
  const { cutBy, left, right } = clipOf(element.parentElement!);
  if (cutBy) return !isShortened(cutBy);
  const isScrolled = left > -Infinity || right < Infinity;
  return !isScrolled;
}

function exceeds(rect: DOMRect, cutBy: Element): boolean {
  const { left, right, top, bottom } = cutBy.getBoundingClientRect();
  return (
    rect.right > right + 1 || rect.left < left - 1 || rect.bottom > bottom + LEEWAY_PX || rect.top < top - LEEWAY_PX
  );
}

/** Whether a reader cannot get at the rest of a text. Of a number or the head of a column, nothing may be missing. */
function isLost(element: Element, cutBy: Element): boolean {
  if (!isShortened(cutBy) || cutBy.clientWidth < MIN_SHORT_PX) return true;
  // Names of columns are those of data.
  if (element.closest('th')) return !element.closest('.grid');
  return element.closest('.number') !== null && /\d/.test(element.textContent);
}

/** Whether a text ends with an ellipsis, and has the whole of it as its tip. */
export function isShortened(element: Element): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  if (textOverflow !== 'ellipsis' && webkitLineClamp === 'none') return false;
  element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  return element.closest('[title]') !== null;
}

/** What stays in its place while the page scrolls covers what is below it. */
function seenPart(element: Element, rect: DOMRect, clip: Clip): Box[] {
  const box = {
    element,
    left: Math.max(rect.left, clip.left),
    right: Math.min(rect.right, clip.right),
    top: Math.max(rect.top, clip.top),
    bottom: Math.min(rect.bottom, clip.bottom),
  };
  return box.right - box.left > 1 && box.bottom - box.top > 1 && !clip.isAbove ? [box] : [];
}

/** Texts and controls that lie over each other, though neither is a part of the other. */
function covered(boxes: Box[]): string[] {
  const found: string[] = [];
  const open: Box[] = [];
  for (const box of boxes.toSorted((one, other) => one.top - other.top)) {
    for (let at = open.length - 1; at >= 0; at -= 1) {
      const other = open[at]!;
      if (other.bottom <= box.top) open.splice(at, 1);
      else if (lieOver(box, other)) found.push(`covers: ${nameOf(box.element)} and ${nameOf(other.element)}`);
    }
    open.push(box);
  }
  return found;
}

function lieOver(one: Box, other: Box): boolean {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  if (width <= MAX_COVERED_PX || height <= MAX_COVERED_PX) return false;
  // A button within a field is beside its input.
  if (
    [one, other].some(({ element }) => element.matches('input')) &&
    one.element.parentElement === other.element.parentElement
  )
    return false;
  // The letters of lines close together overlap.
  const lowest = Math.min(one.bottom - one.top, other.bottom - other.top);
  return height > lowest / 3 && !one.element.contains(other.element) && !other.element.contains(one.element);
}
