import type {
  Hierarchy,
  Measure,
  ModelField,
  ModelRecord,
  ModelTable,
  Policy,
  Relationship,
  Rollup,
  Transform,
} from './records.ts';

/** The parts of a model by kind; each part is an item of the table. */
export interface Parts {
  tables: ModelTable;
  fields: ModelField;
  relationships: Relationship;
  hierarchies: Hierarchy;
  policies: Policy;
  measures: Measure;
  rollups: Rollup;
  transforms: Transform;
}
export type PartKind = keyof Parts;
export const PART_KINDS: readonly PartKind[] = [
  'tables',
  'fields',
  'relationships',
  'hierarchies',
  'policies',
  'measures',
  'rollups',
  'transforms',
];

/** The parts by id. A definition never changes: an edit makes another one. */
export type PartMaps = { readonly [K in PartKind]: ReadonlyMap<string, Parts[K]> };

export interface ModelDefinition extends PartMaps {
  readonly model: ModelRecord;
}

export type ChangedParts = { readonly [K in PartKind]?: readonly Parts[K][] };
export type RemovedParts = { readonly [K in PartKind]?: readonly string[] };

/** A change of a definition: parts to store, ids of parts to remove, and members of the record of the model. */
export interface Edit {
  put?: ChangedParts;
  remove?: RemovedParts;
  model?: Partial<ModelRecord>;
}

export const emptyParts = (): PartMaps => ({
  tables: new Map(),
  fields: new Map(),
  relationships: new Map(),
  hierarchies: new Map(),
  policies: new Map(),
  measures: new Map(),
  rollups: new Map(),
  transforms: new Map(),
});

/** The definition after the edit. Maps without changes are shared. */
export function applyEdit(definition: ModelDefinition, { put = {}, remove = {}, model }: Edit): ModelDefinition {
  const changes = put as Partial<Record<PartKind, readonly { id: string }[]>>;
  const parts = Object.fromEntries(
    PART_KINDS.map((kind) => [
      kind,
      changedMap<{ id: string }>(definition[kind], changes[kind] ?? [], remove[kind] ?? []),
    ]),
  ) as unknown as PartMaps;
  return { model: { ...definition.model, ...model, tableCount: parts.tables.size }, ...parts };
}

function changedMap<T extends { id: string }>(
  map: ReadonlyMap<string, T>,
  put: readonly T[],
  remove: readonly string[],
): ReadonlyMap<string, T> {
  if (put.length === 0 && remove.length === 0) return map;
  const next = new Map(map);
  for (const id of remove) next.delete(id);
  for (const part of put) next.set(part.id, part);
  return next;
}

/** The parts that differ between two definitions of a model. Equal parts are the same objects. */
export function differences(
  before: PartMaps,
  after: PartMaps,
): { put: { kind: PartKind; part: Parts[PartKind] }[]; remove: { kind: PartKind; id: string }[] } {
  const put: { kind: PartKind; part: Parts[PartKind] }[] = [];
  const remove: { kind: PartKind; id: string }[] = [];
  for (const kind of PART_KINDS) {
    if (before[kind] === after[kind]) continue;
    for (const part of after[kind].values()) {
      if (before[kind].get(part.id) !== part) put.push({ kind, part });
    }
    for (const id of before[kind].keys()) if (!after[kind].has(id)) remove.push({ kind, id });
  }
  return { put, remove };
}

export const fieldsOf = ({ fields }: PartMaps, tableId: string): readonly ModelField[] =>
  byTable(fields, tableId, byOrdinal);

export const transformsOf = ({ transforms }: PartMaps, tableId: string): readonly Transform[] =>
  byTable(transforms, tableId, (a, b) => a.order - b.order);

/** Maps of parts never change, so each is sorted by table once: a model may have 500 tables with 10,000 fields. */
const TABLES = new WeakMap<ReadonlyMap<string, unknown>, Map<string, unknown[]>>();

function byTable<T extends { tableId: string }>(
  parts: ReadonlyMap<string, T>,
  tableId: string,
  order: (a: T, b: T) => number,
): readonly T[] {
  let tables = TABLES.get(parts) as Map<string, T[]> | undefined;
  if (!tables) {
    tables = Map.groupBy(parts.values(), (part) => part.tableId);
    for (const list of tables.values()) list.sort(order);
    TABLES.set(parts, tables);
  }
  return tables.get(tableId) ?? [];
}

export const liveMeasures = ({ measures }: PartMaps): Measure[] =>
  [...measures.values()].filter(({ deletedAt }) => deletedAt === null);

export function byOrdinal(a: ModelField, b: ModelField): number {
  return a.ordinal - b.ordinal || (a.id < b.id ? -1 : 1);
}

/** Names are compared as the table compares unique values. */
export const folded = (name: string): string => name.normalize('NFKC').toLowerCase();

export const isSameName = (a: string, b: string): boolean => folded(a) === folded(b);
