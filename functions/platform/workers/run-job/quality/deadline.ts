import type { EngineLimits } from '../../../../../shared/data/duckdb/guarded-engine.ts';

/** How long a statement of an author may take, and how long it may then take to stop. */
export type StatementLimits = Pick<EngineLimits, 'timeoutMs' | 'graceMs'>;
export const STATEMENT_LIMITS: StatementLimits = { timeoutMs: 60 * 1000 };

/** As long as given, or until the deadline by `performance.now()`. */
export const leftUntil = (deadline: number, ms: number): number =>
  Math.max(1, Math.min(ms, Math.round(deadline - performance.now())));
