import * as Type from 'typebox';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { StringEnum } from '../../../platform/http/schemas.ts';
import { scheduleIssues } from '../../../platform/schedule/schedule.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import { hasShape, shapeIssues } from '../../../platform/validation/shape-issues.ts';
import type { ExtraEngine } from './compute.ts';
import { Dag, dependenciesOf, type ForEach, type Step, TRIGGERS } from './dag.ts';
import { materializeIssues } from './fusion.ts';
import { itemIssues, parameterIssues } from './parameters.ts';
import { portIssues } from './port-issues.ts';
import { readablePart, withoutConsequences } from './readable-part.ts';
import { recipeIssues } from './recipe-issues.ts';
import { referenceIssues } from './references.ts';
import { configIssues, inputsOf, readsOneStep } from './step-configs.ts';
import { streamLoadIssues } from './stream-loads.ts';
import { whenIssues } from './when.ts';

/**
 * Every issue of a definition at once, each with its place (a JSON pointer such as `/dag/steps/3/dependsOn/0`), for a
 * deployment with the `extra` engines. The engine function checks SQL and code; see `text-check.ts`.
 */
export function findDagIssues(value: unknown, extra: ReadonlySet<ExtraEngine> = new Set()): Issue[] {
  if (hasShape(Dag, value)) return contentIssues(value, extra);
  const broken = shapeIssuesOf(value);
  const part = readablePart(value);
  return part ? [...broken, ...withoutConsequences(contentIssues(part, extra), broken)] : broken;
}

function contentIssues(dag: Dag, extra: ReadonlySet<ExtraEngine>): Issue[] {
  const loads = new Set(dag.steps.filter((step) => step.type === 'load').map((step) => step.id));
  return [
    ...duplicateIssues(dag.steps),
    ...dag.steps.flatMap((step, index) => {
      const place = `/dag/steps/${index}`;
      return [
        ...dependencyIssues(step, dag.steps, place),
        ...portIssues(step, dag.steps, place),
        ...configIssues(step, place, extra),
        ...inputIssues(step, loads, place),
        ...referenceIssues(dag, step, place),
        ...(step.when ? whenIssues(step.when, dag.parameters ?? [], place) : []),
      ];
    }),
    ...recipeIssues(dag.steps),
    ...materializeIssues(dag),
    ...streamLoadIssues(dag),
    ...cycleIssues(dag.steps),
    ...parameterIssues(dag.parameters ?? [], '/dag/parameters'),
    ...forEachIssues(dag),
    ...(dag.schedule ? scheduleIssues(dag.schedule, '/dag/schedule') : []),
  ];
}

const TRIGGER = '/dag/trigger';

/** The issues of the shape. Those of a trigger are of its own kind only, not of every kind of the union. */
export function shapeIssuesOf(value: unknown): Issue[] {
  const { trigger } = (value ?? {}) as { trigger?: unknown };
  const others = shapeIssues(Dag, value, '/dag').filter(({ pointer }) => !`${pointer}/`.startsWith(`${TRIGGER}/`));
  return trigger === undefined ? others : [...others, ...triggerIssues(trigger)];
}

function triggerIssues(trigger: unknown): Issue[] {
  const { kind } = (trigger ?? {}) as { kind?: unknown };
  if (typeof kind === 'string' && Object.hasOwn(TRIGGERS, kind)) {
    return shapeIssues(TRIGGERS[kind as keyof typeof TRIGGERS], trigger, TRIGGER);
  }
  return shapeIssues(Type.Object({ kind: StringEnum(Object.keys(TRIGGERS)) }), trigger, TRIGGER);
}

function duplicateIssues(steps: readonly Step[]): Issue[] {
  return steps.flatMap((step, index) =>
    steps.findIndex((other) => other.id === step.id) < index
      ? [
          {
            pointer: `/dag/steps/${index}/id`,
            code: 'STEP_DUPLICATE',
            message: `The step id "${step.id}" is used twice.`,
          },
        ]
      : [],
  );
}

function dependencyIssues(step: Step, steps: readonly Step[], place: string): Issue[] {
  return dependenciesOf(step).flatMap((id, index) => {
    const pointer = `${place}/dependsOn/${index}`;
    if (id === step.id) return [{ pointer, code: 'STEP_SELF_REFERENCE', message: 'A step cannot depend on itself.' }];
    if (!steps.some((other) => other.id === id)) {
      return [
        unknownStep(
          id,
          steps.filter((other) => other !== step),
          pointer,
        ),
      ];
    }
    return dependenciesOf(step).indexOf(id) < index
      ? [{ pointer, code: 'DUPLICATE', message: `The step "${id}" is listed twice.` }]
      : [];
  });
}

function unknownStep(id: string, steps: readonly Step[], pointer: string): Issue {
  const ids = steps.map((step) => step.id);
  return { pointer, code: 'STEP_UNKNOWN', message: `Unknown step "${id}"${didYouMean(id, ids)}` };
}

function inputIssues(step: Step, loads: ReadonlySet<string>, place: string): Issue[] {
  if (step.type === 'extract') return [];
  const single = readsOneStep(step);
  const named = single ? (step.config.input ?? step.config.inputs) : step.config.inputs;
  const inputs = Object.entries(inputsOf(step, loads)).filter(([, id]) => typeof id === 'string');
  const pointerOf = (alias: string) => (single ? `${place}/config/input` : `${place}/config/inputs/${alias}`);
  if (single && named === undefined) {
    const data = dependenciesOf(step).filter((id) => !loads.has(id));
    if (data.length !== 1) {
      const message = 'is required unless the step depends on exactly one step with rows';
      return [{ pointer: `${place}/config/input`, code: 'REQUIRED', message }];
    }
  }
  const aliases = dependenciesOf(step).map((id) => id.replaceAll('-', '_'));
  const clash = aliases.find((alias, index) => aliases.indexOf(alias) < index);
  if (step.type === 'transform_sql' && named === undefined && clash !== undefined) {
    const message = `is required: two dependencies would both get the alias "${clash}"; name the inputs`;
    return [{ pointer: `${place}/config/inputs`, code: 'REQUIRED', message }];
  }
  return inputs.flatMap(([alias, id]) => {
    if (!dependenciesOf(step).includes(id)) {
      const message = `Add the step "${id}" to dependsOn.`;
      return [{ pointer: pointerOf(alias), code: 'INPUT_NOT_A_DEPENDENCY', message }];
    }
    if (loads.has(id)) {
      const message = `The load "${id}" has no output rows; read from the step before it.`;
      return [{ pointer: pointerOf(alias), code: 'INPUT_WITHOUT_ROWS', message }];
    }
    return [];
  });
}

/** One issue per cycle, naming its steps in order. */
function cycleIssues(steps: readonly Step[]): Issue[] {
  // Steps that share an id, itself an issue, count as one.
  const before = new Map<string, string[]>();
  for (const step of steps) before.set(step.id, [...(before.get(step.id) ?? []), ...dependenciesOf(step)]);
  const done = new Set<string>();
  const issues: Issue[] = [];
  const visit = (id: string, path: readonly string[]): void => {
    const start = path.indexOf(id);
    if (start >= 0) {
      const cycle = [...path.slice(start), id];
      if (cycle.length > 2) {
        const index = steps.findIndex((step) => step.id === id);
        const message = `The steps depend on each other in a cycle: ${cycle.join(' → ')}.`;
        issues.push({ pointer: `/dag/steps/${index}/dependsOn`, code: 'STEP_CYCLE', message });
      }
      return;
    }
    if (done.has(id)) return;
    for (const dependency of before.get(id) ?? []) visit(dependency, [...path, id]);
    done.add(id);
  };
  for (const step of steps) visit(step.id, []);
  return issues;
}

function forEachIssues(dag: Dag): Issue[] {
  const blocks = dag.forEach ?? [];
  const seen = new Map<string, string>();
  return blocks.flatMap((block, index) => {
    const at = `/dag/forEach/${index}`;
    const issues: Issue[] = [];
    if (blocks.findIndex((other) => other.id === block.id) < index) {
      issues.push({ pointer: `${at}/id`, code: 'DUPLICATE', message: `The block id "${block.id}" is used twice.` });
    }
    for (const [place, id] of block.steps.entries()) {
      const pointer = `${at}/steps/${place}`;
      if (!dag.steps.some((step) => step.id === id)) issues.push(unknownStep(id, dag.steps, pointer));
      const other = seen.get(id);
      if (other !== undefined) {
        issues.push({
          pointer,
          code: 'FOR_EACH_OVERLAP',
          message: `The step "${id}" already belongs to the block "${other}".`,
        });
      }
      seen.set(id, block.id);
    }
    return [...issues, ...itemsIssues(block, dag, at)];
  });
}

function itemsIssues(block: ForEach, dag: Dag, at: string): Issue[] {
  const name = listParameterOf(block);
  if (name === undefined) {
    return [...block.items].flatMap((item, index) => itemIssues(item, `${at}/items/${index}`));
  }
  const parameter = dag.parameters?.find((candidate) => candidate.name === name);
  if (parameter?.type === 'list') return [];
  if (parameter) return [{ pointer: `${at}/items`, code: 'TYPE', message: `The parameter "${name}" must be a list.` }];
  const lists = (dag.parameters ?? []).filter(({ type }) => type === 'list').map((each) => each.name);
  const message = `Unknown parameter "${name}"${didYouMean(name, lists)}`;
  return [{ pointer: `${at}/items`, code: 'PARAMETER_UNKNOWN', message }];
}

/** The list parameter that holds the items of a block; undefined when the block lists them itself. */
export function listParameterOf(block: ForEach): string | undefined {
  return typeof block.items === 'string' ? /params\.(\w+)/.exec(block.items)?.[1] : undefined;
}
