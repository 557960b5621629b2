import type { Issue } from '../../../platform/errors/app-error.ts';
import type { ExtraEngine } from './compute.ts';
import { extractIssues } from './configs/extract.ts';
import { outputGateIssues } from './configs/gates.ts';
import { loadIssues } from './configs/load.ts';
import { MAX_FUNCTION_SECONDS, MAX_STEP_SECONDS } from './configs/members.ts';
import { routeIssues } from './configs/route.ts';
import { transformCodeIssues } from './configs/transform-code.ts';
import { transformSqlIssues } from './configs/transform-sql.ts';
import type { Step, StepType } from './dag.ts';

/** Settings that are planned but not implemented: rejected by name instead of silently ignored. */
const NOT_AVAILABLE: Partial<Record<StepType, readonly string[]>> = {
  extract: ['materialize'],
  transform_code: ['materialize'],
  route: ['gates', 'materialize'],
  load: ['materialize'],
};

/** Step types whose gates check their output. */
const GATED_OUTPUT: ReadonlySet<StepType> = new Set(['extract', 'transform_sql', 'transform_code']);

/** Step types that read the rows of exactly one step, named by `input`. */
const SINGLE_INPUT: ReadonlySet<StepType> = new Set(['load', 'route', 'transform_code']);

/** Every issue of a step's settings on a deployment with the `extra` engines; `place` is the pointer of the step. */
export function configIssues(
  step: Pick<Step, 'type' | 'config'>,
  place: string,
  extra: ReadonlySet<ExtraEngine>,
): Issue[] {
  const at = `${place}/config`;
  const { config } = step;
  const notAvailable = (NOT_AVAILABLE[step.type] ?? [])
    .filter((name) => Object.hasOwn(config, name))
    .map((name) => ({
      pointer: `${at}/${name}`,
      code: 'SETTING_NOT_AVAILABLE',
      message: `${step.type} steps do not support ${name}; remove it.`,
    }));
  const known = Object.fromEntries(
    Object.entries(config).filter(([name]) => !NOT_AVAILABLE[step.type]?.includes(name)),
  );
  const gates =
    GATED_OUTPUT.has(step.type) && config.gates !== undefined ? outputGateIssues(config.gates, `${at}/gates`) : [];
  return [...notAvailable, ...typeIssues(step.type, known, at), ...gates, ...timeoutIssues(config, at, extra)];
}

function typeIssues(type: StepType, config: Record<string, unknown>, at: string): Issue[] {
  switch (type) {
    case 'extract':
      return extractIssues(config, at);
    case 'transform_sql':
      return transformSqlIssues(config, at);
    case 'transform_code':
      return transformCodeIssues(config, at);
    case 'route':
      return routeIssues(config, at);
    case 'load':
      return loadIssues(config, at);
  }
}

function timeoutIssues(config: Record<string, unknown>, at: string, extra: ReadonlySet<ExtraEngine>): Issue[] {
  const seconds = config.timeoutSeconds;
  if (extra.has('container')) return [];
  if (typeof seconds !== 'number' || seconds <= MAX_FUNCTION_SECONDS || seconds > MAX_STEP_SECONDS) return [];
  return [
    {
      pointer: `${at}/timeoutSeconds`,
      code: 'SETTING_NOT_AVAILABLE',
      message: `must be at most ${MAX_FUNCTION_SECONDS}: longer steps need containers, which this deployment does not have`,
    },
  ];
}

/** Whether a step reads exactly one other step, and so names it in `input` instead of `inputs`. */
export function readsOneStep(step: Step): boolean {
  return SINGLE_INPUT.has(step.type);
}

/** The inputs of a step: alias → id of the step. Without `inputs` every dependency is an input under its own id. */
export function inputsOf(step: Step, loads: ReadonlySet<string>): Record<string, string> {
  if (readsOneStep(step)) {
    const { input: single, inputs } = step.config as { input?: string; inputs?: Record<string, string> };
    const named = single ?? Object.values(inputs ?? {})[0];
    const input = named ?? step.dependsOn?.find((id) => !loads.has(id));
    return input === undefined ? {} : { input };
  }
  if (step.type !== 'transform_sql') return {};
  const named = step.config.inputs as Record<string, string> | undefined;
  if (named) return named;
  const data = (step.dependsOn ?? []).filter((id) => !loads.has(id));
  const inputs = Object.fromEntries(data.map((id) => [id.replaceAll('-', '_'), id]));
  return data.length === 1 ? { ...inputs, input: data[0]! } : inputs;
}

/** The port of a dependency that a step reads; undefined unless the dependency is a route. */
export function portOf({ fromPorts = {} }: Step, id: string): string | undefined {
  return Object.hasOwn(fromPorts, id) ? fromPorts[id] : undefined;
}

/** The timeout of an attempt of a step. */
export function timeoutSecondsOf(step: Step): number {
  return (step.config.timeoutSeconds as number | undefined) ?? MAX_FUNCTION_SECONDS;
}

export function timeoutMsOf(step: Step): number {
  return timeoutSecondsOf(step) * 1000;
}
