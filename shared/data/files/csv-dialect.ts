import { open } from 'node:fs/promises';

export interface CsvOptions {
  delimiter?: string;
  /** The quote character; an empty text if values are never quoted. */
  quote?: string;
  header?: boolean;
  /** Unquoted texts that mean null, in addition to the empty text. */
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
  /** The values of the first record; empty for an empty file. */
  firstRecord: string[];
}

const SAMPLE_BYTES = 256 * 1024;
const MAX_RECORDS = 1000;
const DELIMITERS = [',', ';', '\t', '|'];

/** The dialect of a UTF-8 file: given by the options, otherwise detected from the beginning of the file. */
export async function detectDialect(path: string, options: CsvOptions): Promise<CsvDialect> {
  const quote = options.quote ?? '"';
  const sample = await beginning(path);
  const delimiter = options.delimiter ?? mostRegular(sample, quote);
  const [firstRecord = [], ...others] = records(sample, delimiter, quote);
  return { delimiter, quote, header: options.header ?? looksLikeHeader(firstRecord, others), firstRecord };
}

async function beginning(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * The delimiter that splits most records into the same number of values. The one with more values wins a tie;
 * delimiters that split nothing do not count.
 */
function mostRegular(sample: string, quote: string): string {
  let best = { delimiter: ',', share: 0, width: 1 };
  for (const delimiter of DELIMITERS) {
    const widths = records(sample, delimiter, quote).map(({ length }) => length);
    const width = mostFrequent(widths);
    const share = widths.filter((other) => other === width).length / widths.length;
    if (width > 1 && (share > best.share || (share === best.share && width > best.width)))
      best = { delimiter, share, width };
  }
  return best.delimiter;
}

function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** At most MAX_RECORDS records. A record that the sample cuts off is left out unless it is the only one. */
function records(sample: string, delimiter: string, quote: string): string[][] {
  const found: string[][] = [];
  let record: string[] = [];
  let value = '';
  const endRecord = () => {
    if (record.length > 0 || value !== '') found.push([...record, value]);
    record = [];
    value = '';
  };
  let at = 0;
  while (at < sample.length && found.length < MAX_RECORDS) {
    const char = sample[at]!;
    if (char === quote && value === '') {
      const quoted = quotedText(sample, at + 1, quote);
      value = quoted.text;
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

const YEAR = /^(?:19|20)\d\d$/;
const VALUE_NOT_NAME =
  /^\s*(?:[-+]?[\d.,]+%?(?:[eE][-+]?\d+)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*|true|false|null|nan)\s*$/i;

/** Consecutive years at the end of a record are column names if no record has years in these columns. */
function isOfYears(first: readonly string[], others: readonly string[][]): boolean {
  const start = first.findIndex((value) => VALUE_NOT_NAME.test(value));
  const years = first.slice(start);
  const follow = years.every((value, i) => YEAR.test(value) && (i === 0 || Number(value) === Number(years[i - 1]) + 1));
  if (years.length < 2 || !follow || others.length === 0) return false;
  return others.every((record) => !record.slice(start).some((value) => YEAR.test(value)));
}

/**
 * Whether the first record has column names. A record with a number, date or truth value is data, unless it ends with
 * consecutive years. A record that occurs again is data, too.
 */
function looksLikeHeader(first: readonly string[], others: readonly string[][]): boolean {
  if (first.every((value) => value.trim() === '')) return false;
  if (first.some((value) => VALUE_NOT_NAME.test(value)) && !isOfYears(first, others)) return false;
  return !others.some((record) => record.join('\u0000') === first.join('\u0000'));
}
