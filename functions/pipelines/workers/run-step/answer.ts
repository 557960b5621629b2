import type { StepCompute } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { QueryStatements } from './athena/statements.ts';

/** What the machine does next. */
export type Answer =
  | { kind: 'done' }
  | { kind: 'again'; index: number; waitSeconds: number }
  /** The step needs a function of another size, a container or Athena. */
  | { kind: 'elsewhere'; index: number; compute: StepCompute }
  /** Athena runs these statements, for at most `seconds`; the attempt has begun. */
  | ({ kind: 'query'; index: number; attempt: number; seconds: number } & Omit<QueryStatements, 'manifests'>);

/** The error that tells the step machine to continue instead of ending. */
export const STEP_CONTINUES = 'Step.Continues';

export const DONE: Answer = { kind: 'done' };

export const againIn = (index: number, delayMs: number): Answer => ({
  kind: 'again',
  index,
  waitSeconds: Math.max(1, Math.floor(delayMs / 1000)),
});
