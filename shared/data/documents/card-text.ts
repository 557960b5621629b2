import { readMarkdown } from '../../platform/text/markdown/read-markdown.ts';
import { plainParagraph, type TextPart } from '../../platform/text/markdown/text-parts.ts';
import type { CardContent } from './documents.ts';

/** The text of a card that has no rows; undefined for others. */
export function cardText(content: CardContent): TextPart[] | undefined {
  if (content.kind === 'text') return readMarkdown(content.text);
  return content.kind === 'problem' ? [plainParagraph(content.problem)] : undefined;
}
