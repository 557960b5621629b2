import { expect } from 'vitest';
import { type Shape, sqlOf, waysIn } from './ask.ts';
import { type Asked, answer, type Value } from './brute-force.ts';
import type { TwoEngines } from './two-engines.ts';
import { visibleRows } from './visible-rows.ts';

export const sorted = (rows: readonly (readonly Value[])[]) => rows.map((row) => JSON.stringify(row)).toSorted();

export const rounded = (rows: Value[][]) =>
  rows.map((row) => row.map((value) => (typeof value === 'number' ? Math.round(value * 1e9) / 1e9 : value)));

/** Expects the answer of both engines to be that of joining whole rows. */
export async function expectRight(engines: TwoEngines, schema: string, shape: Shape, asked: Asked): Promise<void> {
  const question = {
    dimensions: asked.dimensions.map((field) => `[${field}]`),
    measures: asked.measures.map(({ field, known }) => known.text(`[${field}]`)),
    filters: asked.filters.map(({ field, atLeast }) => `[${field}] >= ${atLeast}`),
    totals: asked.totals,
  };
  const expected = rounded(answer(visibleRows(shape), asked, waysIn(shape))).map((row) =>
    asked.totals === 'none' ? row.slice(1) : row,
  );
  for (const dialect of ['duckdb', 'postgres'] as const) {
    const sql = sqlOf(schema, shape, question, dialect);
    expect(sorted(await engines[dialect](sql)), `${dialect}\n${sql}`).toEqual(sorted(expected));
  }
}
