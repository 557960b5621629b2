import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PlainColumns, type PlainDialect, PlainRecords } from '../../../../shared/data/files/plain-records.ts';
import { EMPTY, endIn, isWord, plainValue, TEXT, typesIn } from '../../../../shared/data/files/plain-values.ts';
import { cases } from '../../../support/cases.ts';

const NAMES = ['boolean', 'integer', 'double', 'date', 'timestamp'] as const;
const BITS: Record<(typeof NAMES)[number], number> = { integer: 1, double: 2, date: 4, timestamp: 8, boolean: 16 };
const ANY = 63;

/** What reading every value proves about a text: a reference written for clarity, not speed. */
function provenByValues(text: string, dialect: PlainDialect): PlainColumns | undefined {
  const { quote, header, width } = dialect;
  const records = recordsOf(text, dialect);
  if (!records) return undefined;
  const types = new Array<number>(width).fill(ANY);
  for (const record of header ? records.slice(1) : records) {
    for (const [column, each] of record.entries()) types[column] = narrowed(types[column]!, each, quote);
  }
  if (!types.some((bits) => (bits & ANY) !== 0)) return undefined;
  return {
    hasQuotedLines: records.flat().some((value) => /[\r\n]/.test(value)),
    types: types.map((bits) => (bits & EMPTY ? [] : NAMES.filter((name) => bits & BITS[name]))),
    areTexts: types.map((bits) => (bits & TEXT) !== 0),
  };
}

/** The values as they are written; undefined if the text could be divided in another way. */
function recordsOf(text: string, { delimiter, quote, width }: PlainDialect): string[][] | undefined {
  const lineEnd = /\r?\n|\r/.exec(text.replaceAll(quotedTexts(quote), ''))?.[0] ?? '\n';
  if (lineEnd === '\r') return undefined;
  const plain = `[^${delimiter}${quote}\r\n]*`;
  const value = quote === '' ? plain : `${quote}(?:[^${quote}]|${quote}${quote})*${quote}|${plain}`;
  const pattern = new RegExp(`(${value})(\\${delimiter}|\r\n|\n|\r|$)`, 'y');
  const records: string[][] = [];
  let record: string[] = [];
  while (pattern.lastIndex < text.length || record.length > 0) {
    const [, found, end] = pattern.exec(text) ?? [];
    if (found === undefined) return undefined;
    record.push(found);
    if (end === delimiter) continue;
    const isBlank = record.length === 1 && found === '';
    if (end !== lineEnd || (record.length !== width && !isBlank)) return undefined;
    records.push(record);
    record = [];
  }
  return records;
}

const quotedTexts = (quote: string) => (quote === '' ? /(?!)/g : new RegExp(`${quote}[^${quote}]*${quote}`, 'g'));

function narrowed(types: number, written: string, quote: string): number {
  if (written === '' || (types & ANY) === 0) return types;
  const isQuoted = quote !== '' && written.startsWith(quote);
  const bytes = Buffer.from(`${isQuoted ? written.slice(1) : `${written}\n`}\n`);
  const length = Buffer.byteLength(written) - (isQuoted ? 2 : 0);
  const value = plainValue(bytes, 0);
  return endIn(value) === length ? types & typesIn(value) : isWord(bytes[0]!) ? TEXT : 0;
}

const COLUMNS = [
  ['1', '20', '-3', '', '0', '123456789012345'],
  ['1', '123456789012345678', '-1234567890123456'],
  ['1.5', '2', '0.25', '', '-7.0', '12345678.123456'],
  ['2026-01-31', '', '2024-02-29'],
  ['2026-01-31 10:30:00', '2026-01-31T10:30:00.123456'],
  ['true', 'FALSE', ''],
  ['a b', 'region 8', 'é', ''],
  ['', ''],
];
const OTHERS = [
  '007',
  '1.',
  '.5',
  '+5',
  '1e3',
  '1234567890123456',
  '1234567890.123456',
  '2026-02-30',
  'truex',
  'x',
  '0',
  '00',
  '-',
];

const file = fc.record({
  columns: fc.array(fc.constantFrom(...COLUMNS), { minLength: 1, maxLength: 4 }),
  picks: fc.array(fc.nat(), { minLength: 8, maxLength: 40 }),
  quoting: fc.constantFrom('none', 'none', 'all', 'texts', 'pairs', 'lines'),
  change: fc.option(
    fc.record({
      at: fc.nat(),
      value: fc.constantFrom(...OTHERS, '"', 'a"b', '"x"y', '"1,', '"a\rb"', '1\r2', '\n', '\r', ',', ''),
    }),
  ),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quote: fc.constantFrom('"', '"', "'", ''),
  lineEnd: fc.constantFrom('\n', '\n', '\r\n', '\r'),
  header: fc.boolean(),
  isEnded: fc.boolean(),
});

/** A file of similar rows, in which one value may be replaced by an unusual one. */
function textOf({ columns, picks, quoting, change, delimiter, quote, lineEnd, isEnded }: FileCase): string {
  const quoted = (value: string) => {
    if (quote === '' || quoting === 'none' || (quoting !== 'all' && !/[a-z ]/.test(value))) return value;
    if (quoting === 'pairs') return `${quote}${value}${quote}${quote}${quote}`;
    return `${quote}${value}${quoting === 'lines' ? lineEnd : ''}${quote}`;
  };
  const rows = picks.map((pick) => columns.map((values, i) => quoted(values[(pick >> i) % values.length]!)));
  if (change) {
    const row = rows[change.at % rows.length]!;
    row[change.at % row.length] = change.value;
  }
  const lines = rows.map((row) => row.join(delimiter));
  return lines.join(lineEnd) + (isEnded ? lineEnd : '');
}
type FileCase = typeof file extends fc.Arbitrary<infer T> ? T : never;

/** Reads a text whose last line has an end, in parts after some of its line ends. */
function provenByRecords(
  text: string,
  dialect: PlainDialect,
  isRead: (line: number) => boolean,
): PlainColumns | undefined {
  const records = new PlainRecords(dialect);
  const bytes = Buffer.from(text);
  let start = 0;
  let line = 0;
  for (let end = bytes.indexOf('\n') + 1; end > 0; end = bytes.indexOf('\n', end) + 1) {
    line += 1;
    if (!isRead(line) && end < bytes.length) continue;
    start += records.read(bytes.subarray(start), end - start);
  }
  return start === bytes.length && records.areProvable ? records.proven() : undefined;
}

it('proves the same by skipping records as by reading every value, however the file is split', () => {
  const numRuns = cases(2_000, 100_000);
  let proven = 0;
  fc.assert(
    fc.property(file, fc.array(fc.boolean(), { minLength: 1 }), (given, ends) => {
      const { columns, delimiter, quote, header, lineEnd } = given;
      const dialect = { delimiter, quote, header, width: columns.length };
      const text = textOf({ ...given, isEnded: true });
      const expected = provenByValues(text, dialect);
      expect(provenByRecords(text, dialect, (line) => ends[line % ends.length]!)).toEqual(expected);
      expect(provenByRecords(text, dialect, () => false)).toEqual(expected);
      if (expected) proven += 1;
      expect(lineEnd === '\r' ? expected : undefined).toBeUndefined();
    }),
    { numRuns, seed: 7 },
  );
  expect(proven).toBeGreaterThan(numRuns / 4);
});
