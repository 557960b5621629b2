import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { DATASETS } from '../../../../shared/domains/semantics/models/index.ts';
import {
  compileOverRows,
  modelOfTable,
  type QuestionInput,
} from '../../../../shared/domains/semantics/questions/index.ts';

const AT = '2026-01-01T00:00:00Z';
const definition = modelOfTable({
  ...{ id: 'sales', workspaceId: 'w', name: '#rows', sourceId: DATASETS, alias: 'rows', revision: 1 },
  ...{ createdBy: 'u', updatedBy: 'u', createdAt: AT, updatedAt: AT },
  columns: [
    { name: 'day', type: 'date' },
    { name: 'shop', type: 'string' },
    { name: 'amount', type: 'integer' },
  ],
});

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ memoryLimitMb: 300, threads: 1, tempDir: tmpdir() });
  await engine.run(`CREATE TABLE "#rows" AS SELECT * FROM (VALUES (DATE '2026-01-05', 'a', 1), (DATE '2026-02-05', 'a', 2),
    (DATE '2026-02-06', 'b', 3), (NULL, 'b', 4)) AS t("day", shop, amount)`);
});
afterAll(() => engine.close());

const MONTH = { fieldId: 'day', grain: 'month', label: 'Month' } as const;
const SHOP = { fieldId: 'shop', label: 'Shop' };

async function rowsOf(asked: Partial<QuestionInput>): Promise<unknown[][]> {
  const input: QuestionInput = {
    ...{ dimensions: [], measures: [], filters: [], resultFilters: [], sort: [], totals: 'none', limit: 10 },
    ...{ timezone: 'UTC', ...asked },
  };
  const clock = { now: new Date(AT), timezone: 'UTC' };
  const { sql } = compileOverRows(definition, input, { dialect: 'duckdb', clock });
  const rows = await engine.run(sql);
  return JSON.parse(JSON.stringify(rows)) as unknown[][];
}

describe('a question from its end', () => {
  const measures = [{ fieldId: 'amount', aggregation: 'sum', label: 'Amount' } as const];

  it('has the last rows of its order first, and nulls last', async () => {
    const months = async (more: object) =>
      (await rowsOf({ dimensions: [MONTH, SHOP], measures, isFromEnd: true, ...more })).map((row) => row.slice(0, 2));
    expect(await months({})).toEqual([
      ['2026-02-01', 'b'],
      ['2026-02-01', 'a'],
      ['2026-01-01', 'a'],
      [null, 'b'],
    ]);
    expect(await months({ sort: [{ column: 'Shop', direction: 'asc' }] })).toEqual([
      ['2026-02-01', 'b'],
      [null, 'b'],
      ['2026-02-01', 'a'],
      ['2026-01-01', 'a'],
    ]);
  });
});

describe('a part of a question', () => {
  const measures = [
    { expression: 'SUM([amount])', label: 'Amount' },
    { expression: `PRIOR(SUM([amount]), 'month')`, label: 'Before' },
    { expression: `SUM([amount]) - COALESCE(TRAILING(SUM([amount]), 'month', 2), 0)`, label: 'Change' },
    { expression: 'CUMULATIVE(SUM([amount]))', label: 'To date' },
  ];
  const numbers = (rows: unknown[][]) =>
    rows.map((row) => row.map((value) => (/^-?\d+$/.test(String(value)) ? Number(value) : value)));

  it('has values of other periods if it has the time of the whole', async () => {
    expect(numbers(await rowsOf({ dimensions: [MONTH], measures, time: 'Month' }))).toEqual([
      ['2026-01-01', 1, null, 0, 1],
      ['2026-02-01', 5, 1, -1, 6],
      [null, 4, null, 4, 4],
    ]);
  });

  it('has its totals over all periods if it lacks the time, and the same groups', async () => {
    expect(numbers(await rowsOf({ dimensions: [SHOP], measures, time: 'Month' }))).toEqual([
      ['a', 3, null, 3, 3],
      ['b', 7, null, 7, 7],
    ]);
    expect(numbers(await rowsOf({ dimensions: [SHOP], measures: measures.slice(1, 2), time: 'Month' }))).toEqual([
      ['a', null],
      ['b', null],
    ]);
    // Another dimension of time is not that of the whole.
    const year = { ...MONTH, grain: 'year', label: 'Year' } as const;
    expect(numbers(await rowsOf({ dimensions: [year], measures, time: 'Month' }))).toEqual([
      ['2026-01-01', 6, null, 6, 6],
      [null, 4, null, 4, 4],
    ]);
    await expect(rowsOf({ dimensions: [SHOP], measures })).rejects.toMatchObject({ code: 'QUESTION_UNANSWERABLE' });
  });
});
