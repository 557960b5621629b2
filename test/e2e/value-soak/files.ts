import { workbookOf } from '../../support/workbook.ts';
import { NumberText, type Truth } from './compare.ts';
import { type Choices, clockText, dayText, numberText, ODD_TEXTS } from './random.ts';

/** A file with known content. */
export interface Scenario {
  format: 'csv' | 'ndjson' | 'json' | 'xlsx';
  content: Buffer;
  options: object;
  names: string[];
  /** By row. */
  rows: Truth[][];
}

const names = (choices: Choices) => ['alpha', 'b c', 'Über', '"q"', "it's"].slice(0, 1 + choices.upTo(4));

type Flavour = (choices: Choices) => string;

const FLAVOURS: Flavour[] = [
  (choices) => String(choices.upTo(1000) - 500),
  numberText,
  (choices) => `${choices.upTo(500)}.${choices.digits(2)}`,
  dayText,
  (choices) => `${dayText(choices)}${choices.of(['T', ' '])}${clockText(choices)}`,
  (choices) => `${dayText(choices)}T${clockText(choices)}${choices.of(['Z', '+02:00', '-0530', '+05'])}`,
  (choices) => choices.of(['true', 'false', 'TRUE', 'False']),
  (choices) => choices.of(ODD_TEXTS),
];

export function csvScenario(choices: Choices): Scenario {
  const header = names(choices);
  const flavours = header.map(() => choices.of(FLAVOURS));
  const [odd, missing] = [choices.of([0, 0, 0.02, 0.3]), choices.of([0, 0.1])];
  const count = choices.of([1, 3, 20, 200, 5000]);
  const delimiter = choices.of([',', ';', '\t', '|']);
  const end = choices.of(['\n', '\r\n']);
  const rows = Array.from({ length: count }, () =>
    flavours.map((make) =>
      choices.chance(missing) ? null : choices.chance(odd) ? choices.of(ODD_TEXTS) : make(choices),
    ),
  );
  const mustQuote = (value: string) =>
    value === '' || /["\r\n]/.test(value) || value.includes(delimiter) || value.startsWith('\ufeff');
  const cell = (value: string | null, isAlone: boolean) => {
    if (value === null) return isAlone ? '""' : '';
    return mustQuote(value) || choices.chance(0.3) ? `"${value.replaceAll('"', '""')}"` : value;
  };
  // An empty line is no row: a lone null is written as an empty text.
  const truth = rows.map((row) => (row.length === 1 && row[0] === null ? [''] : row));
  const text =
    [header, ...truth].map((row) => row.map((value) => cell(value, row.length === 1)).join(delimiter)).join(end) + end;
  const encoding = choices.of(['utf8', 'utf8', 'utf16le'] as const);
  const content = Buffer.from(choices.chance(0.3) || encoding === 'utf16le' ? `\ufeff${text}` : text, encoding);
  return { format: 'csv', content, options: { delimiter, quote: '"', header: true }, names: header, rows: truth };
}

const KEYS = ['a', 'b', 'B', 'x y', '', '"', 'long name'];

function jsonValue(choices: Choices, depth: number): Truth {
  const kind = choices.upTo(depth > 0 ? 7 : 5);
  if (kind <= 1) return new NumberText(numberText(choices));
  if (kind === 2) return new NumberText(String(choices.upTo(2000) - 1000));
  if (kind === 3) return choices.of(ODD_TEXTS);
  if (kind === 4) return choices.chance(0.5) ? null : choices.chance(0.5);
  if (kind === 5) return choices.of(FLAVOURS)(choices);
  if (kind === 6) return jsonItems(choices, depth);
  return jsonObject(choices, depth);
}

/** Mostly of one kind, as programs write them. */
function jsonItems(choices: Choices, depth: number): Truth[] {
  if (choices.chance(0.3)) return choices.list(4, () => jsonValue(choices, depth - 1));
  const make = choices.of<() => Truth>([
    () => new NumberText(String(choices.upTo(100) - 50)),
    () => new NumberText(numberText(choices)),
    () => choices.of(ODD_TEXTS),
  ]);
  return choices.list(5, make);
}

function jsonObject(choices: Choices, depth: number): Truth {
  return Object.fromEntries(KEYS.filter(() => choices.chance(0.3)).map((key) => [key, jsonValue(choices, depth - 1)]));
}

export function jsonScenario(choices: Choices): Scenario {
  const format = choices.of(['json', 'ndjson'] as const);
  const header = KEYS.filter(() => choices.chance(0.5));
  if (header.length === 0) header.push('a');
  const makers = header.map((): ((c: Choices) => Truth) =>
    choices.of<(c: Choices) => Truth>([
      (c) => jsonValue(c, 2),
      (c) => jsonItems(c, 1),
      (c) => new NumberText(numberText(c)),
      (c) => new NumberText(String(c.upTo(100) - 50)),
      (c) => c.of(FLAVOURS)(c),
    ]),
  );
  const absent = choices.of([0, 0.2]);
  const rows = Array.from({ length: choices.of([1, 3, 20, 200]) }, () =>
    makers.map((make) => (choices.chance(absent) ? null : make(choices))),
  );
  const space = choices.of(['', ' ']);
  const records = rows.map(
    (row) =>
      `{${row.map((value, i) => `${JSON.stringify(header[i])}${space}:${space}${jsonText(value)}`).join(`,${space}`)}}`,
  );
  const text =
    format === 'json' ? `[${records.join(`,${choices.of(['', '\n'])}`)}]` : records.map((each) => `${each}\n`).join('');
  return { format, content: Buffer.from(text), options: {}, names: header, rows };
}

export function jsonText(value: Truth): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}:${jsonText(each)}`)
    .join(',')}}`;
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');

const STYLES = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="46"/></cellXfs>';
const EPOCH = Date.UTC(1899, 11, 30);

/** A cell and what it shows. */
function sheetCell(choices: Choices): [xml: string, truth: Truth] {
  const inline = (text: string): [string, Truth] => [
    `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`,
    text,
  ];
  return choices.of<() => [string, Truth]>([
    () => {
      const number = choices.of([choices.upTo(1000), choices.upTo(1e9) / 7, -choices.upTo(100) / 4]);
      return [`<c><v>${number}</v></c>`, String(number)];
    },
    () => inline(choices.of(ODD_TEXTS)),
    () => [`<c t="b"><v>1</v></c>`, 'true'],
    () => [`<c t="e"><v>${choices.of(['#N/A', '#DIV/0!'])}</v></c>`, ERROR],
    () => ['<c/>', null],
    () => {
      const serial = 61 + choices.upTo(50_000);
      return [`<c s="1"><v>${serial}</v></c>`, new Date(EPOCH + serial * 86_400_000).toISOString().slice(0, 10)];
    },
    () => {
      const minutes = choices.upTo(10_000);
      const text = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;
      return [`<c s="2"><v>${minutes / 1440}</v></c>`, text];
    },
  ])();
}

/** A cell with an error, which becomes null and is counted. */
export const ERROR = '\u0000error';

export function sheetScenario(choices: Choices): Scenario {
  const header = names(choices);
  const makers = header.map(() => (choices.chance(0.5) ? sheetCell : oneKind(choices)));
  const made = Array.from({ length: choices.of([1, 3, 20, 200]) }, () => makers.map((make) => make(choices)));
  // A row without a value is not read.
  const filled = made.filter((row) => row.some(([, truth]) => truth !== null));
  const xml = filled.map((row, i) => `<row r="${i + 2}">${row.map(([cell]) => cell).join('')}</row>`);
  const title = header.map((name) => `<c t="inlineStr"><is><t>${escaped(name)}</t></is></c>`).join('');
  const sheets = { Hidden: '<row><c><v>1</v></c></row>', Shown: `<row r="1">${title}</row>${xml.join('')}` };
  const content = workbookOf({ sheets, styles: STYLES, hidden: ['Hidden'] });
  return {
    format: 'xlsx',
    content,
    options: {},
    names: header,
    rows: filled.map((row) => row.map(([, truth]) => truth)),
  };
}

/** Cells of one kind, so that the column has a type. */
function oneKind(choices: Choices) {
  const kind = choices.upTo(2);
  return (c: Choices): [string, Truth] => {
    if (kind === 0) {
      const number = c.upTo(1000);
      return [`<c><v>${number}</v></c>`, String(number)];
    }
    if (kind === 1) return c.chance(0.9) ? ['<c t="b"><v>0</v></c>', 'false'] : ['<c t="e"><v>#REF!</v></c>', ERROR];
    const serial = 61 + c.upTo(50_000);
    return [`<c s="1"><v>${serial}</v></c>`, new Date(EPOCH + serial * 86_400_000).toISOString().slice(0, 10)];
  };
}
