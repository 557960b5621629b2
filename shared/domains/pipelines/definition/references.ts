import { authorTexts } from '../../../data/recipe/compile.ts';
import { bindTemplates, templateReferences, unknownReference } from '../../../data/sql/templates.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import { escapePointer } from '../../../platform/validation/json-pointer.ts';
import { SECRET_NAME } from '../../warehouse/secrets/index.ts';
import { validOps } from './configs/transform-sql.ts';
import type { Dag, Step, StepType } from './dag.ts';
import { asObject } from './readable-part.ts';

export type Scalar = string | number | boolean;
export type ParameterValue = Scalar | readonly (string | number)[] | null;

/** The values of the `{{ references }}` of a step; dots lead to members. */
export interface ReferenceValues extends Record<string, unknown> {
  params: Record<string, ParameterValue>;
  run: { id: string; logicalDate: string | null; intervalStart: string | null; intervalEnd: string | null };
  forEach: Record<string, { item: string | number; index: number }>;
  /** The input of the trigger; null in a run that was started in another way. */
  trigger: { body?: string | null; files?: readonly string[] | null; upstreamRunId?: string | null };
  /** Decrypted only for the `env` of a code step, right before the code is called. */
  secrets?: Readonly<Record<string, string>>;
}

const TRIGGER_SAMPLES = {
  webhook: { body: '' },
  file_arrival: { files: [''] },
  pipeline: { upstreamRunId: '' },
} as const;

/** A value of the right type for every reference that a step may use, to check its texts before any run exists. */
export function sampleValues(dag: Dag, stepId: string): ReferenceValues {
  const samples = { string: '', number: 0, boolean: true, list: [''] } as const;
  return {
    params: Object.fromEntries((dag.parameters ?? []).map(({ name, type }) => [name, samples[type]])),
    run: { id: '', logicalDate: '', intervalStart: '', intervalEnd: '' },
    forEach: Object.fromEntries(
      (dag.forEach ?? []).filter((block) => block.steps.includes(stepId)).map(({ id }) => [id, { item: '', index: 0 }]),
    ),
    trigger: dag.trigger ? TRIGGER_SAMPLES[dag.trigger.kind] : {},
  };
}

/** A text of a step whose references are replaced at run time. */
export interface StepText {
  pointer: string;
  text: string;
  /** References in SQL become bound parameters; in other texts their values replace them. */
  kind: 'sql' | 'plain';
  /** Whether it may use secrets of the workspace, because its value is never shown. */
  takesSecrets?: true;
}

/** The texts of a step in which references are replaced. */
export function textsOf(step: Step, place: string): StepText[] {
  const at = `${place}/config`;
  return [...OWN_TEXTS[step.type](step.config, at), ...gateTexts(step.config, at)].flatMap(({ text, ...about }) =>
    typeof text === 'string' ? [{ ...about, text }] : [],
  );
}

/** A value that is a text if the step is valid. */
type Candidate = Omit<StepText, 'text'> & { text: unknown };

const OWN_TEXTS: Record<StepType, (config: Step['config'], at: string) => Candidate[]> = {
  extract: extractTexts,
  load: ({ target }, at) => [
    { pointer: `${at}/target/path`, text: (target as { path?: unknown } | undefined)?.path, kind: 'plain' },
  ],
  transform_sql: (config, at) => [
    { pointer: `${at}/sql`, text: config.sql, kind: 'sql' },
    ...validOps(config, at).flatMap(({ op, place }) =>
      authorTexts(op).map(({ member, text }) => ({ pointer: `${place}/${member}`, text, kind: 'sql' as const })),
    ),
  ],
  transform_code: ({ env }, at) =>
    Object.entries((env ?? {}) as object).map(([name, text]) => ({
      pointer: `${at}/env/${escapePointer(name)}`,
      text,
      kind: 'plain',
      takesSecrets: true,
    })),
  route: ({ routes }, at) =>
    (Array.isArray(routes) ? routes : []).map((route, index) => ({
      pointer: `${at}/routes/${index}/condition`,
      text: route?.condition,
      kind: 'sql',
    })),
};

function extractTexts(config: Step['config'], at: string): Candidate[] {
  const object = asObject(config.object);
  const filled = 'stream' in object ? [] : ['path', 'schema', 'table', 'dataset'];
  const { initialValue } = asObject(config.incremental);
  return [
    { pointer: `${at}/object/query`, text: object.query, kind: 'sql' },
    { pointer: `${at}/filter`, text: config.filter, kind: 'sql' },
    ...filled.map((name): Candidate => ({ pointer: `${at}/object/${name}`, text: object[name], kind: 'plain' })),
    { pointer: `${at}/incremental/initialValue`, text: initialValue, kind: 'plain' },
  ];
}

function gateTexts({ gates }: Step['config'], at: string): Candidate[] {
  return (Array.isArray(gates) ? gates : []).flatMap((gate, index) =>
    ['where', 'sql'].map((member) => ({
      pointer: `${at}/gates/${index}/config/${member}`,
      text: gate?.config?.[member],
      kind: 'sql' as const,
    })),
  );
}

/** Reports unknown references, and references in texts where they are not replaced. */
export function referenceIssues(dag: Dag, step: Step, place: string): Issue[] {
  const filled = textsOf(step, place);
  return [...filledIssues(dag, step, filled), ...unfilledIssues(step, place, filled)];
}

/** In code two braces may mean something else; operations are checked by their own validation. */
const NOT_CHECKED: Partial<Record<StepType, string>> = { transform_code: 'code', transform_sql: 'ops' };

/** Without this check such a reference, and a backslash before it, would silently remain as literal text. */
function unfilledIssues({ type, config }: Step, place: string, filled: readonly StepText[]): Issue[] {
  const known = new Set(filled.map(({ pointer }) => pointer));
  const walk = (value: unknown, pointer: string): Issue[] => {
    if (typeof value === 'string')
      return known.has(pointer) ? [] : referencesIn(value.replaceAll('\\{{', '{{')).map((of) => unfilled(pointer, of));
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, each]) => walk(each, `${pointer}/${escapePointer(name)}`));
  };
  const checked = Object.entries(config).filter(([name]) => name !== NOT_CHECKED[type]);
  return walk(Object.fromEntries(checked), `${place}/config`);
}

function unfilled(pointer: string, reference: string): Issue {
  if (secretNameOf(reference)) return secretNotAllowed(pointer, reference);
  const message = `References are not replaced here; write a fixed value instead of {{ ${reference} }}.`;
  return { pointer, code: 'TEMPLATE_INVALID', message };
}

function filledIssues(dag: Dag, step: Step, texts: readonly StepText[]): Issue[] {
  const values = sampleValues(dag, step.id);
  return texts.flatMap(({ pointer, text, kind, takesSecrets }) => {
    if (kind === 'plain') {
      const unknown = referencesIn(text)
        .filter((reference) => lookUp(values, reference) === undefined)
        .filter((reference) => !(takesSecrets && secretNameOf(reference)))
        .map((reference) => unknownIssue(pointer, reference, values));
      // A malformed reference to a secret must not reach the code as text.
      if (!/\{\{\s*secrets\b/.test(text.replaceAll(REFERENCE, ''))) return unknown;
      const message = 'Write a reference to a secret as {{ secrets.NAME }}.';
      return [...unknown, { pointer, code: 'TEMPLATE_INVALID', message }];
    }
    try {
      bindTemplates(text, values);
      return [];
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      const secret = templateReferences(text).find(secretNameOf);
      if (secret !== undefined) return [secretNotAllowed(pointer, secret)];
      return error.issues.map((issue) => ({ pointer, code: 'TEMPLATE_INVALID', message: issue.message }));
    }
  });
}

function secretNotAllowed(pointer: string, reference: string): Issue {
  const message = `{{ ${reference} }} is not allowed here; only the env of a transform_code step can use secrets.`;
  return { pointer, code: 'SECRET_NOT_ALLOWED', message };
}

function unknownIssue(pointer: string, reference: string, values: ReferenceValues): Issue {
  if (secretNameOf(reference)) return secretNotAllowed(pointer, reference);
  return { pointer, code: 'TEMPLATE_INVALID', message: unknownReference(reference, values) };
}

/** One backslash escapes a reference; two are one literal backslash before its value. */
const REFERENCE = /(\\{0,2})\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}/g;
const ESCAPE = '\\';

/** The references that `fillTemplate` replaces in a text that is not SQL, each once. */
export function referencesIn(text: string): string[] {
  return [...new Set([...text.matchAll(REFERENCE)].flatMap(([, slashes, of]) => (slashes === ESCAPE ? [] : of!)))];
}

const SECRET = new RegExp(SECRET_NAME);

/** The name of the secret in a reference such as `secrets.API_KEY`; undefined for other references. */
export function secretNameOf(reference: string): string | undefined {
  const name = /^secrets\.(.*)$/.exec(reference)?.[1];
  return name !== undefined && SECRET.test(name) ? name : undefined;
}

/** Replaces the references in a text that is not SQL, such as the path of a file. */
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
