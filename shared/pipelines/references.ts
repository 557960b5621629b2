import { EngineError } from '../engine/engine-error.ts';
import type { Fault } from '../errors/app-error.ts';
import { authorTexts } from '../recipe/compile.ts';
import { bindTemplates, templateReferences } from '../sql/templates.ts';
import { recipeOf, recipePlaces } from './configs/transform-sql.ts';
import type { Dag, Step } from './dag.ts';
import { escapePointer } from './shape-faults.ts';

export type Scalar = string | number | boolean;
export type ParameterValue = Scalar | readonly (string | number)[] | null;

/** What the double-brace references of a step stand for, looked up along their dots. */
export interface ReferenceValues extends Record<string, unknown> {
  params: Record<string, ParameterValue>;
  run: { id: string; logicalDate: string | null; intervalStart: string | null; intervalEnd: string | null };
  forEach: Record<string, { item: string | number; index: number }>;
  /** What the trigger has brought; null in a run that was started otherwise. */
  trigger: { body?: string | null; files?: readonly string[] | null; upstreamRunId?: string | null };
}

const BROUGHT = {
  webhook: { body: '' },
  file_arrival: { files: [''] },
  pipeline: { upstreamRunId: '' },
} as const;

/** Values of the right kinds for every reference that a step may use, to check its texts before any run exists. */
export function sampleValues(dag: Dag, stepId: string): ReferenceValues {
  const samples = { string: '', number: 0, boolean: true, list: [''] } as const;
  return {
    params: Object.fromEntries((dag.parameters ?? []).map(({ name, type }) => [name, samples[type]])),
    run: { id: '', logicalDate: '', intervalStart: '', intervalEnd: '' },
    forEach: Object.fromEntries(
      (dag.forEach ?? []).filter((block) => block.steps.includes(stepId)).map(({ id }) => [id, { item: '', index: 0 }]),
    ),
    trigger: dag.trigger ? BROUGHT[dag.trigger.kind] : {},
  };
}

/** A text of a step that is bound or filled at run time. */
export interface StepText {
  pointer: string;
  text: string;
  /** SQL takes its references as bound parameters; other texts get them written in. */
  kind: 'sql' | 'plain';
}

export function textsOf(step: Step, place: string): StepText[] {
  const at = `${place}/config`;
  const found: StepText[] = [];
  const add = (pointer: string, text: unknown, kind: StepText['kind']) => {
    if (typeof text === 'string') found.push({ pointer, text, kind });
  };
  if (step.type === 'transform_sql') {
    add(`${at}/sql`, step.config.sql, 'sql');
    for (const [index, op] of (recipeOf(step.config) ?? []).entries()) {
      const place = recipePlaces(step.config, at)[index];
      for (const { member, text } of authorTexts(op)) add(`${place}/${member}`, text, 'sql');
    }
  }
  if (step.type === 'route' && Array.isArray(step.config.routes)) {
    for (const [index, route] of step.config.routes.entries()) {
      add(`${at}/routes/${index}/condition`, route?.condition, 'sql');
    }
  }
  if (Array.isArray(step.config.gates)) {
    for (const [index, gate] of step.config.gates.entries()) {
      for (const member of ['where', 'sql'])
        add(`${at}/gates/${index}/config/${member}`, gate?.config?.[member], 'sql');
    }
  }
  if (step.type === 'load') {
    add(`${at}/target/path`, (step.config.target as { path?: unknown } | undefined)?.path, 'plain');
  }
  if (step.type === 'transform_code') {
    for (const [name, text] of Object.entries((step.config.env ?? {}) as object)) {
      add(`${at}/env/${escapePointer(name)}`, text, 'plain');
    }
  }
  if (step.type === 'extract') {
    const object = (step.config.object ?? {}) as Record<string, unknown>;
    add(`${at}/object/query`, object.query, 'sql');
    for (const name of ['path', 'schema', 'table']) add(`${at}/object/${escapePointer(name)}`, object[name], 'plain');
    const incremental = (step.config.incremental ?? {}) as Record<string, unknown>;
    add(`${at}/incremental/initialValue`, incremental.initialValue, 'plain');
  }
  return found;
}

/** References that do not exist, or stand where no value can go. */
export function referenceFaults(dag: Dag, step: Step, place: string): Fault[] {
  const values = sampleValues(dag, step.id);
  return textsOf(step, place).flatMap(({ pointer, text, kind }) => {
    if (kind === 'plain') {
      return templateReferences(text)
        .filter((reference) => lookUp(values, reference) === undefined)
        .map((reference) => unknownReference(pointer, reference));
    }
    try {
      bindTemplates(text, values);
      return [];
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const secret = templateReferences(text).find((reference) => reference.startsWith('secrets.'));
      if (secret !== undefined) return [unknownReference(pointer, secret)];
      return error.faults.map((fault) => ({ pointer, code: 'TEMPLATE_INVALID', message: fault.message }));
    }
  });
}

function unknownReference(pointer: string, reference: string): Fault {
  if (reference.startsWith('secrets.')) {
    const message = `{{ ${reference} }} is not available: secrets are used by data sources alone, and never shown to a step`;
    return { pointer, code: 'SETTING_NOT_AVAILABLE', message };
  }
  return { pointer, code: 'TEMPLATE_INVALID', message: `There is no {{ ${reference} }}.` };
}

const REFERENCE = /\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}/g;

/** Writes the values into a text that is no SQL, such as the path of a file. */
export function fillTemplate(text: string, values: ReferenceValues): string {
  return text.replaceAll(REFERENCE, (_all, reference: string) => String(lookUp(values, reference) ?? ''));
}

function lookUp(values: Record<string, unknown>, reference: string): unknown {
  let value: unknown = values;
  for (const name of reference.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
