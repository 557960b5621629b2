import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cell, csvRows } from '../../../../shared/data/documents/csv-cells.ts';
import type { DocumentSheet } from '../../../../shared/data/documents/documents.ts';
import { fileBaseName, uniqueNames } from '../../../../shared/data/documents/file-names.ts';
import { sheetNames, writeXlsx } from '../../../../shared/data/documents/xlsx.ts';
import { csvLine } from '../../../../shared/data/duckdb/csv-text.ts';
import { spreadsheetCells, spreadsheetHeadings } from '../../../../shared/data/duckdb/spreadsheet-csv.ts';
import { readRows } from '../../../../shared/data/files/xlsx-sheet-rows.ts';
import { openWorkbook } from '../../../../shared/data/files/xlsx-workbook.ts';
import { exportLimits } from '../../../../shared/domains/boards/exports/index.ts';

const ABOUT = {
  title: 'Sales <b>&',
  description: '',
  timezone: 'Europe/Berlin',
  generatedAt: '2026-03-01T10:00:00.000Z',
  filters: ['Region: eu, us', 'Day: last 30 days'],
  truncationNote: 'There are more rows.',
};

const sheet = (types: Record<string, string>, rows: Cell[][], more: Partial<DocumentSheet> = {}): DocumentSheet => ({
  title: 'Orders',
  columns: Object.entries(types).map(([name, type]) => ({ name, type, role: 'dimension' })),
  csv: async () => Readable.from([Buffer.from([Object.keys(types), ...rows].map(csvLine).join(''))]),
  truncated: false,
  asOf: '2026-03-01T09:00:00.000Z',
  timezone: 'Europe/Berlin',
  ...more,
});

/** The cells of each sheet, as the reader of uploaded workbooks sees them. */
async function written(sheets: DocumentSheet[], maxSheetRows?: number): Promise<Record<string, Cell[][]>> {
  const folder = await mkdtemp(join(tmpdir(), 'xlsx-'));
  try {
    const path = join(folder, 'book.xlsx');
    await writeXlsx(path, sheets, ABOUT, { maxSheetRows });
    const workbook = await openWorkbook(path);
    try {
      const read: Record<string, Cell[][]> = {};
      for (const each of workbook.sheets) {
        const rows: Cell[][] = [];
        await readRows(workbook, each, (_, cells) => rows.push([...cells]));
        read[each.name] = rows;
      }
      return read;
    } finally {
      workbook.parts.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('CSV', () => {
  it('is read as it was written, wherever its pieces end', async () => {
    const cell = fc.option(fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', 'é', '😀', ' ') }), {
      nil: null,
    });
    const row = fc.array(cell, { minLength: 2, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        async (rows, size) => {
          const bytes = Buffer.from(rows.map(csvLine).join(''));
          async function* pieces() {
            for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
          }
          const read: Cell[][] = [];
          for await (const batch of csvRows(pieces())) read.push(...batch);
          expect(read).toEqual(rows);
        },
      ),
    );
  });

  it('for a spreadsheet has no formulas, keeps numbers, and names the time zone', () => {
    const columns = ['string', 'integer', 'timestamptz'].map((type, at) => ({ name: `=c${at}`, type }));
    const cells = spreadsheetCells(columns);
    for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])
      expect(cells([formula, '-5', '-0043-01-01T00:00:00.000Z'])).toEqual([
        `'${formula}`,
        '-5',
        '-0043-01-01T00:00:00.000Z',
      ]);
    expect(cells(['a=1', null, ''])).toEqual(['a=1', null, '']);
    expect(spreadsheetHeadings(columns, { timezone: 'Asia/Tokyo' })).toEqual(["'=c0", "'=c1", "'=c2 (Asia/Tokyo)"]);
  });
});

describe('names', () => {
  it.each([
    ['Sales / "EU": 1', 'Sales EU 1'],
    ['..\\..\\etc', 'etc'],
    ['\u202exslx.exe\u0000', 'xslx.exe'],
    [' . ', 'File'],
    ['売上 📈', '売上 📈'],
    ['x'.repeat(200), 'x'.repeat(100)],
  ])('of a file: %j', (name, expected) => expect(fileBaseName(name, 'File')).toBe(expected));

  it('are unique, whatever their case', () => {
    expect(uniqueNames(['a', 'A', 'b', 'a'])).toEqual(['a', 'A (2)', 'b', 'a (3)']);
  });

  it('of sheets are those that Excel takes', () => {
    const names = sheetNames([
      "'Sales' [EU]: 1/2",
      'History',
      '',
      'x'.repeat(40),
      `${'x'.repeat(31)}y`,
      '😀'.repeat(20),
    ]);
    expect(names.slice(0, 3)).toEqual(["Sales' EU 1 2", 'Card 2', 'Card 3']);
    for (const name of names) {
      expect(name.length).toBeLessThanOrEqual(31);
      expect(name.isWellFormed()).toBe(true);
    }
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });
});

describe('a workbook', () => {
  it('has cells of the types of the columns, and texts that are not formulas', async () => {
    const types = {
      name: 'string',
      n: 'integer',
      amount: 'decimal(20,2)',
      day: 'date',
      at: 'timestamptz',
      paid: 'boolean',
    };
    const rows: Cell[][] = [
      ['=1+1 <b>&"', '5', '1250.50', '2026-03-29', '2026-03-29T03:30:00.000+02:00', 'true'],
      [
        '_x0041_ \u0001é 😀 \ud800',
        '9007199254740993',
        '123456789012345678.90',
        '1899-12-31',
        '0044-01-01T00:00:00.000Z',
        'false',
      ],
      [null, null, null, null, null, null],
      ['cents', null, '12345678901234.560', null, null, null],
      ['', '-1', '-0.01', '1900-03-01', '2026-01-01T00:00:00.000+01:00', null],
    ];
    const book = await written([sheet(types, rows)]);
    expect(Object.keys(book)).toEqual(['Orders', 'Notes']);
    const [headings, ...cells] = book.Orders!;
    expect(headings).toEqual(['name', 'n', 'amount', 'day', 'at (Europe/Berlin)', 'paid']);
    expect(cells[0]!.slice(0, 3)).toEqual(['=1+1 <b>&"', '5', '1250.5']);
    expect(cells[0]![3]).toMatch(/^2026-03-29/);
    expect(cells[0]![4]).toMatch(/^2026-03-29.03:30:00/);
    // Excel shows `_x005F_` as an underscore; the reader shows texts as they are stored.
    expect(cells[1]!.slice(0, 4)).toEqual([
      '_x005F_x0041_ é 😀 \ufffd',
      '9007199254740993',
      '123456789012345678.90',
      '1899-12-31',
    ]);
    // Excel would show 12345678901234.6 for such decimals.
    expect(cells.at(-2)![2]).toBe('12345678901234.560');
    expect(cells.at(-1)!.slice(1, 3)).toEqual(['-1', '-0.01']);
    expect(book.Notes!.flat()).toEqual(
      expect.arrayContaining([
        ...['Sales <b>&', 'Europe/Berlin', '5 rows as of 1 March 2026 at 10:00'],
        ...['Filters', 'Region: eu, us', 'Day: last 30 days'],
      ]),
    );
  });

  it('continues on another sheet, cuts long texts, and says what is missing', async () => {
    const many = Array.from({ length: 5 }, (_, at) => [String(at)]);
    const long = sheet({ text: 'string' }, [['x'.repeat(40_000)]], {
      title: 'Orders',
      truncated: true,
      ignoredFilters: ['region'],
    });
    const failed = sheet({}, [], { title: 'Broken', csv: undefined, problem: 'The source is down.' });
    const book = await written([sheet({ n: 'integer' }, many), long, failed], 2);
    expect(Object.keys(book)).toEqual(['Orders', 'Orders (2)', 'Orders (3)', 'Orders (4)', 'Broken', 'Notes']);
    expect(['Orders', 'Orders (2)', 'Orders (3)'].map((name) => book[name])).toEqual([
      [['n'], ['0'], ['1']],
      [['n'], ['2'], ['3']],
      [['n'], ['4']],
    ]);
    expect(book['Orders (4)']![1]![0]).toHaveLength(32_767);
    expect(book.Broken).toEqual([['Error'], ['The source is down.']]);
    expect(book.Notes!.map((row) => row[1])).toEqual(
      expect.arrayContaining([
        'There are more rows.',
        'Texts cut to 32,767 characters, the maximum of a cell: 1',
        'Filters that do not apply to this card: region',
        'Error: The source is down.',
      ]),
    );
  });

  it('is not written if its rows cannot be read to the end', async () => {
    const csv = async () =>
      Readable.from(
        (async function* () {
          yield Buffer.from(csvLine(['n']));
          throw new Error('The connection was lost.');
        })(),
      );
    await expect(written([sheet({ n: 'integer' }, [], { csv })])).rejects.toThrow('The connection was lost.');
  });

  it('is not written further than its limits allow', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'xlsx-'));
    const random = () => Array.from({ length: 2_000 }, () => [crypto.randomUUID()]);
    async function* endless() {
      yield Buffer.from(csvLine(['id']));
      for (;;) yield Buffer.from(random().map(csvLine).join(''));
    }
    const sheets = [sheet({ id: 'string' }, [], { csv: async () => Readable.from(endless()) })];
    const write = ({ check }: Pick<ReturnType<typeof exportLimits>, 'check'>) =>
      writeXlsx(join(folder, 'book.xlsx'), sheets, ABOUT, { check });
    try {
      const maxBytes = 100_000;
      await expect(write(exportLimits({ timeoutMs: 1, maxBytes }, () => 0))).rejects.toMatchObject({
        code: 'RESULT_TOO_LARGE',
      });
      let passedMs = 0;
      await expect(write(exportLimits({ timeoutMs: 5 }, () => passedMs++))).rejects.toMatchObject({
        code: 'EXPORT_TOO_SLOW',
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
