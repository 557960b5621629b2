import type { StepCompute } from '../../../../shared/domains/pipelines/index.ts';
import type { QueryStatements } from './athena/statements.ts';

/** What the machine does next. */
export type Answer =
  | { kind: 'done' }
  | { kind: 'again'; index: number; waitSeconds: number }
  /** The step is for a function of another size, or for no function. */
  | { kind: 'elsewhere'; index: number; compute: StepCompute }
  /** Athena is to be told this, for so many seconds at most; the attempt has begun. */
  | ({ kind: 'query'; index: number; attempt: number; seconds: number } & Omit<QueryStatements, 'manifests'>);

export const againIn = (index: number, delayMs: number): Answer => ({
  kind: 'again',
  index,
  waitSeconds: Math.max(1, Math.floor(delayMs / 1000)),
});
