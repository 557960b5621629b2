import type { Frame } from '../frame.ts';
import type { Scope } from '../language/expression.ts';
import type { ChoiceRule, ChoiceState, FailState, WaitState } from '../language/program.ts';
import type { Template } from '../language/template.ts';
import { isTimestamp } from '../language/timestamp.ts';
import { StateError } from '../state-error.ts';
import { evaluate, evaluateCount, evaluationError } from './scope.ts';

/** The first rule with a true condition; otherwise the default, with the state's own fields. */
export async function chosenRule(
  frame: Frame,
  state: ChoiceState,
  scope: Scope,
): Promise<Pick<ChoiceRule, 'next' | 'assign' | 'output'>> {
  for (const rule of state.rules) {
    const holds = await evaluate(frame, rule.condition, scope);
    if (holds === true) return rule;
    if (holds !== false) throw unexpected(frame, 'Condition', 'a boolean', holds);
  }
  if (state.defaultNext === undefined) {
    throw new StateError('States.NoChoiceMatched', `No choice rule of the state '${state.name}' matched.`);
  }
  const { assign, output } = state;
  return { next: state.defaultNext, ...(assign && { assign }), ...(output && { output }) };
}

/** End of a Wait state that is entered `now`, in epoch milliseconds. */
export async function wakeTime(frame: Frame, state: WaitState, scope: Scope, now: number): Promise<number> {
  if (state.seconds) return now + 1000 * (await evaluateCount(frame, 'Seconds', state.seconds, scope, 0));
  const timestamp = await evaluate(frame, state.timestamp!, scope);
  if (typeof timestamp === 'string' && isTimestamp(timestamp)) return Date.parse(timestamp);
  throw unexpected(frame, 'Timestamp', 'an RFC 3339 timestamp', timestamp);
}

/** The error of a Fail state. */
export async function statedError(frame: Frame, state: FailState, scope: Scope): Promise<StateError> {
  const text = async (field: 'Error' | 'Cause', template: Template | undefined) => {
    const value = template && (await evaluate(frame, template, scope));
    if (value === undefined || typeof value === 'string') return value;
    throw unexpected(frame, field, 'a string', value);
  };
  const error = await text('Error', state.error);
  return new StateError(error ?? '', await text('Cause', state.cause));
}

function unexpected(frame: Frame, field: string, wanted: string, value: unknown): StateError {
  return evaluationError(frame, `The field '${field}' must be ${wanted}, but was ${JSON.stringify(value)}.`, field);
}
