/** Texts whose whole is their tip because they were cut off. */
const tipped = new WeakSet<Element>();
/** So far above what the pointer is over may the text be cut off. */
const MAX_LEVELS = 4;

/** Gives each text that ends with an ellipsis the whole of it as its tip, as soon as the pointer comes to it. */
export function tipCutTexts(): void {
  addEventListener('pointerover', ({ target }) => {
    let element = target instanceof HTMLElement ? target : null;
    for (let level = 0; element && level < MAX_LEVELS; level += 1) {
      if (endsEarly(element)) return tip(element);
      element = element.parentElement;
    }
  });
}

function endsEarly(element: HTMLElement): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  return textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
}

function tip(element: HTMLElement): void {
  if (element.hasAttribute('title') && !tipped.has(element)) return;
  const isCut = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 1;
  if (isCut) {
    element.title = element.textContent.trim();
    tipped.add(element);
  } else if (tipped.delete(element)) {
    element.removeAttribute('title');
  }
}
