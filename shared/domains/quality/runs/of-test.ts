import type { Evaluation, NotEvaluated } from '../../../data/quality/evaluate.ts';
import { messageOf, outcomeOf, passRateOf } from '../../../data/quality/outcome.ts';
import { columnText, grammarOf, type StoredTest } from '../tests/records.ts';
import type { QualityRun, RunPlace, StoredRun } from './records.ts';

type Frame = Pick<QualityRun, 'id' | 'trigger' | 'datasetVersion' | 'startedAt' | 'ms'> & Pick<RunPlace, 'datasetId'>;

/** The record of a test's evaluation. */
export function runOf(test: StoredTest, frame: Frame, evaluation: Evaluation | NotEvaluated): StoredRun {
  const base = { ...frame, testId: test.id, tableKey: test.tableKey };
  if ('error' in evaluation) {
    const none = { evaluatedRows: null, failedRows: null, passRate: null, sql: null, ranIn: null, sample: null };
    return { ...base, ...none, status: 'error', message: evaluation.error };
  }
  const { evaluatedRows, failedRows, compiled, sample } = evaluation;
  const grammar = grammarOf(test);
  return {
    ...base,
    status: outcomeOf(grammar, evaluation),
    evaluatedRows,
    failedRows: compiled.kind === 'count' ? null : failedRows,
    passRate: passRateOf(evaluation),
    message: messageOf(grammar, columnText(test), evaluation),
    sql: statementOf(compiled),
    ranIn: evaluation.ranIn ?? 'engine',
    sample,
  };
}

/** Values are parameters, as they are bound. */
function statementOf(compiled: Evaluation['compiled']): string {
  switch (compiled.kind) {
    case 'query':
      return compiled.sql;
    case 'count':
      return `SELECT count(*) FROM input WHERE ${compiled.checked}`;
    case 'rows':
      return compiled.failingAmong
        ? `SELECT * FROM input WHERE ${compiled.checked} QUALIFY ${compiled.failing}`
        : `SELECT * FROM input WHERE ${compiled.checked} AND ${compiled.failing}`;
  }
}
