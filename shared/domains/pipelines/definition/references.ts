import { authorTexts } from '../../../data/recipe/compile.ts';
import { bindTemplates, templateReferences } from '../../../data/sql/templates.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import { SECRET_NAME } from '../../secrets/index.ts';
import { escapePointer } from '../../../platform/validation/json-pointer.ts';
import { validOps } from './configs/transform-sql.ts';
import type { Dag, Step, StepType } from './dag.ts';

export type Scalar = string | number | boolean;
export type ParameterValue = Scalar | readonly (string | number)[] | null;

/** What the double-brace references of a step stand for, looked up along their dots. */
export interface ReferenceValues extends Record<string, unknown> {
  params: Record<string, ParameterValue>;
  run: { id: string; logicalDate: string | null; intervalStart: string | null; intervalEnd: string | null };
  forEach: Record<string, { item: string | number; index: number }>;
  /** What the trigger has brought; null in a run that was started otherwise. */
  trigger: { body?: string | null; files?: readonly string[] | null; upstreamRunId?: string | null };
  /** Opened for the `env` of a code step, at the moment in which the code is called, and for nothing else. */
  secrets?: Readonly<Record<string, string>>;
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
  /** Whether it may name secrets of the workspace: what it says is shown to nobody. */
  takesSecrets?: true;
}

export function textsOf(step: Step, place: string): StepText[] {
  const at = `${place}/config`;
  const found: StepText[] = [];
  const add = (pointer: string, text: unknown, kind: StepText['kind']) => {
    if (typeof text === 'string') found.push({ pointer, text, kind });
  };
  if (step.type === 'transform_sql') {
    add(`${at}/sql`, step.config.sql, 'sql');
    for (const { op, place } of validOps(step.config, at)) {
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
      const pointer = `${at}/env/${escapePointer(name)}`;
      if (typeof text === 'string') found.push({ pointer, text, kind: 'plain', takesSecrets: true });
    }
  }
  if (step.type === 'extract') {
    const object = (step.config.object ?? {}) as Record<string, unknown>;
    add(`${at}/object/query`, object.query, 'sql');
    add(`${at}/filter`, step.config.filter, 'sql');
    const filled = 'stream' in object ? [] : ['path', 'schema', 'table'];
    for (const name of filled) add(`${at}/object/${escapePointer(name)}`, object[name], 'plain');
    const incremental = (step.config.incremental ?? {}) as Record<string, unknown>;
    add(`${at}/incremental/initialValue`, incremental.initialValue, 'plain');
  }
  return found;
}

/** References that do not exist, or stand where no value can go. */
export function referenceIssues(dag: Dag, step: Step, place: string): Issue[] {
  const filled = textsOf(step, place);
  return [...filledIssues(dag, step, filled), ...unfilledIssues(step, place, filled)];
}

/** Texts of a language in which two braces may mean something else, or that are checked with what they belong to. */
const NOT_JUDGED: Partial<Record<StepType, string>> = { transform_code: 'code', transform_sql: 'ops' };

/** What looks like a reference in a text that nobody fills would go on as the text that it is, a backslash before it included. */
function unfilledIssues({ type, config }: Step, place: string, filled: readonly StepText[]): Issue[] {
  const known = new Set(filled.map(({ pointer }) => pointer));
  const walk = (value: unknown, pointer: string): Issue[] => {
    if (typeof value === 'string')
      return known.has(pointer) ? [] : referencesIn(value.replaceAll('\\{{', '{{')).map((of) => unfilled(pointer, of));
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, each]) => walk(each, `${pointer}/${escapePointer(name)}`));
  };
  const checked = Object.entries(config).filter(([name]) => name !== NOT_JUDGED[type]);
  return walk(Object.fromEntries(checked), `${place}/config`);
}

function unfilled(pointer: string, reference: string): Issue {
  if (secretNameOf(reference)) return unknownReference(pointer, reference);
  return { pointer, code: 'TEMPLATE_INVALID', message: `{{ ${reference} }} cannot stand here: nothing is filled in` };
}

function filledIssues(dag: Dag, step: Step, texts: readonly StepText[]): Issue[] {
  const values = sampleValues(dag, step.id);
  return texts.flatMap(({ pointer, text, kind, takesSecrets }) => {
    if (kind === 'plain') {
      const unknown = referencesIn(text)
        .filter((reference) => lookUp(values, reference) === undefined)
        .filter((reference) => !(takesSecrets && secretNameOf(reference)))
        .map((reference) => unknownReference(pointer, reference));
      // What is meant as a reference must not reach the code as a text.
      if (!/\{\{\s*secrets\b/.test(text.replaceAll(REFERENCE, ''))) return unknown;
      const message = 'a reference to a secret must look like {{ secrets.name }}';
      return [...unknown, { pointer, code: 'TEMPLATE_INVALID', message }];
    }
    try {
      bindTemplates(text, values);
      return [];
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      const secret = templateReferences(text).find(secretNameOf);
      if (secret !== undefined) return [unknownReference(pointer, secret)];
      return error.issues.map((issue) => ({ pointer, code: 'TEMPLATE_INVALID', message: issue.message }));
    }
  });
}

function unknownReference(pointer: string, reference: string): Issue {
  if (secretNameOf(reference)) {
    const message = `{{ ${reference} }} cannot stand here: secrets are for the env of code steps alone`;
    return { pointer, code: 'SECRET_NOT_ALLOWED', message };
  }
  return { pointer, code: 'TEMPLATE_INVALID', message: `There is no {{ ${reference} }}.` };
}

/** As elsewhere, a backslash before it makes text of a reference, and two of them are a backslash before its value. */
const REFERENCE = /(\\{0,2})\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}/g;
const ESCAPE = '\\';

/** The references of a text that is no SQL, each once, in the places in which `fillTemplate` writes. */
export function referencesIn(text: string): string[] {
  return [...new Set([...text.matchAll(REFERENCE)].flatMap(([, slashes, of]) => (slashes === ESCAPE ? [] : of!)))];
}

const SECRET = new RegExp(SECRET_NAME);

/** The name of the secret that a reference such as `secrets.API_KEY` stands for; undefined when it is no such reference. */
export function secretNameOf(reference: string): string | undefined {
  const name = /^secrets\.(.*)$/.exec(reference)?.[1];
  return name !== undefined && SECRET.test(name) ? name : undefined;
}

/** Writes the values into a text that is no SQL, such as the path of a file. */
export function fillTemplate(text: string, values: ReferenceValues): string {
  return text.replaceAll(REFERENCE, (all, slashes: string, reference: string) =>
    slashes === ESCAPE ? all.slice(1) : `${slashes.slice(1)}${lookUp(values, reference) ?? ''}`,
  );
}

function lookUp(values: Record<string, unknown>, reference: string): unknown {
  let value: unknown = values;
  for (const name of reference.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
