import type { Issue } from '../../../platform/errors/app-error.ts';
import { gatesOf } from './configs/gates.ts';
import type { Materialize } from './configs/transform-sql.ts';
import { type Dag, dependenciesOf, type Step } from './dag.ts';
import { inputsOf } from './step-configs.ts';

/**
 * Why the rows of a transform are stored. Otherwise the step is fused into the only one that reads them: they stay on
 * the disk of the worker, and are computed again if another one needs them.
 */
export const WRITTEN_REASONS = {
  always: 'materialize is always',
  gates: 'the step has gates',
  unread: 'no other step of the pipeline reads them',
  readers: 'several steps depend on the step',
  block: 'the step and the step that reads them are not in the same forEach block',
  clock: 'the statement can return different rows each time it runs',
  order: 'its dedupe keeps the first rows, which depend on the order of the input',
  skipped: 'an input of the step was skipped',
  slow: 'computing them again would take too long',
  elsewhere: 'the step that reads them did not begin at once on the same worker',
} as const;
export type WrittenReason = keyof typeof WRITTEN_REASONS;

/** How a step is fused by its definition: into which step, or why not. */
export type Fusion = { into: string; reason?: never } | { into?: never; reason: WrittenReason };

/** Whether a `transform_sql` step may be fused, as far as the definition decides it. */
export function fusionOf(dag: Dag, step: Step): Fusion {
  if (materializeOf(step) === 'always') return { reason: 'always' };
  if (gatesOf(step.config).length > 0) return { reason: 'gates' };
  const dependents = dag.steps.filter((other) => dependenciesOf(other).includes(step.id));
  if (dependents.length > 1) return { reason: 'readers' };
  const [reader] = dependents;
  const loads = new Set(dag.steps.filter(({ type }) => type === 'load').map(({ id }) => id));
  if (!reader || !Object.values(inputsOf(reader, loads)).includes(step.id)) return { reason: 'unread' };
  const blockOf = ({ id }: Step) => dag.forEach?.find(({ steps }) => steps.includes(id));
  return blockOf(step) === blockOf(reader) ? { into: reader.id } : { reason: 'block' };
}

export function materializeOf({ config }: Step): Materialize {
  return (config.materialize as Materialize | undefined) ?? 'auto';
}

/** Whether `materialize` is `never` although the rows must be stored. */
export function materializeIssues(dag: Dag): Issue[] {
  return dag.steps.flatMap((step, index) => {
    if (step.type !== 'transform_sql' || materializeOf(step) !== 'never') return [];
    const { reason } = fusionOf(dag, step);
    if (reason === undefined) return [];
    const pointer = `/dag/steps/${index}/config/materialize`;
    return [{ pointer, code: 'NOT_ALLOWED', message: neverMessage(WRITTEN_REASONS[reason]) }];
  });
}

export const neverMessage = (reason: string): string =>
  `must be auto or always, because the rows have to be written: ${reason}`;
