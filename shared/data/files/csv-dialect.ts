import { open } from 'node:fs/promises';
import { unreadable } from './file-format.ts';
import { headingOf } from './heading.ts';
import { type HeadRecord, headIssue, mostFrequent } from './table-head.ts';
import type { TextNotation } from './text-types.ts';

export interface CsvOptions extends TextNotation {
  delimiter?: string;
  /** The quote character; an empty text if values are never quoted. */
  quote?: string;
  header?: boolean;
  /** The line with the names, starting at 1. Lines above it are not read. */
  headerRow?: number;
  /** The number of lines above the table, which are not read. */
  skipRows?: number;
  /** Types of columns by name. A value of another type rejects the file. */
  types?: Record<string, string>;
  /** Unquoted texts that mean null, in addition to the empty text. */
  nullValues?: string[];
  /** The former name of `nullValues`. */
  nullStrings?: string[];
  /** What to do with rows that have more or fewer values than columns. Defaults to `refuse`. */
  raggedRows?: RaggedRows;
}

/**
 * `refuse` rejects the file, `pad` makes missing values null and rejects extra ones, and `skip` leaves such rows out
 * and counts them.
 */
export const RAGGED_ROWS = ['refuse', 'pad', 'skip'] as const;
export type RaggedRows = (typeof RAGGED_ROWS)[number];

export interface CsvDialect {
  delimiter: string;
  quote: string;
  header: boolean;
  /** The number of lines above the first record. */
  skippedLines: number;
  /** The values of the first record; empty for an empty file. */
  firstRecord: string[];
}

const SAMPLE_BYTES = 256 * 1024;
const MAX_RECORDS = 1000;
const DELIMITERS = [',', ';', '\t', '|'];

/** The number of lines that the options exclude. */
export const skippedBy = ({ headerRow, skipRows = 0 }: CsvOptions): number =>
  headerRow === undefined ? skipRows : headerRow - 1;

/**
 * The delimiter that a first line such as `sep=;` names. Spreadsheets write and read such a line, which is no record.
 */
export async function namedDelimiter(path: string): Promise<string | undefined> {
  const start = await beginning(path, 0, 'sep=,\r\n'.length);
  return /^sep=([^"\r\n])(?:\r|\n)/i.exec(start)?.[1];
}

/** What precedes the table. */
export interface SkippedHead {
  lines: number;
  bytes: number;
}

/**
 * The dialect of a UTF-8 file: given by the options, otherwise detected from what follows `skipped` at the beginning of
 * the file. Throws FILE_UNREADABLE if the names seem to be elsewhere than in the first record, or if that may be data.
 */
export async function detectDialect(
  path: string,
  options: CsvOptions,
  skipped: SkippedHead = { lines: 0, bytes: 0 },
): Promise<CsvDialect> {
  const quote = options.quote ?? '"';
  const sample = await beginning(path, skipped.bytes, SAMPLE_BYTES);
  const delimiter = options.delimiter ?? mostRegular(sample, quote, options.decimalSeparator);
  const found = records(sample, delimiter, quote).map(({ line, values }) => ({ line: line + skipped.lines, values }));
  const [first = { line: skipped.lines + 1, values: [] }] = found;
  const { header = options.headerRow === undefined ? undefined : true, skipRows } = options;
  if (header === undefined && skipRows === undefined) {
    const issue = headIssue(found);
    if (issue !== undefined) throw unreadable(issue);
  }
  return {
    delimiter,
    quote,
    header: header ?? hasNames(found),
    skippedLines: first.line - 1,
    firstRecord: first.values,
  };
}

/** Whether the first record has the names of the columns. Throws FILE_UNREADABLE if that is unclear. */
function hasNames([first, ...others]: readonly HeadRecord[]): boolean {
  if (!first) return false;
  const heading = headingOf(
    first.values,
    others.map(({ values }) => values),
  );
  if (heading !== 'unclear') return heading === 'names';
  throw unreadable(
    `Row ${first.line} may have the names of the columns, or be data. Set header: true if it has names, or header: false if it is data.`,
  );
}

async function beginning(path: string, start: number, length: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * The delimiter that splits most records into the same number of values. The one with more values wins a tie;
 * delimiters that split nothing do not count. The decimal separator only splits if no other does.
 */
function mostRegular(sample: string, quote: string, decimalSeparator?: string): string {
  let best = { delimiter: ',', share: 0, width: 1 };
  for (const delimiter of DELIMITERS.filter((sign) => sign !== decimalSeparator)) {
    const widths = records(sample, delimiter, quote).map(({ values }) => values.length);
    const width = mostFrequent(widths);
    const share = widths.filter((other) => other === width).length / widths.length;
    if (width > 1 && (share > best.share || (share === best.share && width > best.width)))
      best = { delimiter, share, width };
  }
  return best.delimiter;
}

/** At most MAX_RECORDS records. A record that the sample cuts off is left out unless it is the only one. */
function records(sample: string, delimiter: string, quote: string): HeadRecord[] {
  const found: HeadRecord[] = [];
  let record: string[] = [];
  let value = '';
  let [line, nextLine] = [1, 2];
  const endRecord = () => {
    if (record.length > 0 || value !== '') found.push({ line, values: [...record, value] });
    record = [];
    value = '';
    line = nextLine;
    nextLine += 1;
  };
  let at = 0;
  while (at < sample.length && found.length < MAX_RECORDS) {
    const char = sample[at]!;
    if (char === quote && value === '') {
      const quoted = quotedText(sample, at + 1, quote);
      value = quoted.text;
      nextLine += quoted.text.match(LINE_ENDS)?.length ?? 0;
      at = quoted.end;
    } else if (sample.startsWith(delimiter, at)) {
      record.push(value);
      value = '';
      at += delimiter.length;
    } else if (char === '\n' || char === '\r') {
      endRecord();
      at += sample.startsWith('\r\n', at) ? 2 : 1;
    } else {
      value += char;
      at += 1;
    }
  }
  const isComplete = Buffer.byteLength(sample) < SAMPLE_BYTES || found.length === 0;
  if (isComplete) endRecord();
  return found;
}

const LINE_ENDS = /\r\n|\r|\n/g;

/** The text from `start` to the closing quote, and the place after that quote. */
function quotedText(sample: string, start: number, quote: string): { text: string; end: number } {
  let text = '';
  for (let at = start; at < sample.length; at += 1) {
    const isQuote = sample[at] === quote;
    if (isQuote && sample[at + 1] !== quote) return { text, end: at + 1 };
    if (isQuote) at += 1;
    text += sample[at];
  }
  return { text, end: sample.length };
}
