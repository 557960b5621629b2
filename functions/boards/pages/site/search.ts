import { byId } from '../../browser/dom.ts';
import { platform } from './api.ts';
import { loadMore } from './load-more.ts';

/** Offers the search for dashboards, their cards, and stories: by the button, with `/`, and with Ctrl+K or ⌘K. */
export function offerSearch(): void {
  const button = byId<HTMLButtonElement>('search');
  if (!button) return;
  let opener: Promise<() => void> | undefined;
  const open = async () => {
    opener ??= loadMore().then(({ searchOpener }) => searchOpener(platform));
    try {
      (await opener)();
    } catch {
      // The next press tries again.
      opener = undefined;
    }
  };
  button.hidden = false;
  button.addEventListener('click', () => void open());
  document.addEventListener('keydown', (event) => {
    if (!isWanted(event)) return;
    event.preventDefault();
    void open();
  });
}

function isWanted({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !altKey;
  const isTyping = target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping;
}
