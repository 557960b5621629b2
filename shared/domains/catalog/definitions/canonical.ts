import { createHash } from 'node:crypto';
import type { TSchema } from 'typebox';
import {
  applicableSchemas,
  memberSchemas,
  propertiesOf,
  type Schema,
} from '../../../platform/validation/applicable.ts';

/**
 * The value in the only form that a file of it has: members in the order of the schema, without those that have their
 * default.
 */
export const canonical = <T>(schema: TSchema, value: T): T => formed([schema as unknown as Schema], value) as T;

function formed(given: readonly Schema[], value: unknown): unknown {
  const schemas = applicableSchemas(given, value);
  const inner = (segment: string) => schemas.flatMap((schema) => memberSchemas(schema, segment));
  if (Array.isArray(value)) return value.map((item, index) => formed(inner(String(index)), item));
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  const kept: [string, unknown][] = [];
  for (const name of namesInOrder(schemas, members)) {
    const below = inner(name);
    const member = formed(below, members[name]);
    if (member !== undefined && !isDefault(below, member)) kept.push([name, member]);
  }
  return Object.fromEntries(kept);
}

function namesInOrder(schemas: readonly Schema[], members: Record<string, unknown>): string[] {
  const declared = new Set(schemas.flatMap((schema) => Object.keys(propertiesOf(schema))));
  const others = Object.keys(members).filter((name) => !declared.has(name));
  return [...[...declared].filter((name) => Object.hasOwn(members, name)), ...others.sort()];
}

const isDefault = (schemas: readonly Schema[], value: unknown): boolean =>
  schemas.some((schema) => 'default' in schema && JSON.stringify(schema.default) === JSON.stringify(value));

/** Identifies the content of a file, whatever its comments and the order of its members. */
export const digestOf = (canonicalFile: object): string =>
  createHash('sha256').update(JSON.stringify(canonicalFile)).digest('hex');
