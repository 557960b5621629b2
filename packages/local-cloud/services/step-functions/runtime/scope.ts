import type { Frame } from '../frame.ts';
import { type Json, type JsonObject, sizeBytes } from '../json.ts';
import type { Scope } from '../language/expression.ts';
import type { ExpressionRuntime } from '../language/functions.ts';
import { type Template, TemplateError } from '../language/template.ts';
import { StateError } from '../state-error.ts';

/** AWS's payload limit between states: 256 KiB. */
export const PAYLOAD_LIMIT_BYTES = 262_144;

export interface ScopeExtras {
  result?: Json;
  errorOutput?: Json;
  token?: string;
  /** The item for which an `ItemSelector` is evaluated. */
  item?: { index: number; value: Json };
}

/** The scope of expressions in the frame's current state. */
export function scopeOf(frame: Frame, runtime: ExpressionRuntime, extras: ScopeExtras = {}): Scope {
  const states: JsonObject = { input: frame.position.input, context: contextObject(frame, extras) };
  if (extras.result !== undefined) states.result = extras.result;
  if (extras.errorOutput !== undefined) states.errorOutput = extras.errorOutput;
  return { variables: visibleVariables(frame), states, runtime };
}

function visibleVariables(frame: Frame): Record<string, Json> {
  return frame.parent ? { ...visibleVariables(frame.parent), ...frame.position.variables } : frame.position.variables;
}

function contextObject(frame: Frame, extras: ScopeExtras): JsonObject {
  const { execution, position } = frame;
  const item = extras.item ?? itemOf(frame);
  return {
    Execution: {
      Id: execution.arn,
      Input: execution.input,
      Name: execution.name,
      RoleArn: execution.roleArn,
      StartTime: new Date(execution.startedAt).toISOString(),
      RedriveCount: 0,
    },
    State: {
      Name: position.state,
      EnteredTime: new Date(position.enteredAt).toISOString(),
      RetryCount: position.retries.reduce((sum, spent) => sum + spent, 0),
    },
    StateMachine: { Id: execution.machineArn, Name: execution.machineArn.split(':')[6] ?? '' },
    ...(extras.token !== undefined && { Task: { Token: extras.token } }),
    ...(item && { Map: { Item: { Index: item.index, Value: item.value } } }),
  };
}

/** The item of the innermost Map iteration around the frame. */
function itemOf(frame: Frame): { index: number; value: Json } | undefined {
  for (let at: Frame | undefined = frame; at?.parent; at = at.parent) {
    const phase = at.parent.position.phase;
    if (phase.kind === 'fanOut' && phase.items) return { index: at.index, value: phase.items[at.index] ?? null };
  }
  return undefined;
}

/** Evaluates a field of the frame's current state; an error becomes `States.QueryEvaluationError`. */
export async function evaluate(frame: Frame, template: Template, scope: Scope): Promise<Json> {
  if (template.literal !== undefined) return template.literal;
  try {
    return await template.evaluate(scope);
  } catch (error) {
    if (error instanceof TemplateError) throw evaluationError(frame, error.message, error.location);
    throw error;
  }
}

/** Evaluates a field that must be a whole number of at least `min`. */
export async function evaluateCount(
  frame: Frame,
  field: string,
  template: Template,
  scope: Scope,
  min: number,
): Promise<number> {
  const value = await evaluate(frame, template, scope);
  if (typeof value === 'number' && Number.isInteger(value) && value >= min) return value;
  throw evaluationError(
    frame,
    `The field '${field}' must be a whole number of at least ${min}, but was ${JSON.stringify(value)}.`,
    field,
  );
}

export function evaluationError(frame: Frame, message: string, location: string): StateError {
  return new StateError('States.QueryEvaluationError', `${inState(frame)} ${message}`, location);
}

/** Throws `States.DataLimitExceeded` if the payload is above the limit. */
export function checkSize(frame: Frame, payload: Json): void {
  if (sizeBytes(payload) <= PAYLOAD_LIMIT_BYTES) return;
  throw new StateError(
    'States.DataLimitExceeded',
    `The state/task '${frame.position.state}' returned a result with a size exceeding the maximum number of bytes service limit.`,
  );
}

function inState(frame: Frame): string {
  return `An error occurred while executing the state '${frame.position.state}' (entered at the event id #${frame.position.enteredEvent}).`;
}
