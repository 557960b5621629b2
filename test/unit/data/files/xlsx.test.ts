import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { convertToParquet, inspectFile } from '../../../../shared/data/files/read-file.ts';
import { dateKindOf, dateText } from '../../../../shared/data/files/xlsx-dates.ts';
import { workbookOf } from '../../../support/workbook.ts';
import { openTestEngine, rowsOf } from '../engine/open-test-engine.ts';

async function read(content: Uint8Array, options: object = {}) {
  const { engine, dir } = await openTestEngine();
  await writeFile(`${dir}/file`, content);
  const source = { path: `${dir}/file`, format: 'xlsx' as const, options };
  const { columns, changes } = await convertToParquet(engine, source, `${dir}/out.parquet`);
  await engine.attach('out', [`${dir}/out.parquet`]);
  return {
    columns: columns.map(({ name, type }) => `${name} ${type}`),
    rows: await rowsOf(engine, 'SELECT * FROM out'),
    ...(changes ? { changes } : {}),
  };
}

const STYLES =
  '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="165" formatCode="&quot;day&quot; 0.00"/></numFmts>' +
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs>';

const ORDERS =
  '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="inlineStr"><is><t>at</t></is></c><c r="D2" t="str"><f>"no"&amp;"te"</f><v>note</v></c><c r="E2" t="inlineStr"><is><t>paid</t></is></c></row>' +
  '<row r="3"><c r="A3"><v>1</v></c><c r="B3" s="1"><v>45292</v></c><c r="C3" s="2"><v>45292.5</v></c><c r="D3" t="s"><v>2</v></c><c r="E3" t="b"><v>1</v></c></row>' +
  '<row r="9"><c r="A9" s="3"><f>1+1</f><v>2</v></c><c r="B9" s="1"><v>1</v></c><c r="D9" t="e"><v>#N/A</v></c><c r="E9" t="b"><v>0</v></c></row>';

const STRINGS =
  '<si><t>id</t></si><si><r><t>da</t></r><r><t>y</t></r><rPh><t>no</t></rPh></si><si><t>a "b",&#10;ü</t></si>';

describe('an Excel workbook', () => {
  it('gives the rows of its first sheet with their types', async () => {
    const { columns, rows, changes } = await read(
      workbookOf({ sheets: { Orders: ORDERS }, strings: STRINGS, styles: STYLES }),
    );
    expect(columns).toEqual(['id integer', 'day date', 'at timestamp', 'note string', 'paid boolean']);
    expect(rows).toEqual([
      [1, '2024-01-01', '2024-01-01T12:00:00.000Z', 'a "b",\nü', true],
      [2, '1900-01-01', null, null, false],
    ]);
    expect(changes).toEqual([{ column: 'note', nulls: 1, rounded: 0, examples: [{ row: 9, value: '#N/A' }] }]);
  });

  it('keeps rows that have only errors, and counts the errors', async () => {
    const name = '<row r="1"><c t="inlineStr"><is><t>a</t></is></c></row>';
    const error = (row: number, text: string) => `<row r="${row}"><c t="e"><v>${text}</v></c></row>`;
    const one = workbookOf({
      sheets: { S: `${name}<row r="2"><c><v>1</v></c></row>${error(3, '#N/A')}${error(4, '#REF!')}` },
    });
    expect(await read(one)).toEqual({
      columns: ['a integer'],
      rows: [[1], [null], [null]],
      changes: [
        {
          column: 'a',
          nulls: 2,
          rounded: 0,
          examples: [
            { row: 3, value: '#N/A' },
            { row: 4, value: '#REF!' },
          ],
        },
      ],
    });
    expect((await read(workbookOf({ sheets: { S: name + error(2, '#N/A') } }))).changes).toMatchObject([
      { column: 'a', nulls: 1, isEmptied: true },
    ]);
  });

  it('reads durations as hours, minutes and seconds, however many hours', async () => {
    const styles = '<cellXfs><xf numFmtId="46"/></cellXfs>';
    const rows = [1.5, 0.25, 400, -1.0625, 0].map((days) => `<row><c s="0"><v>${days}</v></c></row>`).join('');
    const { columns, rows: found } = await read(workbookOf({ sheets: { S: rows }, styles }), { header: false });
    expect(columns).toEqual(['column_1 string']);
    expect(found.flat()).toEqual(['36:00:00', '06:00:00', '9600:00:00', '-25:30:00', '00:00:00']);
  });

  it('counts numbers that are no dates although they are shown as dates', async () => {
    const rows = [45292, -5].map((days) => `<row><c s="1"><v>${days}</v></c></row>`).join('');
    expect(await read(workbookOf({ sheets: { S: rows }, styles: STYLES }), { header: false })).toMatchObject({
      rows: [['2024-01-01'], [null]],
      changes: [{ column: 'column_1', nulls: 1, examples: [{ row: 2, value: '-5' }] }],
    });
  });

  it('skips hidden sheets unless they are named, and lists its sheets', async () => {
    const sheets = {
      Hidden: '<row><c><v>1</v></c></row>',
      Shown: '<row><c><v>2</v></c></row>',
    };
    const book = workbookOf({ sheets, hidden: ['Hidden'] });
    expect((await read(book, { header: false })).rows).toEqual([[2]]);
    expect((await read(book, { header: false, sheet: 'Hidden' })).rows).toEqual([[1]]);
    const all = workbookOf({ sheets, hidden: ['Hidden', 'Shown'] });
    expect((await read(all, { header: false })).rows).toEqual([[1]]);
    const { engine, dir } = await openTestEngine();
    await writeFile(`${dir}/file`, book);
    const found = await inspectFile(engine, `${dir}/file`, {
      format: 'xlsx',
      options: { header: false, sheet: 'Hidden' },
    });
    expect(found).toMatchObject({
      rowsJson: '[[1]]',
      sheets: [
        { name: 'Hidden', isHidden: true },
        { name: 'Shown', isHidden: false },
      ],
    });
  });

  it('has sheets to choose from, rows to begin at, and may have no names', async () => {
    const sheets = {
      One: '<row><c><v>1</v></c></row>',
      Two: '<row r="1"><c t="inlineStr"><is><t>a title</t></is></c></row><row r="4"><c><v>5</v></c><c><v>6</v></c></row><row r="5"><c r="A5"><v>7</v></c><c r="C5"><v>8</v></c></row>',
    };
    const book = workbookOf({ sheets });
    expect(await read(book, { sheet: 'two', header: false, headerRow: 4 })).toEqual({
      columns: ['column_1 integer', 'column_2 integer', 'column_3 integer'],
      rows: [
        [5, 6, null],
        [7, null, 8],
      ],
    });
    await expect(read(book, { sheet: 'Three' })).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: 'The workbook has no sheet "Three"; it has "One", "Two".',
    });
  });

  it('counts days from 1904 where it says so', async () => {
    const rows = '<row><c t="inlineStr"><is><t>d</t></is></c></row><row><c s="1"><v>0</v></c></row>';
    const { rows: found } = await read(workbookOf({ sheets: { S: rows }, styles: STYLES, date1904: true }));
    expect(found).toEqual([['1904-01-01']]);
  });

  it('shows its columns and first rows without being read whole', async () => {
    const { engine, dir } = await openTestEngine();
    const rows = Array.from({ length: 60_000 }, (_, i) => `<row><c><v>${i}</v></c></row>`).join('');
    await writeFile(`${dir}/file`, workbookOf({ sheets: { S: rows } }));
    const found = await inspectFile(engine, `${dir}/file`, {
      format: 'xlsx',
      options: { header: false },
      sampleRows: 2,
    });
    expect(found).toMatchObject({ columns: [{ name: 'column_1', type: 'integer' }], rowsJson: '[[0],[1]]' });
  });

  it.each([
    ['is empty', Buffer.alloc(0), 'The file is empty.'],
    ['is no archive', Buffer.from('a,b\n1,2\n'), 'The file is not an Excel workbook.'],
    ['breaks off', workbookOf({ sheets: { S: ORDERS }, strings: STRINGS }).subarray(0, 700), 'The workbook is damaged'],
    ['is another archive', workbookOf({ sheets: {} }), 'The workbook has no sheets with cells.'],
    ['has an empty sheet', workbookOf({ sheets: { S: '' } }), 'The sheet "S" is empty.'],
    ['is no XML', workbookOf({ sheets: { S: '<row><c>' } }), 'is not well-formed XML'],
    [
      'declares entities',
      workbookOf({
        sheets: { S: '' },
        parts: {
          'xl/worksheets/sheet1.xml':
            '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&e;</t></is></c></row></sheetData></worksheet>',
        },
      }),
      'document type',
    ],
    [
      'is a ZIP bomb',
      workbookOf({ sheets: { S: '' }, parts: { 'xl/worksheets/sheet1.xml': ' '.repeat(40 * 1024 * 1024) } }),
      'as a ZIP bomb does',
    ],
    [
      'is too wide',
      workbookOf({ sheets: { S: '<row r="1"><c r="XFD1"><v>1</v></c></row>' } }),
      'Row 1: the sheet has more than 2000 columns.',
    ],
    [
      'refers to a text that it has not',
      workbookOf({ sheets: { S: '<row r="7"><c t="s"><v>5</v></c></row>' } }),
      'Row 7: a cell refers to a text that is missing from the workbook.',
    ],
  ])('is refused with the reason when it %s', async (_, content, message) => {
    await expect(read(content)).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining(message),
    });
  });
});

describe('the number format of a cell', () => {
  it.each([
    [14, undefined, 'date'],
    [22, undefined, 'moment'],
    [45, undefined, 'time'],
    [46, undefined, 'duration'],
    [47, undefined, 'time'],
    [0, undefined, undefined],
    [4, undefined, undefined],
    [164, 'd/m/yy', 'date'],
    [164, '[$-409]mmmm\\ d\\,\\ yyyy;@', 'date'],
    [164, '[h]:mm:ss', 'duration'],
    [164, '[mm]:ss', 'duration'],
    [164, 'yyyy-mm-dd"T"hh:mm', 'moment'],
    [164, '[Red]0.00', undefined],
    [164, '"days" 0', undefined],
    [164, '#,##0 "m"', undefined],
    [164, 'General', undefined],
  ])('%i %s is %s', (id, code, kind) => {
    expect(dateKindOf(id, code)).toBe(kind);
  });

  it('turns numbers into dates to the millisecond', () => {
    expect(dateText(59, 'date', false)).toBe('1900-02-28');
    expect(dateText(61, 'date', false)).toBe('1900-03-01');
    expect(dateText(45292.000011574, 'moment', false)).toBe('2024-01-01 00:00:01');
    expect(dateText(0.5, 'time', false)).toBe('12:00:00');
    expect(dateText(-1, 'date', false)).toBeNull();
  });
});

describe('a compressed text', () => {
  async function inspect(content: Uint8Array) {
    const { engine, dir } = await openTestEngine();
    await writeFile(`${dir}/file`, content);
    return inspectFile(engine, `${dir}/file`, { format: 'csv', compression: 'gzip' });
  }

  it('is read as what it holds', async () => {
    expect((await inspect(gzipSync('a,b\n1,x\n'))).rowsJson).toBe('[[1,"x"]]');
  });

  it.each([
    ['is none', Buffer.from('a,b\n1,2\n'), 'The file is damaged or not gzip.'],
    ['breaks off', gzipSync('a,b\n1,2\n').subarray(0, -10), 'The file is damaged or not gzip.'],
    ['is a bomb', gzipSync(Buffer.alloc(96 * 1024 * 1024)), 'as a gzip bomb does'],
    ['holds something else', gzipSync('PAR1 and more'), 'The file is not CSV but Parquet.'],
  ])('is refused with the reason when it %s', async (_, content, message) => {
    await expect(inspect(content)).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining(message),
    });
  });
});
