import { describe, expect, it } from 'vitest';
import { cases } from '../../../support/cases.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { type LoadedDataset, useLoadRoom } from './load-setup.ts';
import {
  type HistoryRow,
  historyAfter,
  type InputRow,
  randomHistoryLoad,
  randomLoad,
  rowsAfter,
  type StoredRow,
} from './random-loads.ts';

const { loaded, rowsOf } = useLoadRoom();

const FIRST_SEED = Number(process.env.FIRST_SEED ?? 0);
const SEEDS = Array.from({ length: cases(2, 120) }, (_, index) => FIRST_SEED + index);
const LOADS = 12;

const literal = (value: unknown): string => (value === null ? 'NULL' : `'${value}'`);

function batchOf(rows: readonly InputRow[], marks: boolean): string {
  const values = rows.map(
    ({ id, day, v, seq, gone }) => `(${[id, day, v, seq, ...(marks ? [gone] : [])].map(literal).join(', ')})`,
  );
  const none = `(${Array(marks ? 5 : 4)
    .fill('NULL')
    .join(', ')})`;
  const gone = marks ? ', gone::BOOLEAN AS gone' : '';
  return `SELECT id::BIGINT AS id, day::DATE AS day, v::BIGINT AS v, seq::BIGINT AS seq${gone}
    FROM (VALUES ${[...values, none].join(', ')}) t(id, day, v, seq${marks ? ', gone' : ''}) WHERE id IS NOT NULL`;
}

const sorted = (rows: readonly unknown[][]): string[] => rows.map((row) => JSON.stringify(row)).sort();

describe('random loads, one after the other', () => {
  it.each(SEEDS)('leave the rows that the guide promises: seed %d', async (seed) => {
    const random = seededRandom(seed);
    const partitionBy = [null, { column: 'day' }, { column: 'day', by: 'month' as const }][seed % 3]!;
    // Whole days are replaced, so partitions by month have a model of their own elsewhere.
    const isSplit = partitionBy !== null && !('by' in partitionBy);
    let dataset: LoadedDataset | undefined;
    let truth: StoredRow[] = [];
    for (let round = 0; round < LOADS; round++) {
      const load = randomLoad(random, isSplit);
      dataset = await loaded(dataset, batchOf(load.rows, load.marks), load.how, partitionBy);
      truth = rowsAfter(truth, load);
      const rows = await rowsOf(dataset, 'SELECT id, day, v, seq FROM t');
      expect(sorted(rows), JSON.stringify({ seed, round, load })).toEqual(
        sorted(truth.map(({ id, day, v, seq }) => [id, day, v, seq])),
      );
    }
  });

  it.each(SEEDS)('keep the history that the guide promises: seed %d', async (seed) => {
    const random = seededRandom(seed);
    let dataset: LoadedDataset | undefined;
    let truth: HistoryRow[] = [];
    for (let round = 0; round < LOADS; round++) {
      const load = randomHistoryLoad(random, round);
      dataset = await loaded(dataset, batchOf(load.rows, true), load.how);
      truth = historyAfter(truth, load);
      const since = "epoch_us(TIMESTAMPTZ '2026-01-01 00:00:00+00')";
      const rows = await rowsOf(
        dataset,
        `SELECT id, day, v, seq, epoch_us(_valid_from) - ${since}, epoch_us(_valid_to) - ${since}, _is_current FROM t`,
      );
      expect(sorted(rows), JSON.stringify({ seed, round, load })).toEqual(
        sorted(truth.map(({ id, day, v, seq, from, to }) => [id, day, v, seq, from, to, to === null])),
      );
    }
  });
});
