import type { Static, TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';
import type { Issue } from '../errors/app-error.ts';

/** Whether a value has a shape, without compiling it: for the parts of a definition that only a step's type decides. */
export function hasShape<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  return Check(schema, value);
}

/** Every issue of a value against a schema, each with its place under `base`, in the words of the request validation. */
export function shapeIssues(schema: TSchema, value: unknown, base: string): Issue[] {
  const issues = new Map<string, Issue>();
  for (const error of Errors(schema, value)) {
    for (const issue of toIssues(error, base + error.instancePath)) {
      const id = `${issue.pointer} ${issue.code}`;
      if (!issues.has(id)) issues.set(id, issue);
    }
  }
  return [...issues.values()];
}

function toIssues(error: { keyword: string; params: object; message: string }, place: string): Issue[] {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'boolean':
      return [{ pointer: place, code: 'UNKNOWN_MEMBER', message: 'is not a known member here' }];
    // Told by `boolean`, with the place of each member.
    case 'additionalProperties':
      return [];
    case 'required':
      return (params.requiredProperties as string[]).map((name) => ({
        pointer: `${place}/${escapePointer(name)}`,
        code: 'REQUIRED',
        message: 'is required',
      }));
    case 'enum':
      return [
        {
          pointer: place,
          code: 'ENUM',
          message: `must be one of ${(params.allowedValues as unknown[]).map((word) => JSON.stringify(word)).join(', ')}`,
        },
      ];
    case 'anyOf':
      return [{ pointer: place, code: 'SHAPE', message: 'has none of the allowed shapes' }];
    default:
      return [
        {
          pointer: place,
          code: error.keyword.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
          message: error.message,
        },
      ];
  }
}

export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
