import { type SampledResult, withoutSample } from '../../../data/quality/gate-result.ts';
import type { SkipReason } from '../definition/index.ts';
import type { RunEvent, StepError, StepState, StepStatus, StoredStep } from '../store/index.ts';
import type { AttemptEnd } from './attempt-end.ts';

/** The status that the API shows for a state. */
export function statusOfState(state: StepState): StepStatus {
  return state === 'pending' || state === 'ready' || state === 'waiting' ? 'queued' : state;
}

export function stepEvent(
  step: Pick<StoredStep, 'stepId' | 'item'>,
  state: StepState,
  attempt: number,
  more: { skipReason?: SkipReason | null; error?: StepError | null; nextRetryAt?: string | null } = {},
): RunEvent {
  return {
    type: 'step.status',
    data: {
      stepId: step.stepId,
      item: step.item,
      attempt,
      status: statusOfState(state),
      skipReason: more.skipReason ?? null,
      error: more.error ?? null,
      nextRetryAt: more.nextRetryAt ?? null,
    },
  };
}

export function endEvent(step: StoredStep, end: AttemptEnd): RunEvent {
  if (end.kind !== 'retry') {
    return stepEvent(step, end.kind, step.attempt, end.kind === 'failed' ? { error: end.error } : {});
  }
  return stepEvent(step, 'waiting', step.attempt, { error: end.error, nextRetryAt: end.at.toISOString() });
}

export function gateEvent({ stepId, item, attempt }: StoredStep, result: SampledResult): RunEvent {
  return { type: 'gate.result', data: { stepId, item, attempt, ...withoutSample(result) } };
}
