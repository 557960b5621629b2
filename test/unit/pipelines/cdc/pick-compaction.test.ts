import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchBytes, pickCompaction } from '../../../../shared/domains/pipelines/cdc/pick-compaction.ts';

const MB = 1024 * 1024;
const sized = (sizes: readonly number[]) =>
  sizes.map((bytes, at) => ({ at, files: [{ table: 't', key: 'k', rows: 1, bytes, columns: [], rowKey: null }] }));
const pick = (sizes: readonly number[]) => pickCompaction(sized(sizes)).map(({ at }) => at);
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

describe('what is folded', () => {
  it('is the first run of many small batches, as many as fit into a transaction', () => {
    expect(pick(Array(31).fill(1000))).toEqual([]);
    expect(pick(Array(32).fill(1000))).toEqual(upTo(32));
    expect(pick(Array(500).fill(1000))).toEqual(upTo(96));
    expect(pick([MB, ...Array(40).fill(1000), 20 * MB])).toEqual(upTo(40).map((at) => at + 1));
  });

  it('takes batches of one size class after the other, so that no change is rewritten too often', () => {
    expect(pick([...Array(10).fill(MB), ...Array(31).fill(1000)])).toEqual(upTo(41));
    expect(pick([30 * MB, 40 * MB, 50 * MB, 60 * MB])).toEqual(upTo(4));
    expect(pick([300 * MB, 1000, 1000, 1000, 1000])).toEqual([]);
    expect(pick(Array(100).fill(600 * MB))).toEqual([]);
  });

  it('lies together, is worth it, and no more than a worker can hold', () => {
    const size = fc.oneof(fc.integer({ min: 1, max: MB }), fc.integer({ min: 1, max: 700 * MB }));
    fc.assert(
      fc.property(fc.array(size, { maxLength: 300 }), (sizes) => {
        const run = pickCompaction(sized(sizes));
        if (run.length === 0) return;
        expect(run.map(({ at }) => at)).toEqual(upTo(run.length).map((at) => at + run[0]!.at));
        expect(run.length).toBeGreaterThanOrEqual(4);
        expect(run.length).toBeLessThanOrEqual(96);
        expect(run.reduce((sum, batch) => sum + batchBytes(batch), 0)).toBeLessThanOrEqual(2048 * MB);
      }),
    );
  });
});
