import { isDeepStrictEqual } from 'node:util';
import { type DashboardParts, type DashboardState, PART_KINDS, type PartKind } from '../records.ts';
import type { FileContent } from './views.ts';

/** What an import changes in the parts of one kind, by their ids. */
export interface FilePartChanges {
  total: number;
  added: string[];
  changed: { id: string; members: string[] }[];
  removed: string[];
}

export const FILE_MEMBERS = ['name', 'description', 'layout', 'theme', 'filterState', 'timezone'] as const;

export type FileChanges = { dashboard: (typeof FILE_MEMBERS)[number][] } & Record<PartKind, FilePartChanges>;

/** Stamps of a part say nothing about its content. */
const STAMPS = ['createdBy', 'updatedBy', 'createdAt', 'updatedAt', 'revision', 'request', 'aiSummary'];

export function fileChanges(before: DashboardState, after: FileContent): FileChanges {
  const was = { name: before.record.name, description: before.record.description, ...before.body };
  const is = { name: after.name, description: after.description, ...after.body };
  const kinds = PART_KINDS.map((kind) => [kind, partChanges(before, after.parts, kind)] as const);
  return {
    dashboard: FILE_MEMBERS.filter((member) => was[member] !== is[member]),
    ...(Object.fromEntries(kinds) as Record<PartKind, FilePartChanges>),
  };
}

function partChanges(before: DashboardParts, after: DashboardParts, kind: PartKind): FilePartChanges {
  const was = new Map<string, object>(before[kind].map((part) => [part.id, part]));
  const is = new Map<string, object>(after[kind].map((part) => [part.id, part]));
  const added = [...is.keys()].filter((id) => !was.has(id));
  const removed = [...was.keys()].filter((id) => !is.has(id));
  const moved = movedIds(
    [...was.keys()].filter((id) => is.has(id)),
    [...is.keys()].filter((id) => was.has(id)),
  );
  const changed = [...is].flatMap(([id, part]) => {
    const old = was.get(id);
    const members = old ? [...changedMembers(old, part), ...(moved.has(id) ? ['order'] : [])] : [];
    return members.length > 0 ? [{ id, members }] : [];
  });
  return { total: added.length + changed.length + removed.length, added, changed, removed };
}

/** The parts that are at another place among those that stay. */
function movedIds(before: readonly string[], after: readonly string[]): Set<string> {
  return new Set(after.filter((id, index) => before[index] !== id));
}

function changedMembers(was: object, is: object): string[] {
  if (was === is) return [];
  return Object.keys(is).filter(
    (member) =>
      !STAMPS.includes(member) && !isDeepStrictEqual(was[member as keyof typeof was], is[member as keyof typeof is]),
  );
}
