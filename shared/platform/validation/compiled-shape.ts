import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';

const CHECKS = new WeakMap<TSchema, (value: unknown) => boolean>();

/** As `hasShape`, for large values of a schema that stays the same: compiled once, a check takes a fiftieth. */
export function hasCompiledShape<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  const check = CHECKS.get(schema) ?? compile(schema);
  CHECKS.set(schema, check);
  return check(value);
}

function compile(schema: TSchema): (value: unknown) => boolean {
  const compiled = Compile(schema);
  return (value) => compiled.Check(value);
}
