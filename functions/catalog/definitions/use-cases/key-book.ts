import {
  type DefinitionRecord,
  keysOf,
  type ObjectKind,
} from '../../../../shared/domains/catalog/definitions/index.ts';
import type { IdOf, KeyOf } from '../files/file-content.ts';
import type { ApiObject, Context } from './context.ts';
import { listObjects } from './objects.ts';

/** The objects of a kind with their keys. */
export interface KeyedObjects {
  objects: readonly ApiObject[];
  records: ReadonlyMap<string, DefinitionRecord>;
  keys: ReadonlyMap<string, string>;
  ids: ReadonlyMap<string, string>;
}

/** The keys of objects, read at most once for each kind. */
export interface KeyBook {
  all(kind: ObjectKind): Promise<KeyedObjects>;
  keyOf: KeyOf;
  idOf: IdOf;
}

export function keyBook(context: Context): KeyBook {
  const { definitions, workspaceId } = context;
  const read = new Map<ObjectKind, Promise<KeyedObjects>>();
  const all = (kind: ObjectKind): Promise<KeyedObjects> => {
    const known = read.get(kind) ?? readAll(context, kind);
    read.set(kind, known);
    return known;
  };
  return {
    all,

    // Most objects that files refer to have files too: their records save reading all objects of the kind.
    async keyOf(kind, id) {
      const record = read.has(kind) ? undefined : await definitions.find(workspaceId, kind, id);
      // The id stands for an object without a key that the caller can see, such as one that has been deleted.
      return record?.key ?? (await all(kind)).keys.get(id) ?? id;
    },

    async idOf(kind, key) {
      const { ids, keys } = await all(kind);
      return ids.get(key) ?? (keys.has(key) || UUID.test(key) ? key : undefined);
    },
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function readAll(context: Context, kind: ObjectKind): Promise<KeyedObjects> {
  const { definitions, workspaceId } = context;
  const [objects, stored] = await Promise.all([listObjects(context, kind), definitions.readAll(workspaceId, kind)]);
  const present = new Set(objects.map(({ id }) => id));
  const records = new Map(stored.filter(({ objectId }) => present.has(objectId)).map((each) => [each.objectId, each]));
  const keys = keysOf(objects, new Map([...records].map(([id, { key }]) => [id, key])));
  return { objects, records, keys, ids: new Map([...keys].map(([id, key]) => [key, id])) };
}
