import type { Static, TSchema } from 'typebox';
import * as Type from 'typebox';
import type { Issue } from '../errors/app-error.ts';

/** Names the member that took the place of a deprecated one; the OpenAPI document shows it. */
const REPLACED_BY = 'x-replaced-by';

/**
 * A member under its former name: still accepted in requests, where it becomes the current one, and deprecated.
 * `current` is declared beside it.
 */
export const FormerName = <S extends TSchema>(current: string, schema: S) =>
  Type.Optional(
    Type.Unsafe<Static<S>>({
      ...withoutDefault(schema),
      deprecated: true,
      description: `The former name of \`${current}\`.`,
      [REPLACED_BY]: current,
    }),
  );

function withoutDefault(schema: TSchema): Record<string, unknown> {
  const { default: _default, $id: _id, ...rest } = schema as Record<string, unknown>;
  return rest;
}

/** The same in replies, which have both names. */
export const FormerMember = <S extends TSchema>(current: string, schema: S) =>
  Type.Unsafe<Static<S>>({
    ...withoutDefault(schema),
    deprecated: true,
    description: `The former name of \`${current}\`.`,
  });

/** Former names with their current ones, of a query or a body. */
export function formerNamesIn(schema: TSchema | undefined): ReadonlyMap<string, string> {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, Record<string, unknown>> };
  return new Map(
    Object.entries(properties).flatMap(([name, { [REPLACED_BY]: current }]) =>
      typeof current === 'string' ? [[name, current]] : [],
    ),
  );
}

/**
 * The input with the current names only, an issue for each member that both names give different values, and the places
 * of members as the caller has named them.
 */
export function withCurrentNames(
  input: unknown,
  schema: TSchema | undefined,
  base = '',
): { input: unknown; issues: Issue[]; asSent: (pointer: string) => string } {
  const former = formerNamesIn(schema);
  const asIs = { input, issues: [], asSent: (pointer: string) => pointer };
  if (former.size === 0 || typeof input !== 'object' || input === null || Array.isArray(input)) return asIs;
  const next: Record<string, unknown> = { ...input };
  const sent = new Map<string, string>();
  const issues: Issue[] = [];
  for (const [old, current] of former) {
    if (!Object.hasOwn(next, old)) continue;
    const value = next[old];
    delete next[old];
    if (!Object.hasOwn(next, current)) {
      next[current] = value;
      sent.set(`${base}/${current}`, `${base}/${old}`);
    } else if (JSON.stringify(next[current]) !== JSON.stringify(value)) {
      const message = `differs from \`${current}\`, whose former name it is; send only \`${current}\``;
      issues.push({ pointer: `${base}/${old}`, code: 'CONFLICT', message });
    }
  }
  const asSent = (pointer: string): string => {
    const found = [...sent].find(([current]) => pointer === current || pointer.startsWith(`${current}/`));
    return found ? found[1] + pointer.slice(found[0].length) : pointer;
  };
  return { input: next, issues, asSent };
}
