import type { CompiledTest } from './compile.ts';
import type { QualityTest } from './tests.ts';

export type Outcome = 'passed' | 'warned' | 'failed' | 'skipped';

/** What a test has counted. */
export interface Counts {
  evaluatedRows: number;
  failedRows: number;
  /** Why the table as a whole fails. */
  issue?: string | undefined;
  compiled: Pick<CompiledTest, 'kind'>;
}

/** Limits of failing rows, of which a test has one at most beside `warnAt`. */
interface Limits {
  mostly?: number;
  warnAt?: number;
  failAt?: number;
  maxNullPct?: number;
  maxFailing?: number;
}

/** Without limits no row may fail. */
export function outcomeOf({ config }: Pick<QualityTest, 'config'>, counts: Counts): Outcome {
  const { evaluatedRows, failedRows, issue, compiled } = counts;
  if (compiled.kind === 'count') return issue === undefined ? 'passed' : 'failed';
  if (evaluatedRows === 0) {
    const { onEmpty = 'skip' } = config;
    return onEmpty === 'fail' ? 'failed' : onEmpty === 'pass' ? 'passed' : 'skipped';
  }
  const limits = config as Limits;
  if (isFailing(limits, failedRows, evaluatedRows)) return 'failed';
  const { warnAt } = limits;
  return warnAt !== undefined && reaches(warnAt, failedRows, evaluatedRows) ? 'warned' : 'passed';
}

function isFailing(limits: Limits, failed: number, evaluated: number): boolean {
  const { mostly, failAt, maxNullPct, maxFailing, warnAt } = limits;
  if (failAt !== undefined) return reaches(failAt, failed, evaluated);
  // Quotients round like the written number; with products, 57 of 10000 would be more than 0.57 %.
  if (mostly !== undefined) return (evaluated - failed) / evaluated < mostly;
  if (maxNullPct !== undefined) return (100 * failed) / evaluated > maxNullPct;
  if (maxFailing !== undefined) return failed > maxFailing;
  return warnAt === undefined && failed > 0;
}

const reaches = (percent: number, failed: number, evaluated: number): boolean =>
  failed > 0 && (100 * failed) / evaluated >= percent;

/** The share of the tested rows that pass; null for a test of the whole table, and without rows. */
export function passRateOf({ evaluatedRows, failedRows, compiled }: Counts): number | null {
  if (compiled.kind === 'count' || evaluatedRows === 0) return null;
  // A statement of an author may return more rows than the table has.
  return Math.max(0, (evaluatedRows - failedRows) / evaluatedRows);
}

/** What readers of a result see, without values of rows. */
export function messageOf(test: QualityTest, column: string | null, counts: Counts): string | null {
  const { evaluatedRows, failedRows, issue, compiled } = counts;
  if (compiled.kind === 'count') return issue ?? null;
  if (evaluatedRows === 0) return 'There are no rows to check.';
  if (failedRows === 0) return null;
  const rows = `${failedRows} of ${evaluatedRows} rows`;
  return `${rows} fail ${test.type}${column === null ? '' : ` on ${column}`}.`;
}
