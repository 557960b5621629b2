import type { TSchema } from 'typebox';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { Schedule } from '../../../platform/schedule/schedule.ts';
import { hasShape } from '../../../platform/validation/shape-issues.ts';
import {
  Concurrency,
  type Dag,
  ForEach,
  MAX_STEPS,
  Parameter,
  STEP_TYPES,
  Step,
  StepRetry,
  StepWhen,
  Trigger,
} from './dag.ts';

type Given = Record<string, unknown>;

/**
 * The valid part of a definition that does not match the schema, so that the other checks can report further issues.
 * Every step, parameter and block keeps its place; neutral values replace invalid ones. Undefined if there are no
 * steps.
 */
export function readablePart(value: unknown): Dag | undefined {
  const { steps, schedule, trigger, concurrency, parameters, forEach } = asObject(value);
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > MAX_STEPS) return undefined;
  const dag = {
    version: 1,
    steps: steps.map(readableStep),
    ...valid('schedule', Schedule, schedule),
    ...valid('trigger', Trigger, trigger),
    ...valid('concurrency', Concurrency, concurrency),
    ...(Array.isArray(parameters) ? { parameters: parameters.slice(0, 50).map(readableParameter) } : {}),
    ...(Array.isArray(forEach) ? { forEach: forEach.slice(0, 10).map(readableBlock) } : {}),
  };
  return dag as Dag;
}

/**
 * The issues of the valid part that the replaced values did not cause. `broken` are the issues of the schema: values at
 * and below their places were replaced.
 */
export function withoutConsequences(issues: readonly Issue[], broken: readonly Issue[]): Issue[] {
  const places = broken.flatMap(({ pointer }) => replacedBy(pointer));
  return issues.filter(({ pointer }) => !places.some((place) => pointer === place || pointer.startsWith(`${place}/`)));
}

const STEP_MEMBER = /^(\/dag\/steps\/\d+)\/(id|type|config|dependsOn)(?=\/|$)/;

/** An invalid type also hides the settings of a step, and invalid dependencies hide its inputs. */
function replacedBy(pointer: string): string[] {
  const [, step, member] = STEP_MEMBER.exec(pointer) ?? [];
  if (step === undefined) return [pointer];
  const config = `${step}/config`;
  if (member === 'type') return [`${step}/type`, config, `${step}/fromPorts`];
  if (member === 'dependsOn') return [`${step}/dependsOn`, `${step}/fromPorts`, `${config}/input`, `${config}/inputs`];
  return [`${step}/${member}`];
}

function readableStep(value: unknown, index: number): Step {
  const { id, type, config, dependsOn, fromPorts, retry, when } = asObject(value);
  const step = {
    id: typeof id === 'string' ? id : `step ${index}`,
    type: STEP_TYPES.includes(type as Step['type']) ? type : 'transform_sql',
    config: isObject(config) ? config : {},
    ...(Array.isArray(dependsOn) ? { dependsOn: dependsOn.filter((each) => typeof each === 'string') } : {}),
    ...valid('fromPorts', Step.properties.fromPorts, fromPorts),
    ...valid('retry', StepRetry, retry),
    ...valid('when', StepWhen, when),
  };
  return step as Step;
}

function readableParameter(value: unknown, index: number): Parameter {
  if (hasShape(Parameter, value)) return value;
  const { name, type } = asObject(value);
  return { name: typeof name === 'string' ? name : `parameter ${index}`, type: type === 'list' ? 'list' : 'string' };
}

function readableBlock(value: unknown, index: number): ForEach {
  if (hasShape(ForEach, value)) return value;
  const { id, steps } = asObject(value);
  const ids = Array.isArray(steps) ? steps.filter((each) => typeof each === 'string') : [];
  return { id: typeof id === 'string' ? id : `block ${index}`, items: ['item'], steps: ids };
}

const valid = (name: string, schema: TSchema, value: unknown): Given =>
  value !== undefined && hasShape(schema, value) ? { [name]: value } : {};

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value itself, or an object without members in place of a value that is not an object. */
export const asObject = (value: unknown): Given => (isObject(value) ? value : {});
