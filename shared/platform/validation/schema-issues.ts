import type { Issue } from '../errors/app-error.ts';
import { type Place, placesAlong, propertiesOf, type Schema, tagOf } from './applicable.ts';
import {
  type IssueMessage,
  issueMessage,
  NO_SHAPE,
  noVariant,
  REQUIRED,
  unknownMember,
  unknownVariant,
} from './issue-messages.ts';
import { escapePointer, segmentsOf } from './json-pointer.ts';

const MAX_ISSUES = 100;

/** An error as ajv and TypeBox report it. */
export interface SchemaError {
  keyword: string;
  /** The place in the value, a JSON pointer. */
  instancePath: string;
  params: object;
}

/**
 * Converts the errors of a validator to issues, each with its place under `base` (a JSON pointer such as `` or
 * `/query`). Both validators report errors for every variant of a union; only those of the intended variant become
 * issues.
 */
export function schemaIssues(errors: readonly SchemaError[], schema: object, value: unknown, base = ''): Issue[] {
  const issues = distinct(errors, base, (error) => issuesOf(error, schema as Schema, value));
  if (issues.length > 0) return issues;
  // No variant explains the errors, so all of them are reported.
  return distinct(errors, base, ({ keyword, params, instancePath }) => [
    issue(instancePath, issueMessage(keyword, params as Schema)),
  ]);
}

function distinct(errors: readonly SchemaError[], base: string, read: (error: SchemaError) => Issue[]): Issue[] {
  const issues = new Map<string, Issue>();
  for (const found of lazily(errors, read)) {
    const id = `${found.pointer} ${found.code}`;
    if (!issues.has(id)) issues.set(id, { ...found, pointer: base + found.pointer });
    if (issues.size === MAX_ISSUES) break;
  }
  return [...issues.values()];
}

/** Lazy, because a malicious body can cause a hundred thousand errors, of which few are reported. */
function* lazily(errors: readonly SchemaError[], read: (error: SchemaError) => Issue[]): Generator<Issue> {
  for (const error of errors) yield* read(error);
}

function issuesOf(error: SchemaError, schema: Schema, value: unknown): Issue[] {
  const { instancePath: at, keyword } = error;
  const params = error.params as Record<string, unknown>;
  const places = placesAlong(schema, value, segmentsOf(at));
  const place = places.at(-1)!;
  if (places.slice(0, -1).some(({ isAmbiguous }) => isAmbiguous)) return [];
  if (['anyOf', 'oneOf', 'discriminator'].includes(keyword)) return unionIssues(place, at);
  if (place.isAmbiguous) return [];
  switch (keyword) {
    case 'required':
      return missing(params)
        .filter((name) => place.schemas.some(({ required }) => ((required ?? []) as string[]).includes(name)))
        .map((name) => issue(`${at}/${escapePointer(name)}`, REQUIRED));
    case 'additionalProperties':
      return unknownNames(params)
        .filter((name) => isUnknown(place, name))
        .map((name) => issue(`${at}/${escapePointer(name)}`, unknownMember(name, knownMembers(place))));
    // `additionalProperties` reports the same with the names.
    case 'boolean':
      return [];
    default: {
      const own = place.schemas.find((each) => isErrorOf(each, keyword, params));
      return own ? [issue(at, withHint(own, issueMessage(keyword, params, place.value), place.value))] : [];
    }
  }
}

/** `x-hints` of a schema says for values that it rejects what to do instead. */
function withHint(schema: Schema, { code, message }: IssueMessage, value: unknown): IssueMessage {
  const hints = (schema['x-hints'] ?? {}) as Record<string, string>;
  const hint = typeof value === 'string' && Object.hasOwn(hints, value) ? hints[value] : undefined;
  return { code, message: hint === undefined ? message : `${message}; ${hint}` };
}

/** Whether the error comes from this schema, not from a variant that the value does not intend. */
function isErrorOf(schema: Schema, keyword: string, params: Schema): boolean {
  const reported = params[PARAMETERS[keyword] ?? keyword];
  return keyword in schema && (reported === undefined || JSON.stringify(reported) === JSON.stringify(schema[keyword]));
}

/** The names that validators use for a keyword's value, where they differ from the keyword. */
const PARAMETERS: Record<string, string> = { const: 'allowedValue', enum: 'allowedValues' };

function unionIssues(place: Place, at: string): Issue[] {
  if (place.isAmbiguous) return [issue(at, NO_SHAPE)];
  return place.unmatched.map((union) => {
    const tag = tagOf(union);
    if (!tag || typeof place.value !== 'object' || place.value === null)
      return issue(at, noVariant(union, place.value));
    const pointer = `${at}/${escapePointer(tag.name)}`;
    const given = (place.value as Schema)[tag.name];
    return issue(pointer, given === undefined ? REQUIRED : unknownVariant(given, tag.values));
  });
}

const issue = (pointer: string, { code, message }: IssueMessage): Issue => ({ pointer, code, message });

/** ajv reports one name per error, TypeBox all names of an object. */
const missing = (params: Schema) => [params.missingProperty ?? params.requiredProperties].flat() as string[];
const unknownNames = (params: Schema) => [params.additionalProperty ?? params.additionalProperties].flat() as string[];

function isUnknown({ schemas }: Place, name: string): boolean {
  return schemas.some((each) => each.additionalProperties === false && !Object.hasOwn(propertiesOf(each), name));
}

const knownMembers = ({ schemas }: Place) => [...new Set(schemas.flatMap((each) => Object.keys(propertiesOf(each))))];
