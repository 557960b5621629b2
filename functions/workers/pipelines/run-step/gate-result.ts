import type { Evaluation, NotEvaluated } from '../../../../shared/data/quality/evaluate.ts';
import type { GateStatus, SampledResult } from '../../../../shared/data/quality/gate-result.ts';
import { columnsOf } from '../../../../shared/data/quality/tests.ts';
import { type Gate, testOf } from '../../../../shared/domains/pipelines/index.ts';

/** The result of a gate, from the evaluation of its test. */
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
 * A gate that could not be evaluated blocks the step unless it only warns. A failed gate blocks it with action fail, and
 * also with quarantine or drop when the batch is empty but must not be.
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

/** Without limits no row may fail; with several, each of them applies. */
function isBeyond({ maxFailedRows, maxFailedPercent }: Gate, failedRows: number, evaluatedRows: number): boolean {
  if (maxFailedRows === undefined && maxFailedPercent === undefined) return failedRows > 0;
  const beyondRows = maxFailedRows !== undefined && failedRows > maxFailedRows;
  // A quotient rounds like the written percentage; with a product, 57 of 10000 would be more than 0.57 %.
  return beyondRows || (maxFailedPercent !== undefined && (100 * failedRows) / evaluatedRows > maxFailedPercent);
}

function messageOf({ type }: Gate, column: string | null, evaluation: Evaluation): string | null {
  const { evaluatedRows, failedRows, issue, compiled } = evaluation;
  if (compiled.kind === 'count') return issue ?? null;
  if (evaluatedRows === 0) return 'There are no rows to check.';
  if (failedRows === 0) return null;
  return `${failedRows} of ${evaluatedRows} rows fail ${type}${column === null ? '' : ` on ${column}`}.`;
}
