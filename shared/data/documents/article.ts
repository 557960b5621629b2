import type { TextPart, TextSpan } from '../../platform/text/markdown/text-parts.ts';
import type { DashboardDocument, DocumentCard } from './documents.ts';
import { RIGHT_TO_LEFT } from './visual-order.ts';

/** A text with cards between its paragraphs. */
export interface ArticleDocument extends Omit<DashboardDocument, 'pages' | 'filters'> {
  parts: readonly ArticlePart[];
}

export type ArticlePart = TextPart | { kind: 'card'; card: Omit<DocumentCard, 'position'>; rows: number };

/** Whether the text runs from right to left: its first letter says so. */
export function runsFromRight(spans: readonly TextSpan[]): boolean {
  const letter = /\p{Letter}/u.exec(spans.map(({ text }) => text).join(''))?.[0];
  return letter !== undefined && RIGHT_TO_LEFT.test(letter);
}
