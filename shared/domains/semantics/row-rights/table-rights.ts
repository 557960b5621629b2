import type { Dialect } from '../../../data/expressions/index.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { datasetRepository, derivedFrom } from '../../warehouse/datasets/index.ts';
import {
  DATASETS,
  type DefinitionReader,
  definitionReader,
  isSamePlace,
  labelsOf,
  listProtections,
  type ModelDefinition,
  modelOrNone,
  type Protection,
  policiesOf,
  protectedPlaces,
  type SourcePlace,
  tablesAt,
} from '../models/index.ts';
import { isAlwaysTrue } from './always-true.ts';
import { once } from './once.ts';
import { partnerTables } from './partners.ts';
import { policyCondition, type RowCondition } from './policy-condition.ts';
import { isAmong, mayReadLabel, type Reader, readerOf } from './reader.ts';
import { type CheckedPolicy, classOfRights, fingerprintOf, type PartnerDataset, type TableRights } from './rights.ts';
import type { KnownColumns } from './stored-columns.ts';

export interface RightsDeps {
  table: Table;
  definitions: DefinitionReader;
  now(): Date;
}

export const rightsDeps = (table: Table, now: () => Date): RightsDeps => ({
  table,
  definitions: definitionReader(table),
  now,
});

/** A table with its columns as they are now; those that the models know if absent. */
export type ReadTable = SourcePlace & { columns?: KnownColumns };

export interface RightsRequest {
  workspaceId: string;
  /** A data source, or `datasets`. */
  sourceId: string;
  /** The tables to read, or `all` that models protect. */
  tables: readonly ReadTable[] | 'all';
  /** Asked only if a table is protected: most are not, and the reader takes further reads. */
  reader(): Promise<Reader>;
}

export interface Rights {
  /** The tables that models protect, also those of which the reader sees everything. */
  protected: readonly TableRights[];
  /** The tables of which the reader does not see everything. */
  restricted: readonly TableRights[];
  of(place: SourcePlace): TableRights | undefined;
  /** Part of every key under which results are cached; `all` if nothing is restricted. */
  fingerprint: string;
  /** What the reader sees as a class that lasts; `all` if nothing is restricted. */
  readerClass: string;
}

/**
 * What the reader sees of the tables. Rights belong to the source table: every model of the workspace that protects it
 * restricts every read, and admins are no exception.
 */
export async function tableRights(deps: RightsDeps, request: RightsRequest): Promise<Rights> {
  return rightsOfReader(deps, request).to(request);
}

/** The rights of one reader at one moment: what they depend on is read once, however often they are asked for. */
export interface ReaderRights {
  /** Starts to read what rights depend on, before they are asked for. */
  begin(): void;
  reader(): Promise<Reader>;
  /** As `tableRights`. */
  to(request: Pick<RightsRequest, 'sourceId' | 'tables'>): Promise<Rights>;
}

/** The rights of the caller, for all that one question asks. */
export function rightsOfCaller(deps: RightsDeps, principal: Principal): ReaderRights {
  return rightsOfReader(deps, {
    workspaceId: principal.workspaceId,
    reader: () => readerOf(deps.table, principal),
  });
}

function rightsOfReader(
  deps: RightsDeps,
  { workspaceId, reader: readReader }: Pick<RightsRequest, 'workspaceId' | 'reader'>,
): ReaderRights {
  const at = deps.now();
  const models = new Map<string, Promise<ModelDefinition | undefined>>();
  const protections = once(() => listProtections(deps.table, workspaceId));
  const reader = once(readReader);
  const readModel = ({ modelId }: Protection) => {
    const read = models.get(modelId) ?? modelOrNone(deps.definitions, { workspaceId, modelId });
    models.set(modelId, read);
    return read;
  };

  return {
    begin: () => void protections().catch(() => undefined),
    reader,
    async to({ sourceId, tables }) {
      const named = tables === 'all' ? tables : tables.flatMap((place) => originsOf(sourceId, place));
      const matching = (await protections()).filter((protection) => isMatch(protection, sourceId, named));
      if (matching.length === 0) return rightsFrom([], 'duckdb');
      const protecting = (await Promise.all(matching.map(readModel))).filter((model) => model !== undefined);
      const dialect = sourceId === DATASETS ? 'duckdb' : 'postgres';
      const places = tables === 'all' ? protecting.flatMap(protectedPlaces) : tables;
      // Their versions are a part of the keys of cached answers, so they are those of the moment.
      const partners = sourceId === DATASETS ? await partnerDatasets(deps, workspaceId, protecting) : undefined;
      const context = { models: protecting, reader: await reader(), dialect, at, partners } as const;
      const rights = places.map((place) => rightsAt(place, originsOf(sourceId, place), context));
      return rightsFrom(rights, dialect);
    },
  };
}

/** By their names in lower case, the datasets that policies of the models read besides those that they restrict. */
async function partnerDatasets(
  { table }: RightsDeps,
  workspaceId: string,
  models: readonly ModelDefinition[],
): Promise<ReadonlyMap<string, PartnerDataset>> {
  const names = models.flatMap((definition) =>
    [...definition.policies.values()].flatMap((policy) => partnerTables(definition, policy)),
  );
  if (names.length === 0) return new Map();
  const found = await datasetRepository(table).findMany(workspaceId, [
    ...new Set(names.map((name) => name.toLowerCase())),
  ]);
  return new Map(found.map((dataset) => [dataset.name.toLowerCase(), dataset]));
}

/** The place, and the dataset that its rows are from or were meant for: its policies go for them too. */
export function originsOf(sourceId: string, place: SourcePlace): SourcePlace[] {
  const origin = sourceId === DATASETS ? derivedFrom(place.table) : undefined;
  return origin === undefined ? [place] : [place, ...originsOf(sourceId, { ...place, table: origin })];
}

/** Whether any model restricts who may read the table, or any of the source, regardless of the reader. */
export async function isProtectedTable(
  deps: ProtectionDeps,
  { workspaceId, sourceId, place }: { workspaceId: string; sourceId: string; place: SourcePlace | 'all' },
): Promise<boolean> {
  const places = place === 'all' ? place : [place];
  return (await protectedAmong(deps, { workspaceId, sourceId, places })).length > 0;
}

export type ProtectionDeps = Pick<RightsDeps, 'table' | 'definitions'>;

/**
 * The tables among these, or among all of the source, whose rows or columns any model restricts, regardless of the
 * reader.
 */
export async function protectedAmong(
  deps: ProtectionDeps,
  { workspaceId, sourceId, places }: { workspaceId: string; sourceId: string; places: readonly SourcePlace[] | 'all' },
): Promise<SourcePlace[]> {
  const read = ({ modelId }: { modelId: string }) => modelOrNone(deps.definitions, { workspaceId, modelId });
  const protections = await listProtections(deps.table, workspaceId);
  if (places !== 'all') {
    return places.filter((place) => {
      const names = originsOf(sourceId, place);
      return protections.some((protection) => isMatch(protection, sourceId, names));
    });
  }
  const ofSource = protections.filter((protection) => isMatch(protection, sourceId, 'all'));
  const found = await Promise.all(
    ofSource.map(async (protection) => {
      const model = protection.tables ? undefined : await read(protection);
      return protection.tables ?? (model ? protectedPlaces(model) : []);
    }),
  );
  return found.flat();
}

function isMatch({ sourceId, tables }: Protection, source: string, wanted: readonly SourcePlace[] | 'all'): boolean {
  if (sourceId !== source) return false;
  return wanted === 'all' || tables === null || tables.some((one) => wanted.some((other) => isSamePlace(one, other)));
}

function rightsFrom(evaluated: readonly (TableRights & { hasLabels: boolean })[], dialect: Dialect): Rights {
  const restricted = evaluated.filter(({ rows, hidden }) => rows !== 'all' || hidden.length > 0);
  return {
    protected: evaluated.filter(({ policies, hasLabels }) => policies.length > 0 || hasLabels),
    restricted,
    of: (place) => {
      const isNamed = evaluated.some((rights) => isSameName(rights.place, place));
      return restricted.find((rights) => (isNamed ? isSameName : isSamePlace)(rights.place, place));
    },
    fingerprint: restricted.length === 0 ? 'all' : fingerprintOf(restricted, dialect),
    readerClass: restricted.length === 0 ? 'all' : classOfRights(restricted, dialect),
  };
}

/** A table may be named with and without its schema, and the rights of the two can differ. */
const isSameName = (one: SourcePlace, other: SourcePlace): boolean =>
  one.schema === other.schema && one.table === other.table;

interface Context {
  models: readonly ModelDefinition[];
  reader: Reader;
  dialect: Dialect;
  at: Date;
  /** Undefined for a data source, of which a model knows the columns. */
  partners: ReadonlyMap<string, PartnerDataset> | undefined;
}

/** A condition that reads other tables is not met by rows without a match there. */
const isAlwaysMet = ({ tree, partners }: RowCondition, { values }: Reader): boolean =>
  partners.length === 0 && isAlwaysTrue(tree, values);

function rightsAt(
  place: ReadTable,
  names: readonly SourcePlace[],
  { models, reader, dialect, at, partners }: Context,
): TableRights & { hasLabels: boolean } {
  const conditions: RowCondition[][] = [];
  const hidden = new Set<string>();
  const checked: CheckedPolicy[] = [];
  let [isNone, hasLabels] = [false, false];
  for (const definition of models) {
    const tables = names.flatMap((name) => tablesAt(definition, name));
    const policies = tables.flatMap(({ id }) => policiesOf(definition, id));
    for (const { column, label } of tables.flatMap(({ id }) => labelsOf(definition, id))) {
      hasLabels = true;
      if (!mayReadLabel(reader, label)) hidden.add(column);
    }
    if (policies.length === 0) continue;
    const met = policies.flatMap((policy) => {
      const columnsOf = (tableId: string) => {
        const { sourceTable, columns } = definition.tables.get(tableId)!;
        if (tableId === policy.tableId) return place.columns ?? columns;
        return partners ? (partners.get(sourceTable.toLowerCase())?.columns ?? null) : columns;
      };
      const condition = policyCondition(policy, { definition, columnsOf, reader, dialect, at });
      const applies = policy.appliesTo.some((subject) => isAmong(reader, subject));
      checked.push({ modelId: definition.model.id, policyId: policy.id, applies, isUsable: condition !== undefined });
      return applies && condition ? [condition] : [];
    });
    if (met.length === 0) isNone = true;
    else if (!met.some((condition) => isAlwaysMet(condition, reader))) conditions.push(met);
  }
  const rows = isNone ? 'none' : conditions.length > 0 ? conditions : 'all';
  const { schema, table } = place;
  const read = conditions.flat().flatMap((condition) => condition.partners.map((partner) => partner.place.table));
  return {
    place: { schema, table },
    rows,
    partners: [...new Set(read)].flatMap((name) => partners?.get(name.toLowerCase()) ?? []),
    hidden: [...hidden].sort(),
    policies: checked,
    hasLabels,
    reader,
    at,
  };
}
