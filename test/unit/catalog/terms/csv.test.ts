import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readCell,
  readCsv,
  TERM_COLUMNS,
  type TermColumn,
  writeTerms,
} from '../../../../shared/domains/catalog/terms/imports/csv.ts';

const CHARACTERS = [
  'a',
  'Z',
  '7',
  ' ',
  "'",
  '"',
  ',',
  '|',
  '\\',
  '\n',
  '\r',
  '\t',
  '=',
  '+',
  '-',
  '@',
  ';',
  'é',
  'ع',
  '\u202e',
  '🙂',
];
const text = fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength: 1, maxLength: 12 });
const filled = text.filter((value) => value.trim() !== '');
const list = fc.array(filled, { maxLength: 4 });
const nullable = fc.option(text, { nil: null });

const term = fc.record({
  id: fc.uuid(),
  name: filled,
  abbreviation: fc.option(filled, { nil: null }),
  definition: filled,
  status: fc.constantFrom('draft' as const, 'in_review' as const, 'approved' as const, 'deprecated' as const),
  synonyms: list,
  hiddenSynonyms: list,
  examples: fc.oneof(nullable, fc.constant('')),
  tags: list,
  exactMatch: list,
  ownerIds: list,
  reviewerIds: list,
  broader: list,
  related: list,
  replacedBy: list,
});

const COLUMNS = Object.keys(TERM_COLUMNS) as TermColumn[];

function readTerms(csv: string): unknown[] {
  const [heading, ...rows] = readCsv(csv).rows;
  expect(heading!.map((cell) => cell.text)).toEqual(COLUMNS);
  return rows.map((cells) =>
    Object.fromEntries(COLUMNS.map((column, index) => [TERM_COLUMNS[column], readCell(column, cells[index]!.text)])),
  );
}

describe('a glossary as CSV', () => {
  it('reads back as it was written, whatever the texts contain', () => {
    fc.assert(
      fc.property(fc.array(term, { maxLength: 5 }), (terms) => {
        expect(readTerms(writeTerms(terms))).toEqual(terms);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has no cell that a spreadsheet takes for a formula', () => {
    fc.assert(
      fc.property(fc.array(term, { maxLength: 3 }), (terms) => {
        const cells = readCsv(writeTerms(terms)).rows.flat();
        for (const cell of cells) expect(cell.text ?? '').not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });

  it('says where each cell is, also after line breaks in quotes', () => {
    const { rows } = readCsv('name,definition\r\n"a\nb","x ""y"""\n\nc,\n');
    expect(rows.map((row) => row.map((cell) => [cell.text, cell.line, cell.column]))).toEqual([
      [
        ['name', 1, 1],
        ['definition', 1, 6],
      ],
      [
        ['a\nb', 2, 1],
        ['x "y"', 3, 4],
      ],
      [
        ['c', 5, 1],
        [null, 5, 3],
      ],
    ]);
    expect(readCsv('name\n"never').open).toMatchObject({ line: 2, column: 1 });
  });

  it('drops empty items of lists, and knows `|` in items', () => {
    expect(readCell('synonyms', ' | a||b\\|c|\\\\ ')).toEqual([' a', 'b|c', '\\ ']);
    expect(readCell('status', ' Approved ')).toBe('approved');
    expect([readCell('abbreviation', null), readCell('tags', null), readCell('examples', '')]).toEqual([null, [], '']);
  });
});
