import { StringDecoder } from 'node:string_decoder';

/** A cell of CSV: null is an empty cell, an empty text a quoted one. */
export type Cell = string | null;

const [QUOTE, COMMA, CARRIAGE_RETURN, LINE_FEED] = [0x22, 0x2c, 0x0d, 0x0a];

/** Reads the CSV of `csvLine` piece by piece: batches of rows, the line of headings first. */
export async function* csvRows(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Cell[][]> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const piece of pieces) {
    const { rows, read } = readRows(
      rest + decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)),
    );
    rest = read.rest;
    if (rows.length > 0) yield rows;
  }
  if (rest !== '') throw new Error('The CSV ends within a row.');
}

/** The complete rows at the beginning of the text, and what follows them. */
function readRows(text: string): { rows: Cell[][]; read: { rest: string } } {
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let rowStart = 0;
  let at = 0;
  while (at < text.length) {
    const end = text.charCodeAt(at) === QUOTE ? endOfQuoted(text, at) : endOfPlain(text, at);
    // What follows the cell decides whether it is complete: a comma, or both characters of a line end.
    if (end < 0 || end >= text.length || (text.charCodeAt(end) === CARRIAGE_RETURN && end + 1 >= text.length)) break;
    row.push(cellOf(text, at, end));
    if (text.charCodeAt(end) === COMMA) {
      at = end + 1;
      continue;
    }
    rows.push(row);
    row = [];
    at = end + 2;
    rowStart = at;
  }
  return { rows, read: { rest: text.slice(rowStart) } };
}

/** The index after the closing quote; negative if it is not there yet. */
function endOfQuoted(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at < 0 || at + 1 >= text.length) return -1;
    if (text.charCodeAt(at + 1) !== QUOTE) return at + 1;
    at += 2;
  }
}

function endOfPlain(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === CARRIAGE_RETURN || code === LINE_FEED) break;
  }
  return at;
}

function cellOf(text: string, start: number, end: number): Cell {
  if (end === start) return null;
  if (text.charCodeAt(start) !== QUOTE) return text.slice(start, end);
  return text.slice(start + 1, end - 1).replaceAll('""', '"');
}
