import type { Evaluation, NotEvaluated } from '../../../../shared/data/quality/evaluate.ts';
import type { GateStatus, SampledResult } from '../../../../shared/data/quality/gate-result.ts';
import { columnsOf } from '../../../../shared/data/quality/tests.ts';
import { type Gate, testOf } from '../../../../shared/domains/pipelines/index.ts';

/** What a gate says of what its test has found. */
export function gateResult(gate: Gate, evaluation: Evaluation | NotEvaluated): SampledResult {
  const { id: gateId, type, action, severity = 'high' } = gate;
  const column = columnsOf(testOf(gate)).join(', ') || null;
  const base = { gateId, type, column, severity, action, removedRows: 0 };
  if ('error' in evaluation) {
    const unknown = { evaluatedRows: null, failedRows: null, failedPercent: null, sample: null };
    return { ...base, ...unknown, status: 'error', message: evaluation.error };
  }
  const { evaluatedRows, failedRows, compiled, sample } = evaluation;
  const byRow = compiled.kind !== 'count';
  const failedPercent = evaluatedRows === 0 ? 0 : Math.round((1e4 * failedRows) / evaluatedRows) / 100;
  return {
    ...base,
    status: statusOf(gate, evaluation),
    evaluatedRows,
    failedRows: byRow ? failedRows : null,
    failedPercent: byRow ? failedPercent : null,
    message: messageOf(gate, column, evaluation),
    sample,
  };
}

/**
 * Gates that cannot be run let nothing by: neither what they would have failed nor rows that they would have taken out. Those
 * that take rows out have none to take where there are none and there should be.
 */
export function isBlocked({ action, status, evaluatedRows }: SampledResult): boolean {
  if (status === 'error') return action !== 'warn';
  return status === 'failed' && (action === 'fail' || evaluatedRows === 0);
}

function statusOf(gate: Gate, { evaluatedRows, failedRows, issue, compiled }: Evaluation): GateStatus {
  const failed = gate.action === 'warn' ? 'warned' : 'failed';
  if (compiled.kind === 'count') return issue === undefined ? 'passed' : failed;
  if (evaluatedRows === 0) {
    const { onEmpty = 'skip' } = testOf(gate).config;
    return onEmpty === 'fail' ? failed : onEmpty === 'pass' ? 'passed' : 'skipped';
  }
  return isBeyond(gate, failedRows, evaluatedRows) ? failed : 'passed';
}

/** Without limits no row may fail; with several, each of them holds. */
function isBeyond({ maxFailedRows, maxFailedPercent }: Gate, failedRows: number, evaluatedRows: number): boolean {
  if (maxFailedRows === undefined && maxFailedPercent === undefined) return failedRows > 0;
  const beyondRows = maxFailedRows !== undefined && failedRows > maxFailedRows;
  // A quotient is rounded like the written percentage; a product of it would not be, and 57 of 10000 be more than 0.57 %.
  return beyondRows || (maxFailedPercent !== undefined && (100 * failedRows) / evaluatedRows > maxFailedPercent);
}

function messageOf({ type }: Gate, column: string | null, evaluation: Evaluation): string | null {
  const { evaluatedRows, failedRows, issue, compiled } = evaluation;
  if (compiled.kind === 'count') return issue ?? null;
  if (evaluatedRows === 0) return 'There are no rows to check.';
  if (failedRows === 0) return null;
  return `${failedRows} of ${evaluatedRows} rows fail ${type}${column === null ? '' : ` on ${column}`}.`;
}
