import type { ReportedErrorCode } from '../../events/events/index.ts';
import type { StepRetry } from './dag.ts';

/** The error codes of a failed attempt; `nonRetryableErrors` names them exactly, or by a prefix and `*`. */
export const STEP_ERRORS = [
  'AUTH_FAILED',
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'CONNECTION_FAILED',
  'RATE_LIMITED',
  'TIMEOUT',
  'SCHEMA_MISMATCH',
  'VALUES_LOST',
  'SQL_ERROR',
  'CODE_ERROR',
  'GATE_FAILED',
  'OUT_OF_MEMORY',
  'RESULT_TOO_LARGE',
  'ALLOWANCE_EXHAUSTED',
  'OVERTAKEN',
  'TARGET_MISSING',
  'TARGET_NOT_EMPTY',
  'SECRET_NOT_FOUND',
  'RLS_COPY',
  'WORKER_LOST',
  'WORKER_UNAVAILABLE',
  'CANCELLED',
  'INTERNAL',
] as const satisfies readonly ReportedErrorCode[];
export type StepErrorCode = (typeof STEP_ERRORS)[number];

const MAX_DELAY_MS = 15 * 60 * 1000;
const NEVER_RETRIED: readonly StepErrorCode[] = [
  'VALUES_LOST',
  'RESULT_TOO_LARGE',
  'GATE_FAILED',
  'ALLOWANCE_EXHAUSTED',
  'OVERTAKEN',
  'TARGET_MISSING',
  'TARGET_NOT_EMPTY',
  'SECRET_NOT_FOUND',
  'RLS_COPY',
  'CANCELLED',
];

export const DEFAULT_RETRY: Required<StepRetry> = {
  maxAttempts: 3,
  initialIntervalMs: 1000,
  backoffCoefficient: 2,
  nonRetryableErrors: [],
};

export function retryOf(step: { retry?: StepRetry | undefined }): Required<StepRetry> {
  return { ...DEFAULT_RETRY, ...step.retry };
}

/**
 * The delay before the next attempt: exponential, at most 15 minutes, with up to 20 % jitter on top (never less, so
 * that the promised interval holds). Undefined when the step has failed for good.
 */
export function retryDelayMs(
  policy: Required<StepRetry>,
  attempts: number,
  error: StepErrorCode,
  random: () => number,
): number | undefined {
  if (attempts >= policy.maxAttempts || NEVER_RETRIED.includes(error)) return undefined;
  if (policy.nonRetryableErrors.some((pattern) => matches(pattern, error))) return undefined;
  const delay = policy.initialIntervalMs * policy.backoffCoefficient ** (attempts - 1);
  return Math.round(Math.min(delay * (1 + 0.2 * random()), MAX_DELAY_MS));
}

/** What a crash of the worker is reported as. */
const CRASHES: readonly StepErrorCode[] = ['WORKER_LOST', 'OUT_OF_MEMORY', 'TIMEOUT'];

/** Whether a first attempt whose worker crashes is always followed by another. */
export function isRetriedAfterCrash(step: { retry?: StepRetry | undefined }): boolean {
  return CRASHES.every((error) => retryDelayMs(retryOf(step), 1, error, () => 0) !== undefined);
}

function matches(pattern: string, error: string): boolean {
  return pattern.endsWith('*') ? error.startsWith(pattern.slice(0, -1)) : pattern === error;
}
