import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { castReading, TEXT_READING } from '../../../../shared/data/connectors/rows/text-readings.ts';
import { writeTyped } from '../../../../shared/data/connectors/rows/text-rows.ts';
import { scanLines } from '../../../../shared/data/duckdb/csv-lines.ts';
import { convertToParquet } from '../../../../shared/data/files/read-file.ts';
import { openTestEngine } from '../engine/open-test-engine.ts';

const LINES = [
  'Dear Sir or Madam,',
  'we write to you, once more, about the order.',
  'It came late',
  'and, what is worse, broken.',
  '',
  'Regards, Ada',
];
const letter = (i: number) => Array.from({ length: 3 + (i % 5) }, (_, g) => LINES[((g + 1) * 7 + i) % 6]).join('\n');
const letters = (count: number, row: (i: number, text: string) => string) =>
  Array.from({ length: count }, (_, i) => row(i + 1, letter(i + 1))).join('');

describe('lines within quotes', () => {
  const COUNT = 120_000;

  it('are no rows, in an uploaded file and in what a database sends', async () => {
    const { engine, dir } = await openTestEngine();
    const [path, out] = [`${dir}/letters.csv`, `${dir}/out.parquet`];
    await writeFile(
      path,
      letters(COUNT, (i, text) => `${i},"${text}"\n`),
    );
    const options = { header: false };
    expect((await convertToParquet(engine, { path, format: 'csv', options }, out)).rows).toBe(COUNT);
    const columns = [
      { name: 'id', ...castReading('integer') },
      { name: 'body', ...TEXT_READING },
    ];
    const sent = await writeTyped(engine, path, { columns, cursor: undefined, nullCursorRows: 0 }, out);
    expect(sent).toMatchObject({ rows: COUNT, changes: [] });
    await engine.attach('out', [out]);
    expect(await engine.run('SELECT sum(id)::VARCHAR FROM out')).toEqual([[String((COUNT * (COUNT + 1)) / 2)]]);
  });

  it('hide no bad row, and make none, where those are left out', async () => {
    const { engine, dir } = await openTestEngine();
    const path = `${dir}/letters.csv`;
    await writeFile(
      path,
      letters(COUNT, (i, text) => (i % 1000 === 0 ? `${i}\n` : `${i},"${text}"\n`)),
    );
    const options = { header: false, raggedRows: 'skip' as const };
    expect(await convertToParquet(engine, { path, format: 'csv', options }, `${dir}/out.parquet`)).toMatchObject({
      rows: COUNT - COUNT / 1000,
      rejected: { rows: COUNT / 1000 },
    });
  });

  it('are found, and so is a quote that is left open', async () => {
    const { dir } = await openTestEngine();
    const filler = 'a,"b ""c"" d",e\r\n'.repeat(600_000);
    const plain = 'a,b c,d\n'.repeat(1_200_000);
    for (const [name, content, expected, options] of [
      ['small', 'a,"b\nc"\n', { hasQuotedLines: false }],
      ['small, wanted all the same', 'a,"b\nc"\nd, "e\n', { hasQuotedLines: true, openQuoteLine: 3 }, { minBytes: 0 }],
      ['none', filler, { hasQuotedLines: false }],
      ['none, and no quotes', `${plain}a,5" pipe,x\n`, { hasQuotedLines: false }],
      ['at the end', `${filler}a,"b\nc",d\r\n`, { hasQuotedLines: true }],
      ['a carriage return', `${filler}a,"b\rc",d\r\n`, { hasQuotedLines: true }],
      ['after a doubled quote', `${filler}a,"b""\nc",d\r\n`, { hasQuotedLines: true }],
      ['after others', `${plain}a, "b\nc",d\n`, { hasQuotedLines: true }],
      ['another quote', `${filler}a,'b\nc',d\r\n`, { hasQuotedLines: true }, { quote: "'" }],
      ['another delimiter', `${filler}a;"b\nc";d\r\n`, { hasQuotedLines: true }, { delimiter: ';' }],
      ['never quoted', `${filler}a,"b\nc",d\r\n`, { hasQuotedLines: false }, { quote: '' }],
      ['open', `${filler}a,"b,c`, { hasQuotedLines: false, openQuoteLine: 600_001 }],
      ['open for long', `a,"${plain}`, { hasQuotedLines: true, openQuoteLine: 1 }],
    ] as const) {
      const path = `${dir}/${name}`;
      await writeFile(path, content);
      const { longestRow, ...found } = await scanLines(path, options);
      expect([name, found]).toEqual([name, expected]);
      expect(longestRow >= (name === 'open for long' ? content.length : 1)).toBe(true);
    }
  });

  it('do not hide that the last quote is open, be the file large or padded', async () => {
    const { engine, dir } = await openTestEngine();
    const whole = letters(COUNT, (i, text) => `${i},"${text}"\n`);
    for (const [name, content, options] of [
      ['large', `${whole}1,"open\n`, {}],
      ['small', `1,x\n2,"open`, { raggedRows: 'pad' }],
      ['left out', `${whole}1,"open\n`, { raggedRows: 'skip' }],
    ] as const) {
      await writeFile(`${dir}/${name}`, content);
      const source = { path: `${dir}/${name}`, format: 'csv', options: { header: false, ...options } } as const;
      await expect(convertToParquet(engine, source, `${dir}/out.parquet`), name).rejects.toMatchObject({
        code: 'FILE_UNREADABLE',
        message: expect.stringMatching(/^Line \d+: a quote is not closed/),
      });
    }
  });
});
