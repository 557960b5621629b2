import {
  type DefinitionRecord,
  keysOf,
  longKeyOf,
  type ObjectKind,
} from '../../../../shared/domains/catalog/definitions/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { OperationFailed } from '../../common/operations.ts';
import type { FlowletVersion, ModelParts, Names } from '../files/names.ts';
import { PLACES } from '../kinds/places.ts';
import type { ApiObject, Context, Named } from './context.ts';
import { asProblem, listObjects, readObject } from './objects.ts';

/** The objects of a kind with their keys. */
export interface KeyedObjects {
  /** The objects as the list of their kind has them, by id. */
  listed: ReadonlyMap<string, ApiObject>;
  records: ReadonlyMap<string, DefinitionRecord>;
  keys: ReadonlyMap<string, string>;
  ids: ReadonlyMap<string, string>;
}

/** The keys of objects, read at most once for each kind. */
export interface KeyBook extends Names {
  all(kind: ObjectKind): Promise<KeyedObjects>;
}

/** What stands for the datasets of the workspace where a source is named. */
const DATASETS = 'datasets';

/** `own` is the object that is about to be created. */
export function keyBook(context: Context, own?: Named & { id: string }): KeyBook {
  const { definitions, workspaceId } = context;
  const read = new Map<ObjectKind, Promise<KeyedObjects>>();
  const parts = new Map<string, Promise<ModelParts>>();
  const seen = new Map<string, Promise<ApiObject | undefined>>();
  const versions = new Map<string, Promise<FlowletVersion | undefined>>();
  const all = (kind: ObjectKind): Promise<KeyedObjects> => {
    const known = read.get(kind) ?? readAll(context, kind);
    read.set(kind, known);
    return known;
  };
  const see = (kind: ObjectKind, id: string): Promise<ApiObject | undefined> => {
    const known = seen.get(id) ?? readIfSeen(context, kind, id);
    seen.set(id, known);
    return known;
  };
  return {
    all,

    // Most objects that files refer to have files too: their records save reading all objects of the kind.
    async keyOf(kind, id) {
      if (!UUID.test(id)) return id;
      if (own?.kind === kind && own.id === id) return own.key;
      const record = read.has(kind) ? undefined : await definitions.find(workspaceId, kind, id);
      // A key may say what the object is called, so only those who can see the object get it. For others, and for an
      // object that has been deleted, its id stands for it.
      if (record) return (await see(kind, id)) ? record.key : id;
      return (await all(kind)).keys.get(id) ?? id;
    },

    async idOf(kind, key) {
      if (kind === 'source' && key === DATASETS) return key;
      const { ids, keys } = await all(kind);
      const found = ids.get(key) ?? (keys.has(key) || UUID.test(key) ? key : undefined);
      return found ?? (own?.kind === kind && own.key === key ? own.id : undefined);
    },

    async modelsBehind(kind, id) {
      const object = await see(kind, id);
      return ['modelId', 'leftModelId', 'rightModelId'].flatMap((member) => (object?.[member] as string) ?? []);
    },

    async flowletOf(versionId) {
      const { listed } = await all('flowlet');
      const newest = [...listed.values()].find(({ newestId }) => newestId === versionId);
      if (newest) return { seriesId: newest.id, version: newest.revision, isNewest: true };
      const known = versions.get(versionId) ?? readVersion(context, versionId);
      versions.set(versionId, known);
      return known;
    },

    async flowletVersion(seriesId, version) {
      const series = (await all('flowlet')).listed.get(seriesId);
      if (!series || version === undefined || version === series.revision)
        return series?.newestId as string | undefined;
      return findVersion(context, seriesId, version);
    },

    partsOf(modelId) {
      const known = parts.get(modelId) ?? readParts(context, modelId);
      parts.set(modelId, known);
      return known;
    },
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function readAll(context: Context, kind: ObjectKind): Promise<KeyedObjects> {
  const { definitions, workspaceId } = context;
  const [objects, stored] = await Promise.all([listObjects(context, kind), definitions.readAll(workspaceId, kind)]);
  const listed = new Map(objects.map((object) => [object.id, object]));
  const records = new Map(stored.filter(({ objectId }) => listed.has(objectId)).map((each) => [each.objectId, each]));
  const reserved = kind === 'source' ? [DATASETS] : [];
  const keys = keysOf(objects, new Map([...records].map(([id, { key }]) => [id, key])), reserved);
  const unnamed = objects.filter(({ id }) => !records.has(id));
  const ids = new Map([
    ...unnamed.map((object): [string, string] => [longKeyOf(object), object.id]),
    ...[...keys].map(([id, key]): [string, string] => [key, id]),
  ]);
  return { listed, records, keys, ids };
}

/** The object; undefined if there is none that the caller may see. */
async function readIfSeen(context: Context, kind: ObjectKind, id: string): Promise<ApiObject | undefined> {
  try {
    return await readObject(context, kind, id);
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORBIDDEN') return undefined;
    throw error;
  }
}

const FLOWLETS = PLACES.flowlet;
const VERSIONS_PAGE = 200;

/** A version that is not the newest one of its flowlet. */
async function readVersion({ operations }: Context, id: string): Promise<FlowletVersion | undefined> {
  try {
    const path = `${FLOWLETS.path}/${id}` as const;
    const { seriesId, version } = await operations.read({ group: FLOWLETS.group, method: 'GET', path });
    return { seriesId, version, isNewest: false };
  } catch (error) {
    if (error instanceof OperationFailed && [403, 404].includes(error.problem.status)) return undefined;
    throw asProblem(error);
  }
}

/** The id of a version by its number. Versions are listed from the newest one, which has the number of them. */
async function findVersion({ operations }: Context, seriesId: string, version: number): Promise<string | undefined> {
  const path = `${FLOWLETS.path}/${seriesId}/versions` as const;
  try {
    for (let offset = 0; ; offset += VERSIONS_PAGE) {
      const query = { limit: VERSIONS_PAGE, offset };
      const { items } = await operations.read({ group: FLOWLETS.group, method: 'GET', path, query });
      const found = (items as { id: string; version: number }[]).find((each) => each.version === version);
      if (found || items.length < VERSIONS_PAGE) return found?.id;
    }
  } catch (error) {
    throw asProblem(error);
  }
}

/** A model has at most so many fields. */
const ALL_PARTS = 10_000;

interface Part {
  id: string;
  name: string;
  alias: string;
  tableId: string;
}

/** The parts of a model that the caller can see. */
async function readParts({ operations }: Context, modelId: string): Promise<ModelParts> {
  const list = async (parts: string): Promise<Part[]> => {
    const path = `/api/models/${modelId}/${parts}`;
    return (await operations.read({ group: 'models', method: 'GET', path, query: { limit: ALL_PARTS } })).items;
  };
  try {
    const [tables, fields, measures] = await Promise.all([list('tables'), list('fields'), list('measures')]);
    const aliases = new Map(tables.map(({ id, alias }) => [id, alias]));
    return {
      table: aliases,
      field: new Map(fields.map(({ id, tableId, name }) => [id, `${aliases.get(tableId)}.${name}`])),
      measure: new Map(measures.map(({ id, name }) => [id, name])),
    };
  } catch (error) {
    // The operation of the object says what is wrong with its model.
    if (error instanceof OperationFailed && [403, 404].includes(error.problem.status))
      return { table: new Map(), field: new Map(), measure: new Map() };
    throw asProblem(error);
  }
}
