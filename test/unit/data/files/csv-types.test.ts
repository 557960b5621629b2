import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { convertToParquet } from '../../../../shared/data/files/read-file.ts';
import { cases } from '../../../support/cases.ts';
import { openTestEngine } from '../engine/open-test-engine.ts';

/** More than the rows that the types are guessed from. */
const ALIKE = 4_100;
const USUAL = ['7', '2.5', 'true', '2026-01-05', '2026-01-05 10:30:00', '2026-01-05T10:30:00Z', 'text', ''];
const ODD = [
  ...USUAL,
  ...['007', '+5', '-0', ' 12', '12 ', '\t3', '1_000', '1e3', '1E-5', '.5', '5.', '12.50', '9223372036854775808'],
  ...['-9223372036854775808', '123456789012345678', '0.1234567890123456789', 'nan', 'inf', '-inf', 'Infinity'],
  ...[
    'TRUE',
    'f',
    'yes',
    ' false',
    '0x10',
    '1,5',
    '"',
    '""',
    ' ',
    '  ',
    'NULL',
    '2026-1-5',
    '2026-02-30',
    '0001-01-01',
  ],
  ...[
    '2026-01-05 24:00:00',
    '2026-01-05 10:30',
    '2026-01-05 10:30:00.1234567',
    '2026-01-05 10:30:00+02',
    '294247-01-10',
  ],
];
const cell = (text: string) => (/[",\n]|^$/.test(text) && text !== '' ? `"${text.replaceAll('"', '""')}"` : text);

it('has the same rows and types whether its types are proven first or while it is read', async () => {
  const { engine, dir } = await openTestEngine();
  const [path, out] = [`${dir}/file.csv`, `${dir}/out.parquet`];
  const read = async (filter?: string) => {
    const { columns, rows } = await convertToParquet(
      engine,
      { path, format: 'csv', options: { header: true }, ...(filter === undefined ? {} : { filter }) },
      out,
    );
    await engine.attach('out', [out]);
    const [[digest] = []] = await engine.run('SELECT md5(string_agg(out::VARCHAR, chr(10))) FROM out');
    return { columns, rows, digest };
  };
  const column = fc.record({
    usual: fc.constantFrom(...USUAL),
    odd: fc.array(fc.constantFrom(...ODD), { minLength: 3, maxLength: 3 }),
    isOdd: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(column, { minLength: 1, maxLength: 4 }), async (columns) => {
      const names = columns.map((_, i) => `c${i}`);
      const alike = columns.map(({ usual }) => cell(usual)).join(',');
      const odd = [0, 1, 2].map((row) =>
        columns.map(({ usual, odd: values, isOdd }) => cell(isOdd ? values[row]! : usual)).join(','),
      );
      // A number in front, since a line without any text would be no row of a file of one column.
      const lines = [alike, ...Array.from({ length: ALIKE - 1 }, () => alike), ...odd].map((line, i) => `${i},${line}`);
      await writeFile(path, `n,${names.join(',')}\n${lines.join('\n')}\n`);
      // A condition, even one that every row meets, has the types proven first.
      expect(await read()).toEqual(await read('true'));
    }),
    { numRuns: cases(10, 40), seed: 11 },
  );
});

it('has no infinite dates, which other readers of Parquet cannot show', async () => {
  const { engine, dir } = await openTestEngine();
  await writeFile(`${dir}/file.csv`, 'a,b\ninfinity,2026-01-05\n-infinity,infinity\n');
  const { columns } = await convertToParquet(
    engine,
    { path: `${dir}/file.csv`, format: 'csv', options: { header: true } },
    `${dir}/out.parquet`,
  );
  expect(columns).toEqual([
    { name: 'a', type: 'string' },
    { name: 'b', type: 'string' },
  ]);
});
