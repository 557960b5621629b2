import {
  type SearchDocument,
  type SearchedType,
  SearchIndex,
} from '../../../../shared/domains/catalog/search/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { mayRead } from '../../../../shared/platform/entitlements/may-read.ts';
import type { CheckProduct } from '../../../../shared/platform/entitlements/product-check.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { BriefCache } from '../../../../shared/platform/storage/cache.ts';
import { LatestEntries } from '../../../../shared/platform/storage/latest-entries.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { SEARCHED_KINDS, type Searched, type SearchedKind } from '../searched-kinds.ts';

/** Changes are found within five seconds, of which reading the records may take the rest. */
const TRUST_MS = 2_000;
const MAX_WORKSPACES = 10;
/** Documents of all indexes together. */
const MAX_DOCUMENTS = 60_000;

/** What there is to find in a workspace, read a moment ago. */
interface Catalogue {
  index: SearchIndex;
  kinds: readonly ReadKind[];
}

/** A catalogue with the number of its load. */
interface Loaded {
  order: number;
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
  documents: ReadonlyMap<string, SearchDocument>;
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
  const read = new BriefCache<Catalogue>({ ttlMs: TRUST_MS, capacity: MAX_WORKSPACES });
  const loaded = new LatestEntries<Loaded>(MAX_DOCUMENTS, ({ catalogue }) => catalogue.index.size);
  let loads = 0;

  async function load(workspaceId: string): Promise<Catalogue> {
    loads += 1;
    const order = loads;
    const kinds = await Promise.all(
      SEARCHED_KINDS.map(async (kind) => ({ kind, objects: await unlessTooMany(kind.read(table, workspaceId)) })),
    );
    const known = loaded.get(workspaceId);
    // A load that began later and ended earlier has read what is newer.
    if (known && known.order > order) return known.catalogue;
    const index = known?.catalogue.index ?? new SearchIndex();
    // The weight of an entry is taken when it is set.
    loaded.delete(workspaceId);
    const documents = kinds.flatMap(({ objects = [] }) =>
      objects.flatMap(({ draft, published }) => (published ? [draft, published] : [draft])),
    );
    index.update(documents);
    const catalogue = { index, kinds };
    loaded.set(workspaceId, { order, catalogue });
    return catalogue;
  }

  async function seenOf(principal: Principal, { kind, objects = [] }: ReadKind): Promise<SearchDocument[]> {
    const [levels = new Map(), seen = new Set<string>()] = await Promise.all([
      kind.grantsTo?.(table, principal),
      kind.seenBy?.(table, principal, objects),
    ]);
    return objects.flatMap((each) => {
      const sight = each.sightFor({ principal, levels, seen });
      return sight ? [each[sight] ?? each.draft] : [];
    });
  }

  return async (principal: Principal): Promise<Findable> => {
    const { workspaceId } = principal;
    const { index, kinds } = await read.get(workspaceId, now().getTime(), () => load(workspaceId));
    const readable = await Promise.all(
      kinds.map(async (each) => ((await mayRead({ checkProduct, now: now() }, principal, each.kind)) ? [each] : [])),
    );
    const all = readable.flat();
    const documents = await Promise.all(all.map((each) => seenOf(principal, each)));
    return {
      index,
      documents: new Map(documents.flat().map((each) => [each.key, each])),
      omitted: all.flatMap(({ kind, objects }) => (objects ? [] : kind.types)),
    };
  };
}

async function unlessTooMany<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.code === 'LIST_TOO_LARGE') return undefined;
    throw error;
  }
}
