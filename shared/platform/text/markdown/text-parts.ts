/** A piece of text in one look. A line break in it begins a new line. */
export interface TextSpan {
  text: string;
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
  /** A safe address. */
  href?: string;
}

/** A part of a text that stands by itself. Files and emails are written from these parts. */
export type TextPart =
  | { kind: 'heading'; level: 1 | 2 | 3 | 4; spans: readonly TextSpan[] }
  | TextParagraph
  /** Lines whose spaces count. */
  | { kind: 'code'; text: string }
  | { kind: 'table'; rows: readonly TextRow[] }
  | { kind: 'divider' };

export interface TextParagraph {
  kind: 'paragraph';
  spans: readonly TextSpan[];
  /** How many lists it is part of. */
  depth: number;
  /** What stands before it as an item of a list; empty for others. */
  mark: string;
  /** Whether it is part of a quote or a note beside the text. */
  isAside: boolean;
}

export interface TextRow {
  isHeader: boolean;
  /** The paragraphs of a cell are separated by line breaks. */
  cells: readonly (readonly TextSpan[])[];
}

/** A text without any look. */
export const plainParagraph = (text: string): TextParagraph => ({
  ...{ kind: 'paragraph', spans: [{ text }], depth: 0, mark: '', isAside: false },
});

/** What an item of a list begins with. */
export const BULLET = '•';
