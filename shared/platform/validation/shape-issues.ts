import type { Static, TSchema } from 'typebox';
import { Settings } from 'typebox/system';
import { Check, Errors } from 'typebox/value';
import type { Issue } from '../errors/app-error.ts';
import { schemaIssues } from './schema-issues.ts';

// The default limit is eight errors, but a definition reports every issue.
Settings.Set({ maxErrors: 1000 });

/** Whether a value matches a schema, without compiling it: for parts of a definition that depend on the step's type. */
export function hasShape<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  return Check(schema, value);
}

/**
 * Every issue of a value against a schema, each with its place under `base`, with the messages of the request
 * validation.
 */
export function shapeIssues(schema: TSchema, value: unknown, base: string): Issue[] {
  return schemaIssues(Errors(schema, value), schema, value, base);
}
