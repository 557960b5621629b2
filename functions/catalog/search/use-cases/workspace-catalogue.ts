import {
  type SearchDocument,
  type SearchedType,
  SearchIndex,
  type Visible,
} from '../../../../shared/domains/catalog/search/index.ts';
import {
  type CertificationRecord,
  type CertifiedType,
  certifications,
  isInForce,
} from '../../../../shared/domains/tenancy/certifications/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { mayRead } from '../../../../shared/platform/entitlements/may-read.ts';
import type { CheckProduct } from '../../../../shared/platform/entitlements/product-check.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { BriefCache } from '../../../../shared/platform/storage/cache.ts';
import { LatestEntries } from '../../../../shared/platform/storage/latest-entries.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { type Reader, SEARCHED_KINDS, type Searched, type SearchedKind } from '../searched-kinds.ts';

/** When the records are read again. */
const TRUST_MS = 2_000;
/** Until then answers need not wait for that. Changes are found within five seconds. */
const MAX_AGE_MS = 4_000;
const MAX_WORKSPACES = 10;
/** Documents of all indexes together. */
const MAX_DOCUMENTS = 60_000;

/** What there is to find in a workspace, read a moment ago. */
interface Catalogue {
  index: SearchIndex;
  kinds: readonly ReadKind[];
  entries: ReadonlyMap<string, Entry>;
}

/** One of the documents of an object. */
interface Entry {
  kind: SearchedKind;
  object: Searched;
  document: SearchDocument;
}

/** A catalogue with the number and the start of its load. */
interface Loaded {
  order: number;
  startedAt: number;
  catalogue: Catalogue;
}

interface ReadKind {
  kind: SearchedKind;
  /** Undefined if there are too many to read. */
  objects: readonly Searched[] | undefined;
}

/** What the caller may find. */
export interface Findable {
  index: SearchIndex;
  /** What the caller sees of objects, by the keys of the index. */
  visible: Visible & { get(key: string): SearchDocument | undefined };
  omitted: SearchedType[];
}

export interface CatalogueDeps {
  table: Table;
  checkProduct: CheckProduct;
  now(): Date;
}

/**
 * Reads the records of a workspace themselves, at most once in two seconds. The index thus follows from what is stored
 * now: nothing can be late, doubled or lost on the way to it, and an index that was kept from before gets only what has
 * changed.
 */
export function workspaceCatalogue({ table, checkProduct, now }: CatalogueDeps) {
  const loading = new BriefCache<Catalogue>({ ttlMs: MAX_AGE_MS, capacity: MAX_WORKSPACES });
  const loaded = new LatestEntries<Loaded>(MAX_DOCUMENTS, ({ catalogue }) => catalogue.index.size);
  let loads = 0;

  async function load(workspaceId: string): Promise<Catalogue> {
    loads += 1;
    const order = loads;
    const startedAt = now().getTime();
    const [certified, found] = await Promise.all([
      certifications(table).readAll(workspaceId),
      Promise.all(SEARCHED_KINDS.map((kind) => unlessTooMany(kind.read(table, workspaceId)))),
    ]);
    const mark = marking(certified, now());
    const kinds = SEARCHED_KINDS.map((kind, index) => ({ kind, objects: found[index]?.map(mark) }));
    const known = loaded.get(workspaceId);
    // A load that began later and ended earlier has read what is newer.
    if (known && known.order > order) return known.catalogue;
    const index = known?.catalogue.index ?? new SearchIndex();
    // The weight of an entry is taken when it is set.
    loaded.delete(workspaceId);
    const entries = entriesOf(kinds);
    index.update([...entries.values()].map(({ document }) => document));
    const catalogue = { index, kinds, entries };
    loaded.set(workspaceId, { order, startedAt, catalogue });
    return catalogue;
  }

  /** Reads again what is not new, without waiting for it while the known state is new enough. */
  async function current(workspaceId: string): Promise<Catalogue> {
    const at = now().getTime();
    const known = loaded.get(workspaceId);
    const age = known ? at - known.startedAt : Number.POSITIVE_INFINITY;
    if (known && age < TRUST_MS) return known.catalogue;
    const next = loading.get(workspaceId, at, async () => {
      try {
        return await load(workspaceId);
      } finally {
        loading.delete(workspaceId);
      }
    });
    if (!known || age >= MAX_AGE_MS) return next;
    // Where it fails, a later request that has to wait for it reports that.
    next.catch(() => undefined);
    return known.catalogue;
  }

  async function readerOf(principal: Principal, { kind, objects = [] }: ReadKind): Promise<Reader> {
    const [levels = new Map(), seen = new Set<string>()] = await Promise.all([
      kind.grantsTo?.(table, principal),
      kind.seenBy?.(table, principal, objects),
    ]);
    return { principal, levels, seen };
  }

  return async (principal: Principal): Promise<Findable> => {
    const { index, kinds, entries } = await current(principal.workspaceId);
    const readable = await Promise.all(
      kinds.map(async (each) => ((await mayRead({ checkProduct, now: now() }, principal, each.kind)) ? [each] : [])),
    );
    const all = readable.flat();
    const readers = new Map(
      await Promise.all(all.map(async (each) => [each.kind, await readerOf(principal, each)] as const)),
    );
    return {
      index,
      visible: visibleTo(readers, entries),
      omitted: all.flatMap(({ kind, objects }) => (objects ? [] : kind.types)),
    };
  };
}

function entriesOf(kinds: readonly ReadKind[]): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { kind, objects = [] } of kinds) {
    for (const object of objects) {
      const { draft, published } = object;
      for (const document of published ? [draft, published] : [draft]) {
        entries.set(document.key, { kind, object, document });
      }
    }
  }
  return entries;
}

/** Decides about the documents that a search asks for, not about all. */
function visibleTo(
  readers: ReadonlyMap<SearchedKind, Reader>,
  entries: ReadonlyMap<string, Entry>,
): Findable['visible'] {
  const decided = new Map<string, SearchDocument | undefined>();
  const decide = (key: string) => {
    const entry = entries.get(key);
    const reader = entry && readers.get(entry.kind);
    const sight = reader && entry.object.sightFor(reader);
    if (!sight) return undefined;
    const seen = entry.object[sight] ?? entry.object.draft;
    return seen.key === key ? seen : undefined;
  };
  const get = (key: string) => {
    if (!decided.has(key)) decided.set(key, decide(key));
    return decided.get(key);
  };
  return { get, has: (key) => get(key) !== undefined };
}

/** Fields and measures are both fields for people who search. */
const TYPES: Partial<Record<SearchedType, CertifiedType[]>> = {
  saved_query: ['saved-query'],
  field: ['field', 'measure'],
};

/** Adds to documents whether what they stand for is certified or deprecated. */
function marking(records: readonly CertificationRecord[], now: Date): (object: Searched) => Searched {
  const entries = new Map(records.flatMap((record) => Object.entries(record.entries)));
  const marked = (document: SearchDocument): SearchDocument => {
    const types = TYPES[document.type] ?? [document.type];
    const [found] = types.flatMap((type) => entries.get(`${type}#${document.id}`) ?? []);
    if (!found) return document;
    return { ...document, isCertified: isInForce(found, now), isDeprecated: found.status === 'deprecated' };
  };
  return (object) => ({
    ...object,
    draft: marked(object.draft),
    ...(object.published && { published: marked(object.published) }),
  });
}

async function unlessTooMany<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.code === 'LIST_TOO_LARGE') return undefined;
    throw error;
  }
}
