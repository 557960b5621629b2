import { isDeepStrictEqual } from 'node:util';
import { later } from '../../../../platform/storage/ids.ts';
import { type Edit, type ModelDefinition, PART_KINDS, type PartKind, type PartMaps } from './definition.ts';
import type { Act } from './stamps.ts';

interface Stamped {
  id: string;
  updatedBy: string;
  updatedAt: string;
  revision: number;
}

/** Whether the row-level security of the version differs from that of the model. */
export const changesPolicies = (definition: ModelDefinition, version: PartMaps): boolean => {
  const { put, remove } = restoredKind(definition, version, 'policies', { by: '', at: new Date(0) });
  return put.length > 0 || remove.length > 0;
};

/** Brings all parts back to a version. Parts that are the same keep their revision. */
export function restoreParts(definition: ModelDefinition, version: PartMaps, act: Act): Edit {
  const kinds = PART_KINDS.map((kind) => [kind, restoredKind(definition, version, kind, act)] as const);
  return {
    put: Object.fromEntries(kinds.map(([kind, { put }]) => [kind, put])),
    remove: Object.fromEntries(kinds.map(([kind, { remove }]) => [kind, remove])),
  };
}

function restoredKind(
  definition: ModelDefinition,
  version: PartMaps,
  kind: PartKind,
  { by, at }: Act,
): { put: Stamped[]; remove: string[] } {
  const current = definition[kind] as ReadonlyMap<string, Stamped>;
  const wanted = version[kind] as ReadonlyMap<string, Stamped>;
  const put = [...wanted.values()].flatMap((part) => {
    const now = current.get(part.id);
    if (now && isSameContent(now, part)) return [];
    // No client has seen this revision of a part: each edit of the model adds at most one.
    const revision = now ? now.revision + 1 : definition.model.edition + 1;
    return [{ ...part, updatedBy: by, updatedAt: later(now?.updatedAt ?? part.updatedAt, at), revision }];
  });
  return { put, remove: [...current.keys()].filter((id) => !wanted.has(id)) };
}

const STAMPS: ReadonlySet<string> = new Set(['updatedBy', 'updatedAt', 'revision']);

const membersOf = (part: object): string[] => Object.keys(part).filter((name) => !STAMPS.has(name));

/** Whether nothing but stamps differs. Most members are texts, for which a comparison in depth takes long. */
function isSameContent(one: Stamped, other: Stamped): boolean {
  if (one === other) return true;
  const [was, is] = [one as unknown as Record<string, unknown>, other as unknown as Record<string, unknown>];
  const names = membersOf(was);
  return (
    names.length === membersOf(is).length &&
    names.every((name) => name in is && (Object.is(was[name], is[name]) || isDeepStrictEqual(was[name], is[name])))
  );
}
