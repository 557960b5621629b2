import type { Evaluation, NotEvaluated } from '../../../../shared/data/quality/evaluate.ts';
import type { GateStatus, SampledResult } from '../../../../shared/data/quality/gate-result.ts';
import { messageOf, outcomeOf } from '../../../../shared/data/quality/outcome.ts';
import { columnsOf } from '../../../../shared/data/quality/tests.ts';
import { type Gate, testOf } from '../../../../shared/domains/pipelines/definition/index.ts';

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
  return {
    ...base,
    status: statusOf(gate, evaluation),
    evaluatedRows,
    failedRows: byRow ? failedRows : null,
    failedPercent: byRow ? percentOf(failedRows, evaluatedRows) : null,
    message: messageOf(testOf(gate), column, evaluation),
    sample,
  };
}

/** To two decimals; 0 only if no row fails, and 100 only if all do. */
function percentOf(failed: number, evaluated: number): number {
  if (failed === 0 || evaluated === 0) return 0;
  const percent = Math.round((1e4 * failed) / evaluated) / 100;
  return failed >= evaluated ? percent : Math.min(99.99, Math.max(0.01, percent));
}

/**
 * A gate that could not be evaluated blocks the step unless it only warns. A failed gate blocks it with action fail,
 * and also with quarantine or drop when the batch is empty but must not be.
 */
export function isBlocked({ action, status, evaluatedRows }: SampledResult): boolean {
  if (status === 'error') return action !== 'warn';
  return status === 'failed' && (action === 'fail' || evaluatedRows === 0);
}

function statusOf(gate: Gate, evaluation: Evaluation): GateStatus {
  const outcome = outcomeOf(testOf(gate), evaluation);
  const status = isLimited(gate) && evaluation.evaluatedRows > 0 ? statusBeyond(gate, evaluation) : outcome;
  return status === 'failed' && gate.action === 'warn' ? 'warned' : status;
}

/** The limits of a gate take the place of those of its test. */
const isLimited = ({ maxFailedRows, maxFailedPercent }: Gate): boolean =>
  maxFailedRows !== undefined || maxFailedPercent !== undefined;

/** With several limits, each of them applies. */
function statusBeyond(
  { maxFailedRows, maxFailedPercent }: Gate,
  { failedRows, evaluatedRows }: Evaluation,
): 'failed' | 'passed' {
  const beyondRows = maxFailedRows !== undefined && failedRows > maxFailedRows;
  // A quotient rounds like the written percentage; with a product, 57 of 10000 would be more than 0.57 %.
  const beyondPercent = maxFailedPercent !== undefined && (100 * failedRows) / evaluatedRows > maxFailedPercent;
  return beyondRows || beyondPercent ? 'failed' : 'passed';
}
