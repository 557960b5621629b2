import type { AnyLoadConfig } from '../../../../shared/domains/pipelines/definition/index.ts';
import { incrementsOf, readSteps } from '../../../../shared/domains/pipelines/store/index.ts';
import type { Attempt } from './attempt.ts';
import { StepFailure } from './attempt.ts';

/** Which states of its target a load of incremental rows rejects, each with the message of the error. */
export interface TargetRules {
  /** The target must exist: the rows are only those that were added since. */
  missing?: string;
  /** The target must be empty: all rows were read again, and would be there twice. */
  filled?: string;
}

/** The rules of a load by what its incremental extracts have read. Loads that replace the whole target have none. */
export async function targetRulesOf(attempt: Attempt): Promise<TargetRules> {
  const { run, dag, plan, node, step, worker } = attempt;
  const { mode, scope } = step.config as unknown as AnyLoadConfig & { scope?: string };
  if (mode === 'overwrite' && scope !== 'partition') return {};
  if (!dag.steps.some(({ type, config }) => type === 'extract' && config.mode === 'incremental')) return {};
  const steps = await readSteps(worker.context.table, run.workspaceId, run.id);
  const increments = incrementsOf(plan, new Map(steps.map((each) => [each.index, each])), node.index);
  const continued = increments.filter(({ increment }) => increment.kind === 'continued');
  const refreshed = increments.filter(({ increment }) => increment.kind === 'refreshed');
  const names = [...new Set(continued.map(({ stepId }) => stepId))];
  return {
    ...(continued.length > 0
      ? {
          missing: `The target does not exist, but ${names.join(', ')} read only the rows after the last load. Start a run with "fullRefresh": ${JSON.stringify(names)} to load all rows again.`,
        }
      : {}),
    ...(refreshed.length > 0 && mode === 'append'
      ? {
          filled:
            'The full refresh has read all rows, and the target still holds the earlier ones, which would then be there twice. Empty or drop the target first, or load in mode merge.',
        }
      : {}),
  };
}

export const targetMissing = (message: string) => new StepFailure('TARGET_MISSING', message);
export const targetNotEmpty = (message: string) => new StepFailure('TARGET_NOT_EMPTY', message);
