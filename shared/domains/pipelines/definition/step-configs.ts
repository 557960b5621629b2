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

/** Settings of the design that cannot be carried out yet: refused by name rather than accepted and not done. */
const NOT_OFFERED: Partial<Record<StepType, readonly string[]>> = {
  route: ['gates'],
};

/** Step types whose gates check the rows that they make. */
const JUDGED: ReadonlySet<StepType> = new Set(['extract', 'transform_sql', 'transform_code']);

/** Step types that read the rows of exactly one step, named by `input`. */
const SINGLE_INPUT: ReadonlySet<StepType> = new Set(['load', 'route', 'transform_code']);

/** Every issue of a step's settings, on a deployment that has `extra` beside functions; `place` is the step's own pointer. */
export function configIssues(
  step: Pick<Step, 'type' | 'config'>,
  place: string,
  extra: ReadonlySet<ExtraEngine>,
): Issue[] {
  const at = `${place}/config`;
  const { config } = step;
  const notOffered = (NOT_OFFERED[step.type] ?? [])
    .filter((name) => Object.hasOwn(config, name))
    .map((name) => ({
      pointer: `${at}/${name}`,
      code: 'SETTING_NOT_AVAILABLE',
      message: `${name} is not available for ${step.type} steps`,
    }));
  const known = Object.fromEntries(Object.entries(config).filter(([name]) => !NOT_OFFERED[step.type]?.includes(name)));
  const gates =
    JUDGED.has(step.type) && config.gates !== undefined ? outputGateIssues(config.gates, `${at}/gates`) : [];
  return [...notOffered, ...typeIssues(step.type, known, at), ...gates, ...timeoutIssues(config, at, extra)];
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
      message: `steps longer than ${MAX_FUNCTION_SECONDS} seconds run in containers, which this deployment does not have`,
    },
  ];
}

/** Whether a step reads the rows of one other step, and so names it by `input` rather than `inputs`. */
export function readsOneStep(step: Step): boolean {
  return SINGLE_INPUT.has(step.type);
}

/** Where a step's rows come from: alias → id of the step. Without `inputs` every dependency is an input by its own name. */
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

/** The port that a step names of one that it waits for: undefined of all but routes. */
export function portOf({ fromPorts = {} }: Step, id: string): string | undefined {
  return Object.hasOwn(fromPorts, id) ? fromPorts[id] : undefined;
}

/** How long an attempt of a step may take. */
export function timeoutSecondsOf(step: Step): number {
  return (step.config.timeoutSeconds as number | undefined) ?? MAX_FUNCTION_SECONDS;
}

export function timeoutMsOf(step: Step): number {
  return timeoutSecondsOf(step) * 1000;
}
