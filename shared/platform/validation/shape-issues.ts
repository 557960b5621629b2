import type { Static, TSchema } from 'typebox';
import { Settings } from 'typebox/system';
import { Check, Errors } from 'typebox/value';
import type { Issue } from '../errors/app-error.ts';
import { schemaIssues } from './schema-issues.ts';

// It stops at eight otherwise, and a definition reports every issue at once.
Settings.Set({ maxErrors: 1000 });

/** Whether a value has a shape, without compiling it: for the parts of a definition that only a step's type decides. */
export function hasShape<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  return Check(schema, value);
}

/** Every issue of a value against a schema, each with its place under `base`, in the words of the request validation. */
export function shapeIssues(schema: TSchema, value: unknown, base: string): Issue[] {
  return schemaIssues(Errors(schema, value), schema, value, base);
}
