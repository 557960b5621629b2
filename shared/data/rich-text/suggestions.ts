import type { AnchorPlace } from './anchors/anchor-place.ts';
import { findQuote, quoteAt } from './anchors/quotes.ts';
import type { TextAnchor } from './anchors/reanchor.ts';
import { blockText } from './block-text.ts';
import type { RichText } from './nodes.ts';
import { replaceText } from './replace-text.ts';

export type AcceptedSuggestion =
  /** `place` is that of the new text. */
  | { kind: 'replaced'; content: RichText; place: AnchorPlace }
  /** The text is no longer there. */
  | { kind: 'gone' }
  /** The text is there several times, and nothing tells which one is meant. */
  | { kind: 'ambiguous'; count: number }
  /** The text has changed since the suggestion was written. */
  | { kind: 'stale'; current: string };

/** Replaces the text that a suggestion is about, unless that text is not the one that its author saw. */
export function acceptSuggestion(content: RichText, anchor: TextAnchor, replacement: string): AcceptedSuggestion {
  const { place, written, state } = anchor;
  const block = content.content.find(({ attrs }) => attrs.id === place.blockId);
  if (state === 'orphaned' || !block) return { kind: 'gone' };
  const { text } = blockText(block);
  const { exact } = place.quote;
  const found = text.startsWith(exact, place.start)
    ? ({ kind: 'found', start: place.start } as const)
    : findQuote(text, place.quote);
  if (found.kind === 'missing') return { kind: 'gone' };
  if (found.kind === 'ambiguous') return found;
  if (exact !== written.quote.exact) return { kind: 'stale', current: exact };
  const { start } = found;
  const lines = replacement.replaceAll('\r\n', '\n');
  const change = { blockId: place.blockId, start, end: start + exact.length, replacement: lines };
  const replaced = replaceText(content, change);
  const now = replaced.content.find(({ attrs }) => attrs.id === place.blockId)!;
  const quote = quoteAt(blockText(now).text, start, start + lines.length);
  return { kind: 'replaced', content: replaced, place: { ...place, start, quote } };
}
