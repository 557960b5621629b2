/** In pixels below the top of the window: a heading above it is one that the reader has reached. */
const READ_AT = 120;

export interface Sections {
  /** The id of the section that the reader looks at; undefined in an empty story. */
  current(): string | undefined;
}

/** Marks where the reader is in the contents list, which is open where there is room for it. */
export function showContents(): Sections {
  const list = document.querySelector<HTMLElement>('.contents');
  const details = list?.querySelector('details');
  let isBeside = false;
  const fold = () => {
    if (!list || !details || isBeside === (getComputedStyle(list).position === 'sticky')) return;
    isBeside = !isBeside;
    details.open = isBeside;
  };
  fold();
  new ResizeObserver(fold).observe(document.querySelector('main')!);
  details?.addEventListener('click', ({ target }) => {
    if (!isBeside && target instanceof HTMLAnchorElement) details.open = false;
  });
  const entries = [...(list?.querySelectorAll('a') ?? [])].flatMap((link) => {
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return target ? [{ link, target }] : [];
  });
  let marked: HTMLElement | undefined;
  const mark = () => {
    const reached = entries.findLast(({ target }) => isReached(target)) ?? entries[0];
    // The end of the page is reached before its last headings are at the top.
    const link = (isAtEnd() ? entries.findLast(({ target }) => isVisible(target)) : reached)?.link ?? reached?.link;
    if (link === marked) return;
    marked?.removeAttribute('aria-current');
    marked = link;
    link?.setAttribute('aria-current', 'location');
    if (link && list && isBeside) keepVisible(link, list);
  };
  let isWaiting = false;
  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
  const sections = [...document.querySelectorAll<HTMLElement>('.article > section')];
  return { current: () => (sections.findLast(isReached) ?? sections[0])?.id.slice('section-'.length) };
}

const isReached = (element: Element): boolean => element.getBoundingClientRect().top <= READ_AT;
const isVisible = (element: Element): boolean => element.getBoundingClientRect().top < innerHeight;
const isAtEnd = (): boolean => {
  const { scrollHeight } = document.documentElement;
  return scrollY > 0 && innerHeight + scrollY >= scrollHeight - 2;
};

/** Scrolls a long list, without scrolling the page. */
function keepVisible(link: HTMLElement, list: HTMLElement): void {
  const [own, frame] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  if (own.top < frame.top) list.scrollTop -= frame.top - own.top + 40;
  else if (own.bottom > frame.bottom) list.scrollTop += own.bottom - frame.bottom + 40;
}
