import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainColumns } from '../../../../shared/data/files/plain-columns.ts';
import { endIn, isWord, plainValue, typesIn } from '../../../../shared/data/files/plain-values.ts';
import { convertToParquet } from '../../../../shared/data/files/read-file.ts';
import { readAs, TYPE_CASTS, TYPE_TESTS } from '../../../../shared/data/files/text-types.ts';
import { cases } from '../../../support/cases.ts';
import { openTestEngine } from '../engine/open-test-engine.ts';

/** The types by their bits. */
const TYPES = ['integer', 'double', 'date', 'timestamp', 'boolean'];

const PARTS = ['', '0', '1', '9', '29', '.', '-', '+', 'e2', '_', ' ', 'T', ':', '2024-02-', '0000-01-01', '12:34:5'];
const MORE = [
  ...['true', 'False', 'TRUE', 'truex', 't', 'yes', 'inf', 'nan', '0x1F', '-0', '-0.0', '-0.5', '.5', '5.', '007'],
  ...['123456789012345', '1234567890123456', '123456789012345678', '9223372036854775807', '9223372036854775808'],
  ...['0.1234567890123', '1.23456789012345', '2023-02-29', '2024-02-29', '1900-02-29', '2000-02-29', '2026-04-31'],
  ...['9999-12-31', '10000-01-01', '0001-01-01', '2026-1-05', '20a6-01-05', '2026-00-10', '2026-13-01', '2026-01-00'],
  ...['2026-01-05 24:00:00', '2026-01-05T23:59:59', '2026-01-05 10:30:60', '2026-01-05 10:30', '2026-01-05 10:30:00.'],
  ...['2026-01-05 10:30:00.123456', '2026-01-05 10:30:00.1234567', '2026-01-05T10:30:00Z', '0000-01-01 00:00:00'],
];

const TEXTS = [
  ...new Set(PARTS.flatMap((a) => PARTS.flatMap((b) => PARTS.flatMap((c) => PARTS.map((d) => a + b + c + d))))),
  ...MORE,
].filter((text) => text !== '');

/** The types of a text that is the whole value. */
function plainTypesOf(text: string): string[] {
  const bytes = Buffer.from(`${text}\n`);
  const found = plainValue(bytes, 0);
  return endIn(found) === bytes.length - 1 ? TYPES.filter((_, i) => typesIn(found) & (1 << i)) : [];
}

it.each(TYPES)(
  'finds no plain %s that texts could not be, and the engine reads those as its casts do',
  async (type) => {
    const { engine, dir } = await openTestEngine();
    const plain = TEXTS.filter((text) => plainTypesOf(text).includes(type));
    expect(plain.length).toBeGreaterThan(1);
    await writeFile(`${dir}/plain.csv`, `${plain.join('\n')}\n`);
    const test = TYPE_TESTS.find(([tested]) => tested === type)!;
    const read = (as: string) =>
      `read_csv('${dir}/plain.csv', auto_detect = false, columns = {'v': '${as}'}, header = false, delim = ',', parallel = false)`;
    const rows = await engine.run(
      `SELECT t.v, (${test[1]('t.v', readAs('t.v', test))}), r.v IS NOT DISTINCT FROM ${readAs('t.v', test)}
      FROM ${read('VARCHAR')} t POSITIONAL JOIN ${read(TYPE_CASTS[type]!)} r`,
    );
    expect(rows).toEqual(plain.map((text) => [text, true, true]));
  },
);

it('knows texts by their first letter, which begins no value of another type', async () => {
  const { engine, dir } = await openTestEngine();
  const letters = Array.from({ length: 256 }, (_, byte) => byte).filter(isWord);
  expect(String.fromCharCode(...letters)).toBe('ABCDGHIJKLMNOPQRSUVWXYZabcdghijklmnopqrsuvwxyz');
  const rests = ['', ...TEXTS, 'nf', 'nfinity', 'an', 'es', 'rue'];
  const words = letters.flatMap((letter) => rests.map((rest) => String.fromCharCode(letter) + rest));
  await writeFile(`${dir}/words.csv`, `${words.join('\n')}\n`);
  const tests = TYPE_TESTS.map((each) => `count(*) FILTER (${each[1]('v', readAs('v', each))})`);
  const [row] = await engine.run(
    `SELECT count(*), ${tests.join(', ')} FROM read_csv('${dir}/words.csv', auto_detect = false, columns = {'v': 'VARCHAR'}, header = false, delim = '|')`,
  );
  expect(row!.map(Number)).toEqual([words.length, ...TYPE_TESTS.map(() => 0)]);
});

/** A text that occurs nowhere and is to mean null: with it, each value is checked by the engine. */
const CHECKED = { nullValues: ['∅'] };

it('makes the same of a file as a check of each value', async () => {
  const { engine, dir } = await openTestEngine();
  const [path, out] = [`${dir}/file.csv`, `${dir}/out.parquet`];
  const read = async (options: object) => {
    const converted = await convertToParquet(engine, { path, format: 'csv', options }, out).catch(
      ({ message }: Error) => message,
    );
    if (typeof converted === 'string') return converted;
    const { columns, rows, rejected } = converted;
    await engine.attach('out', [out]);
    return { columns, rows, rejected, data: await engine.run('SELECT out::VARCHAR FROM out') };
  };
  const text = fc.constantFrom(
    ...MORE,
    '',
    '',
    '1',
    '2',
    '-3',
    '4.5',
    'a b',
    ' 1',
    '""',
    '"1"',
    '"a""b"',
    '"x\ny"',
    'a"b',
  );
  const plain = fc.constantFrom(
    ['1', '', '-3'],
    ['1.5', '2'],
    ['2026-01-05'],
    ['true', 'FALSE'],
    ['2026-01-05 10:30:00', '"2026-01-05T10:30:01.5"'],
  );
  const column = fc.oneof(
    plain,
    plain,

    text.map((one) => [one]),
    fc.array(text, { minLength: 2, maxLength: 3 }),
  );
  const options = fc.constantFrom({}, {}, { raggedRows: 'pad' }, { raggedRows: 'skip' }, { decimalSeparator: ',' });
  const declared = fc.constantFrom(undefined, undefined, 'integer', 'double', 'date', 'timestamp', 'boolean', 'string');
  const lineEnd = fc.constantFrom('\n', '\n', '\r\n', '\r');
  const file = fc.record({
    columns: fc.array(column, { minLength: 1, maxLength: 3 }),
    extra: fc.constantFrom('', '', '', '9', '9,,,9', '"', '\n'),
    options,
    declared,
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    lineEnd,
    isEnded: fc.boolean(),
  });
  const numRuns = cases(40, 2000);
  let [proven, failed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(file, async ({ columns, extra, options, declared, delimiter, lineEnd, isEnded }) => {
      const names = columns.map((_, i) => `c${i}`);
      const rows = Array.from({ length: 6 }, (_, row) =>
        columns.map((values) => values[row % values.length]).join(delimiter),
      );
      const lines = [names.join(delimiter), ...rows.slice(0, 3), ...(extra ? [extra] : []), ...rows.slice(3)];
      await writeFile(path, lines.join(lineEnd) + (isEnded ? lineEnd : ''));
      const given = { header: true, delimiter, ...options, ...(declared ? { types: { c0: declared } } : {}) };
      const found = await plainColumns(path, { delimiter, quote: '"', header: true, width: names.length });
      const converted = await read(given);
      expect(converted).toEqual(await read({ ...given, ...CHECKED }));
      if (found) proven += 1;
      if (typeof converted === 'string') failed += 1;
    }),
    { numRuns, seed: 5 },
  );
  expect(proven).toBeGreaterThan(numRuns / 8);
  expect(failed).toBeGreaterThan(numRuns / 8);
});

it('reads records that end in another chunk of the file once', async () => {
  const { engine, dir } = await openTestEngine();
  const path = `${dir}/file.csv`;
  const letter = (i: number) => `"${`line ""${i}""\n`.repeat(i % 60)}"`;
  const rows = Array.from(
    { length: 20_000 },
    (_, i) => `${i * 7919},${letter(i)},${i % 5 === 0 ? '' : `${i}.5`},0${i}`,
  );
  await writeFile(path, `id,letter,half,code\n${rows.join('\n')}`);
  const dialect = { delimiter: ',', quote: '"', header: true, width: 4 };
  expect(await plainColumns(path, dialect)).toEqual({
    hasQuotedLines: true,
    types: [['integer', 'double'], [], ['double'], []],
    areTexts: [false, false, false, false],
  });
  const digests = [];
  for (const options of [{}, CHECKED]) {
    await convertToParquet(engine, { path, format: 'csv', options }, `${dir}/out.parquet`);
    await engine.attach('out', [`${dir}/out.parquet`]);
    digests.push(await engine.run('SELECT count(*)::INTEGER, md5(string_agg(out::VARCHAR, chr(10))) FROM out'));
  }
  expect(digests[0]).toEqual([[20_000, expect.any(String)]]);
  expect(digests[0]).toEqual(digests[1]);
});

it.each([
  ['a line that ends otherwise', 'a,b\n1,2\r\n3,4\n'],
  ['a carriage return alone', 'a,b\n1,2\r3,4\n'],
  ['a quote within a value', 'a,b\n1,x"y\n3,4\n'],
  ['text after a closing quote', 'a,b\n1,"x"y\n3,4\n'],
  ['a blank before a quote', 'a,b\n1, "x"\n3,4\n'],
  ['a quote that is not closed', 'a,b\n1,2\n3,"4\n'],
  ['a shorter row', 'a,b\n1,2\n3\n'],
  ['a longer row', 'a,b\n1,2\n3,4,\n'],
  ['a record of megabytes', `a,b\n1,"${'x'.repeat(3_500_000)}"\n`],
  ['texts only', 'a,b\nx,007\n,y\n'],
])('proves nothing of a file with %s', async (_, content) => {
  const { dir } = await openTestEngine();
  await writeFile(`${dir}/file.csv`, content);
  const dialect = { delimiter: ',', quote: '"', header: true, width: 2 };
  expect(await plainColumns(`${dir}/file.csv`, dialect)).toBeUndefined();
});
