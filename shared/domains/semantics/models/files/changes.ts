import { isDeepStrictEqual } from 'node:util';
import {
  applyEdit,
  type Edit,
  type ModelDefinition,
  PART_KINDS,
  type PartKind,
  type Parts,
} from '../definition/definition.ts';
import type { ModelRecord } from '../definition/records.ts';
import { partName, viewOf } from './views.ts';

/** What an edit changes, by the names of parts. */
export interface PartChanges {
  total: number;
  added: string[];
  changed: { name: string; members: string[] }[];
  removed: string[];
}

const RECORD_MEMBERS = ['name', 'description', 'calendar', 'parameters'] as const;

export type ModelChanges = { model: (typeof RECORD_MEMBERS)[number][] } & Record<PartKind, PartChanges>;

/** The maximum number of names of one list. */
export const MAX_NAMES = 1000;

export function changesOf(before: ModelDefinition, edit: Edit): ModelChanges {
  const after = applyEdit(before, edit);
  const kinds = PART_KINDS.map((kind) => [kind, changesOfKind(before, after, edit, kind)] as const);
  return { model: recordChanges(before.model, edit), ...(Object.fromEntries(kinds) as Record<PartKind, PartChanges>) };
}

/** What models have that were made before these members. */
const ABSENT = { calendar: null, parameters: [] };

const recordChanges = (model: ModelRecord, { model: change = {} }: Edit) =>
  RECORD_MEMBERS.filter(
    (member) => change[member] !== undefined && !isDeepStrictEqual(change[member], { ...ABSENT, ...model }[member]),
  );

const isGone = (part: object) => 'deletedAt' in part && part.deletedAt !== null;

function changesOfKind<K extends PartKind>(
  before: ModelDefinition,
  after: ModelDefinition,
  edit: Edit,
  kind: K,
): PartChanges {
  const put = (edit.put?.[kind] ?? []) as readonly Parts[K][];
  const current = before[kind] as ReadonlyMap<string, Parts[K]>;
  const ended = [...(edit.remove?.[kind] ?? []).map((id) => current.get(id)!), ...put.filter(isGone)];
  const removed = ended
    .filter((part) => !isGone(current.get(part.id)!))
    .map((part) => partName(before, kind, current.get(part.id)!));
  const live = put.filter((part) => !isGone(part));
  const added = live.filter(({ id }) => !current.has(id)).map((part) => partName(after, kind, part));
  const changed = live.flatMap((part) => {
    const was = current.get(part.id);
    if (!was) return [];
    return [
      {
        name: partName(after, kind, part),
        members: changedMembers(viewOf(before, kind, was), viewOf(after, kind, part)),
      },
    ];
  });
  return {
    total: added.length + changed.length + removed.length,
    added: added.sort().slice(0, MAX_NAMES),
    changed: changed.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_NAMES),
    removed: removed.sort().slice(0, MAX_NAMES),
  };
}

/** Without another member, the place in the list has changed. */
function changedMembers(was: object, is: object): string[] {
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  const differing = [...names].filter(
    (name) => !isDeepStrictEqual(was[name as keyof typeof was], is[name as keyof typeof is]),
  );
  return differing.length > 0 ? differing : ['order'];
}
