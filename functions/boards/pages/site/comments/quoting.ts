import { el } from '../../../browser/dom.ts';
import type { Thread } from './api.ts';
import type { Panel } from './panel.ts';
import { findQuoted, type QuotedText, selectedText } from './quoted-text.ts';

/** Names of highlights, which the style sheet colors. */
const QUOTED = 'quoted';
const CHOSEN = 'chosen-quote';

/**
 * Marks the words that the shown threads quote, scrolls to what a thread is about, and offers a comment on the words
 * that the reader selects.
 */
export function connectText(panel: Panel, { mayQuote }: { mayQuote: boolean }): void {
  panel.onShow = (threads) =>
    highlight(
      QUOTED,
      threads.flatMap((thread) => rangeOf(thread) ?? []),
    );
  panel.goTo = (thread) => {
    const range = rangeOf(thread);
    const { sectionId } = thread.context;
    const target = range?.startContainer.parentElement ?? document.getElementById(`section-${sectionId}`);
    if (!target) return undefined;
    return () => {
      highlight(CHOSEN, range ? [range] : []);
      target.scrollIntoView({ block: 'center' });
    };
  };
  if (mayQuote && panel.mayComment) offerOnSelection(panel);
}

function rangeOf({ context, anchor, resolvedAt }: Thread): Range | undefined {
  if (!context.quote || anchor.state === 'orphaned' || resolvedAt !== null) return undefined;
  return findQuoted(context as QuotedText, anchor.text ?? undefined);
}

/** Browsers without highlights show the quotes in the panel only. */
function highlight(name: string, ranges: readonly Range[]): void {
  if (typeof Highlight === 'undefined') return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

function offerOnSelection(panel: Panel): void {
  const button = el('button', { type: 'button', class: 'comment-on-text', hidden: true }, 'Comment on selection');
  document.body.append(button);
  let quoted: QuotedText | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    const selected = selectedText(getSelection());
    quoted = selected?.quoted;
    button.hidden = !selected;
    if (!selected) return;
    const box = selected.range.getBoundingClientRect();
    const { clientWidth } = document.documentElement;
    button.style.top = `${box.bottom + scrollY + 6}px`;
    button.style.left = `${Math.max(8, Math.min(box.left + scrollX, clientWidth - button.offsetWidth - 8))}px`;
  };
  document.addEventListener('selectionchange', () => {
    clearTimeout(timer);
    timer = setTimeout(show, 200);
  });
  // The selection stays until the click is over.
  button.addEventListener('pointerdown', (event) => event.preventDefault());
  button.addEventListener('click', () => {
    if (!quoted) return;
    button.hidden = true;
    panel.quote(quoted, panel.opener);
    getSelection()?.removeAllRanges();
  });
}
