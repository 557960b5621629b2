import { isDeepStrictEqual } from 'node:util';
import type { Block } from './nodes.ts';

/**
 * The list in which blocks without an id that equal a known block have its id, so that clients that know nothing of
 * ids do not replace a whole section by saving it.
 */
export function keepIds(list: readonly unknown[], known: readonly Block[]): readonly unknown[] {
  const given = new Set(list.map(idOf));
  const free = known.filter(({ attrs }) => !given.has(attrs.id));
  if (free.length === 0) return list;
  return list.map((block) => {
    if (typeof block !== 'object' || block === null || idOf(block) !== undefined) return block;
    const index = free.findIndex((each) => isDeepStrictEqual(withId(block, each.attrs.id), each));
    return index < 0 ? block : free.splice(index, 1)[0];
  });
}

const idOf = (block: unknown): unknown => (block as { attrs?: { id?: unknown } | null } | null)?.attrs?.id ?? undefined;

const withId = (block: object, id: string): object => ({
  ...block,
  attrs: { ...(block as { attrs?: object }).attrs, id },
});
