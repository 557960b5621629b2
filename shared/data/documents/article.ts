import type { DashboardDocument, DocumentCard } from './documents.ts';

/** A text with cards between its paragraphs. */
export interface ArticleDocument extends Omit<DashboardDocument, 'pages' | 'filters'> {
  parts: readonly ArticlePart[];
}

/** A piece of text in one look. A line break in it begins a new line. */
export interface TextSpan {
  text: string;
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
  href?: string;
}

export type ArticlePart =
  | { kind: 'heading'; level: 1 | 2 | 3 | 4; spans: readonly TextSpan[] }
  | ArticleParagraph
  /** Lines whose spaces count. */
  | { kind: 'code'; text: string }
  | { kind: 'table'; rows: readonly ArticleRow[] }
  | { kind: 'divider' }
  | { kind: 'card'; card: Omit<DocumentCard, 'position'>; rows: number };

export interface ArticleParagraph {
  kind: 'paragraph';
  spans: readonly TextSpan[];
  /** How many lists it is part of. */
  depth: number;
  /** What stands before it as an item of a list; empty for others. */
  mark: string;
  /** Whether it is part of a quote or a note beside the text. */
  isAside: boolean;
}

export interface ArticleRow {
  isHeader: boolean;
  /** The paragraphs of a cell are separated by line breaks. */
  cells: readonly (readonly TextSpan[])[];
}

/** Hebrew, Arabic and their forms for presentation. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** Whether the text runs from right to left: its first letter says so. */
export function runsFromRight(spans: readonly TextSpan[]): boolean {
  const letter = /\p{Letter}/u.exec(spans.map(({ text }) => text).join(''))?.[0];
  return letter !== undefined && RIGHT_TO_LEFT.test(letter);
}
