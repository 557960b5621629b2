import type { Token } from 'markdown-it';
import { headingLevels, markdownParser } from './parser.ts';
import { BULLET, type TextPart, type TextRow, type TextSpan } from './text-parts.ts';

const parser = markdownParser();

/** The parts of a text in Markdown, from top to bottom. Its headings leave no level out. */
export function readMarkdown(text: string): TextPart[] {
  const tokens = parser.parse(text, {});
  const reader = new Reader(headingLevels(tokens));
  for (const token of tokens) reader.read(token);
  return reader.parts;
}

interface List {
  isOrdered: boolean;
  /** The number of its next item. */
  next: number;
}

class Reader {
  readonly parts: TextPart[] = [];
  readonly #levels: ReadonlyMap<string, number>;
  readonly #lists: List[] = [];
  /** What stands before the next part, which begins an item. */
  #mark = '';
  #quotes = 0;
  #heading: string | undefined;
  #rows: { isHeader: boolean; cells: TextSpan[][] }[] | undefined;

  constructor(levels: ReadonlyMap<string, number>) {
    this.#levels = levels;
  }

  read(token: Token): void {
    READ[token.type]?.(this, token);
  }

  openList(list: List): void {
    this.#endMark();
    this.#lists.push(list);
  }

  closeList(): void {
    this.#lists.pop();
  }

  openItem(): void {
    const list = this.#lists.at(-1)!;
    this.#mark = list.isOrdered ? `${list.next}.` : BULLET;
    list.next += 1;
  }

  closeItem(): void {
    this.#endMark();
  }

  quote(change: 1 | -1): void {
    this.#quotes += change;
  }

  heading(tag: string | undefined): void {
    this.#heading = tag;
  }

  openTable(): void {
    this.#rows = [];
  }

  openRow(): void {
    this.#rows!.push({ isHeader: false, cells: [] });
  }

  markHeader(): void {
    this.#rows!.at(-1)!.isHeader = true;
  }

  closeTable(): void {
    const rows: TextRow[] = this.#rows!;
    this.#rows = undefined;
    this.add({ kind: 'table', rows });
  }

  text(spans: TextSpan[]): void {
    if (this.#rows) this.#rows.at(-1)!.cells.push(spans);
    else if (this.#heading !== undefined) {
      const level = Math.min(4, this.#levels.get(this.#heading)!) as 1 | 2 | 3 | 4;
      this.add({ kind: 'heading', level, spans });
    } else this.#paragraph(spans);
  }

  #paragraph(spans: TextSpan[]): void {
    const mark = this.#mark;
    this.#mark = '';
    this.parts.push({ kind: 'paragraph', spans, depth: this.#lists.length, mark, isAside: this.#quotes > 0 });
  }

  /** An item that begins with something else than a text has its mark on a line of its own. */
  add(part: TextPart): void {
    this.#endMark();
    this.parts.push(part);
  }

  #endMark(): void {
    if (this.#mark !== '') this.#paragraph([]);
  }
}

const openList =
  (isOrdered: boolean) =>
  (reader: Reader, token: Token): void =>
    reader.openList({ isOrdered, next: Number(token.attrGet('start') ?? 1) });
const addCode = (reader: Reader, { content }: Token): void =>
  reader.add({ kind: 'code', text: content.replace(/\n$/, '') });

/** By the type of the token; what is missing has no meaning of its own. */
const READ: Readonly<Record<string, (reader: Reader, token: Token) => void>> = {
  bullet_list_open: openList(false),
  ordered_list_open: openList(true),
  bullet_list_close: (reader) => reader.closeList(),
  ordered_list_close: (reader) => reader.closeList(),
  list_item_open: (reader) => reader.openItem(),
  list_item_close: (reader) => reader.closeItem(),
  blockquote_open: (reader) => reader.quote(1),
  blockquote_close: (reader) => reader.quote(-1),
  heading_open: (reader, { tag }) => reader.heading(tag),
  heading_close: (reader) => reader.heading(undefined),
  table_open: (reader) => reader.openTable(),
  tr_open: (reader) => reader.openRow(),
  th_open: (reader) => reader.markHeader(),
  table_close: (reader) => reader.closeTable(),
  inline: (reader, { children }) => reader.text(spansOf(children ?? [])),
  fence: addCode,
  code_block: addCode,
  hr: (reader) => reader.add({ kind: 'divider' }),
};

type Look = Omit<TextSpan, 'text'>;

const LOOKS: Readonly<Record<string, 'bold' | 'italic' | 'strike'>> = { strong: 'bold', em: 'italic', s: 'strike' };

function spansOf(tokens: readonly Token[]): TextSpan[] {
  const spans: TextSpan[] = [];
  let look: Look = {};
  for (const token of tokens) {
    const { type, content } = token;
    const [, name = '', edge] = /^(\w+)_(open|close)$/.exec(type) ?? [];
    if (edge !== undefined) {
      const key = LOOKS[name] ?? 'href';
      const { [key]: _, ...rest } = look;
      const value = key === 'href' ? String(token.attrGet('href')) : true;
      look = edge === 'open' ? { ...look, [key]: value } : rest;
    } else if (type.endsWith('break')) spans.push({ text: '\n', ...look });
    else if (content !== '') spans.push({ text: content, ...look, ...(type === 'code_inline' && { code: true }) });
  }
  return spans;
}
