import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  type SearchDocument,
  type SearchedType,
  SearchIndex,
  type Thesaurus,
  type Visible,
} from '../../../../shared/domains/catalog/search/index.ts';
import {
  type CertificationRecord,
  type CertifiedType,
  certifications,
  isInForce,
} from '../../../../shared/domains/tenancy/certifications/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { mayRead, type ReadRule } from '../../../../shared/platform/entitlements/may-read.ts';
import type { CheckProduct } from '../../../../shared/platform/entitlements/product-check.ts';
import { BriefCache } from '../../../../shared/platform/storage/cache.ts';
import { LatestEntries } from '../../../../shared/platform/storage/latest-entries.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { cardReader } from '../../common/searched/card-reader.ts';
import { documentsOf, unlessTooMany } from '../../common/searched/read-searched-documents.ts';
import {
  type Reader,
  readingOf,
  SEARCHED_KINDS,
  type Searched,
  type SearchedKind,
} from '../../common/searched/searched-kinds.ts';
import { tagging } from '../../common/searched/tagging.ts';
import { type Glossary, glossaryOf } from '../glossary.ts';
import type { Meaning, NoMeaning, WorkspaceMeaning } from '../meaning/workspace-meaning.ts';

/** Changes are found within five seconds: answers come from records that were read less long ago. */
const MAX_AGE_MS = 4_900;
/** The records are read again after this time; sooner where reading them takes so long that it would end too late. */
const TRUST_MS = 2_000;
/** What reading may take longer than it took last. */
const ALLOWANCE = 1.5;
/** Where reading takes even longer, answers come from what was read before rather than not at all. */
const MAX_DELAY_MS = 20_000;
const PATIENCE_MS = 1_000;
const MAX_WORKSPACES = 10;
/** Documents of all indexes together. */
const MAX_DOCUMENTS = 60_000;

/** Who may read terms. */
const GLOSSARY: ReadRule = { permission: 'catalog:read' };

/** What there is to find in a workspace, read a moment ago. */
interface Catalogue {
  index: SearchIndex;
  kinds: readonly ReadKind[];
  entries: ReadonlyMap<string, Entry>;
  glossary: Glossary;
  meaning: Meaning | NoMeaning;
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
  tookMs: number;
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
  /** Names of one thing in the glossary, if the caller may read terms. */
  glossary: Thesaurus | undefined;
  /** What the caller sees of objects, by the keys of the index. */
  visible: Visible & { get(key: string): SearchDocument | undefined };
  /** How objects are found by meaning, or why they are not. */
  meaning: Meaning | NoMeaning;
  omitted: SearchedType[];
}

export interface CatalogueDeps {
  table: Table;
  checkProduct: CheckProduct;
  now(): Date;
  meaningOf: WorkspaceMeaning;
}

/**
 * Reads the records of a workspace themselves, at most once in two seconds. The index thus follows from what is stored
 * now: nothing can be late, doubled or lost on the way to it, and an index that was kept from before gets only what has
 * changed.
 */
export function workspaceCatalogue({ table, checkProduct, now, meaningOf }: CatalogueDeps) {
  const loading = new BriefCache<Catalogue>({ ttlMs: MAX_AGE_MS, capacity: MAX_WORKSPACES });
  const loaded = new LatestEntries<Loaded>(MAX_DOCUMENTS, ({ catalogue }) => catalogue.index.size);
  const cards = cardReader(table);
  let loads = 0;

  async function load(workspaceId: string): Promise<Catalogue> {
    loads += 1;
    const order = loads;
    const startedAt = now().getTime();
    const reading = readingOf(table, workspaceId, cards);
    const [certified, terms, found, stored] = await Promise.all([
      certifications(table).readAll(workspaceId),
      unlessTooMany(reading.terms()),
      Promise.all(SEARCHED_KINDS.map((kind) => unlessTooMany(kind.read(table, workspaceId, reading)))),
      meaningOf(workspaceId),
    ]);
    const [tag, mark] = [tagging(certified), marking(certified, now())];
    const kinds = SEARCHED_KINDS.map((kind, index) => ({
      kind,
      objects: found[index]?.map((object) => mark(tag(object))),
    }));
    const entries = entriesOf(kinds);
    // Requests that came meanwhile are answered first.
    await setImmediate();
    const known = loaded.get(workspaceId);
    // A load that began later and ended earlier has read what is newer.
    if (known && known.order > order) return known.catalogue;
    const index = known?.catalogue.index ?? new SearchIndex();
    // The weight of an entry is taken when it is set.
    loaded.delete(workspaceId);
    const glossary = glossaryOf(terms ?? [], known?.catalogue.glossary);
    index.update([...entries.values()].map(({ document }) => document));
    const catalogue = { index, kinds, entries, glossary, meaning: stored.meaningIn(index) };
    loaded.set(workspaceId, { order, startedAt, tookMs: now().getTime() - startedAt, catalogue });
    await stored.complete(index);
    return catalogue;
  }

  /** Reads again what is not new, without waiting for it while the known state is new enough. */
  async function current(workspaceId: string): Promise<Catalogue> {
    const at = now().getTime();
    const known = loaded.get(workspaceId);
    const age = known ? at - known.startedAt : Number.POSITIVE_INFINITY;
    if (known && age < Math.min(TRUST_MS, MAX_AGE_MS - ALLOWANCE * known.tookMs)) return known.catalogue;
    const next = loading.get(workspaceId, at, async () => {
      try {
        return await load(workspaceId);
      } finally {
        loading.delete(workspaceId);
      }
    });
    if (!known || age >= MAX_DELAY_MS) return next;
    // Where it fails, a later request that has to wait for it reports that.
    next.catch(() => undefined);
    if (age < MAX_AGE_MS) return known.catalogue;
    return Promise.race([next, setTimeout(PATIENCE_MS, known.catalogue, { ref: false })]);
  }

  async function readersOf(principal: Principal, kinds: readonly ReadKind[]): Promise<Map<SearchedKind, Reader>> {
    // Kinds with the same grants, such as dashboards and their cards, share one read of them.
    const grants = new Set(kinds.flatMap(({ kind }) => kind.grantsTo ?? []));
    const granted = new Map(
      await Promise.all([...grants].map(async (read) => [read, await read(table, principal)] as const)),
    );
    const readers = kinds.map(async ({ kind, objects = [] }) => {
      const levels = kind.grantsTo && granted.get(kind.grantsTo);
      const seen = await kind.seenBy?.(table, principal, objects);
      return [kind, { principal, levels: levels ?? new Map(), seen: seen ?? new Set<string>() }] as const;
    });
    return new Map(await Promise.all(readers));
  }

  return async (principal: Principal): Promise<Findable> => {
    const { index, kinds, entries, glossary, meaning } = await current(principal.workspaceId);
    const mayFind = (rule: ReadRule) => mayRead({ checkProduct, now: now() }, principal, rule);
    const readable = await Promise.all(kinds.map(async (each) => ((await mayFind(each.kind)) ? [each] : [])));
    const all = readable.flat();
    const readers = await readersOf(principal, all);
    return {
      index,
      glossary: (await mayFind(GLOSSARY)) ? glossary.thesaurus : undefined,
      visible: visibleTo(readers, entries),
      meaning,
      omitted: all.flatMap(({ kind, objects }) => (objects ? [] : kind.types)),
    };
  };
}

function entriesOf(kinds: readonly ReadKind[]): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { kind, objects = [] } of kinds) {
    for (const object of objects) {
      for (const document of documentsOf(object)) entries.set(document.key, { kind, object, document });
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
    const [found] = entries.size === 0 ? [] : types.flatMap((type) => entries.get(`${type}#${document.id}`) ?? []);
    if (!found) return document;
    return { ...document, isCertified: isInForce(found, now), isDeprecated: found.status === 'deprecated' };
  };
  return (object) => {
    const [draft, published] = [marked(object.draft), object.published && marked(object.published)];
    // Most objects have no mark, and a copy of each would cost time whenever the records are read.
    if (draft === object.draft && published === object.published) return object;
    return { ...object, draft, ...(published && { published }) };
  };
}
