import { describe, expect, it } from 'vitest';
import { gateResult } from '../../../functions/pipelines/workers/run-step/gate-result.ts';

type Gate = Parameters<typeof gateResult>[0];
type Evaluation = Parameters<typeof gateResult>[1];

const gate = { id: 'g', type: 'not_null', config: { columns: ['a'] }, action: 'warn' } as unknown as Gate;
const percent = (failedRows: number, evaluatedRows: number) => {
  const evaluation = { evaluatedRows, failedRows, compiled: { kind: 'rows' }, sample: null };
  return gateResult(gate, evaluation as unknown as Evaluation).failedPercent;
};

describe('the result of a gate', () => {
  it('is 0 % only if no row fails, and 100 % only if all do', () => {
    expect([percent(0, 9), percent(1, 3), percent(1, 1_000_000), percent(999_999, 1_000_000), percent(9, 9)]).toEqual([
      ...[0, 33.33, 0.01, 99.99, 100],
    ]);
    expect(percent(0, 0)).toBe(0);
  });
});
