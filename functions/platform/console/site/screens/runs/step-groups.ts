import type { Run, StepRun } from './live-run.ts';

/** A step of the definition, with its runs: one, or one for each item of its block. */
export interface StepGroup {
  stepId: string;
  type: string;
  dependsOn: readonly string[];
  runs: readonly StepRun[];
  /** Of several items, the status that asks most for attention. */
  status: string;
}

const BY_ATTENTION = ['failed', 'running', 'queued', 'cancelled', 'succeeded', 'skipped'];

export function groupsOf({ steps, dependencies }: Pick<Run, 'steps' | 'dependencies'>): StepGroup[] {
  const byStep = Map.groupBy(steps, ({ stepId }) => stepId);
  return [...byStep].map(([stepId, runs]) => ({
    stepId,
    type: runs[0]!.type,
    dependsOn: (dependencies[stepId] ?? []).filter((id) => byStep.has(id)),
    runs,
    status: statusOf(runs),
  }));
}

const statusOf = (runs: readonly StepRun[]): string =>
  BY_ATTENTION.find((status) => runs.some((run) => run.status === status)) ?? runs[0]!.status;

/** Of a block: `312 of 1,000, 3 failed`. Undefined for a step without items. */
export function countsOf({ runs }: StepGroup): { done: number; failed: number; all: number } | undefined {
  if (runs.length === 1 && runs[0]!.itemIndex === null) return undefined;
  const count = (status: string) => runs.filter((run) => run.status === status).length;
  return { done: count('succeeded') + count('skipped'), failed: count('failed'), all: runs.length };
}

/** What a person wants to see first: the first step that failed, else one that runs, else the first one. */
export function firstToShow(steps: readonly StepRun[]): StepRun | undefined {
  const failed = steps.filter(({ status }) => status === 'failed');
  failed.sort((one, other) => ((one.finishedAt ?? '~') < (other.finishedAt ?? '~') ? -1 : 1));
  return failed[0] ?? steps.find(({ status }) => status === 'running') ?? steps[0];
}

/** The next step that failed after one, in their order; the first again after the last. */
export function nextFailed(steps: readonly StepRun[], current: StepRun | undefined): StepRun | undefined {
  const at = current ? steps.indexOf(current) : -1;
  const order = [...steps.slice(at + 1), ...steps.slice(0, at + 1)];
  return order.find(({ status }) => status === 'failed');
}
