import {
  type Hit,
  type SearchDocument,
  type SearchedType,
  snippetOf,
} from '../../../../shared/domains/catalog/search/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Cursors, Place } from '../../../../shared/platform/http/cursor.ts';
import { type Asked, askMeaning, nearestTo, openAsked, type SealedAsked, sealAsked } from '../meaning/asked.ts';
import type { QueryVectors } from '../meaning/query-vectors.ts';
import type { SearchQuery, SearchResult, SearchResults, Suggestions } from '../schemas.ts';
import type { Findable } from './workspace-catalogue.ts';

const MAX_SUGGESTIONS = 8;

const PATHS: Record<Exclude<SearchedType, 'field' | 'card'>, string> = {
  metric: '/api/metrics',
  dashboard: '/api/dashboards',
  report: '/api/reports',
  story: '/api/stories',
  model: '/api/models',
  blend: '/api/composite-models',
  saved_query: '/api/saved-queries',
  dataset: '/api/datasets',
  data_source: '/api/data-sources',
  pipeline: '/api/pipelines',
  alert: '/api/dashboard-alerts',
  quality_test: '/api/data-quality/tests',
  term: '/api/catalog/terms',
};

export interface SearchDeps {
  cursors: Cursors;
  now(): Date;
  vectorOf: QueryVectors;
}

/**
 * Counts after visibility: what the caller may not read affects neither totals nor suggestions. Throws the codes of
 * `Cursors.open`.
 */
export async function search(
  { cursors, now, vectorOf }: SearchDeps,
  { workspaceId, userId }: Pick<Principal, 'workspaceId' | 'userId'>,
  { index, visible, glossary, meaning, omitted }: Findable,
  query: SearchQuery,
): Promise<SearchResults> {
  const { q, type, certified, deprecated, limit, offset, cursor } = query;
  if (cursor && offset > 0) {
    const message = 'cannot be combined with a cursor';
    throw new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: '/query/offset', code: 'NOT_WITH_CURSOR', message }],
    });
  }
  const scope = { workspaceId, list: ['search', userId, q, type ?? null, certified ?? null, deprecated ?? null] };
  const place = cursor ? readPlace(await cursors.open(cursor, scope, now())) : undefined;
  const asked = place ? place.asked : await askMeaning(vectorOf, workspaceId, meaning, index.meantText(q, visible));
  const { nearest, fallback } = nearestTo(asked, meaning, visible);
  const found = index.search(q, visible, glossary, nearest);
  // The index may have got a later text meanwhile, which the caller may not see.
  const own = found.documents.map(({ key }) => visible.get(key)!);
  const isOf = (wanted: boolean | undefined, is: boolean) => wanted === undefined || wanted === is;
  const hits = own.filter(
    ({ isCertified, isDeprecated }) => isOf(certified, isCertified) && isOf(deprecated, isDeprecated),
  );
  const wanted = hits.filter((document) => type === undefined || document.type === type);
  const start = place ? startAfter(place, wanted) : offset;
  const page = wanted.slice(start, start + limit);
  const last = page.at(-1);
  const isLast = last === undefined || start + limit >= wanted.length;
  return {
    items: page.map((document) => showHit(document, found.hitOf(document))),
    total: wanted.length,
    nextCursor: isLast
      ? null
      : await cursors.seal({ after: placeOf(last, start + limit, asked), asOf: now().toISOString() }, scope, now()),
    facets: { type: countsByType(hits) },
    matching: found.matching,
    mode: nearest ? 'hybrid' : 'lexical',
    fallback,
    suggestion: found.matching === 'all' ? null : (index.didYouMean(q, visible) ?? null),
    omitted,
  };
}

/** The last result of a page, and how many were before the next page. */
interface PagePlace {
  start: number;
  key: string;
  /** All pages ask for the same, so that a late reply of the provider changes no order. */
  asked: Asked;
}

const placeOf = ({ key }: SearchDocument, start: number, asked: Asked): string =>
  JSON.stringify([start, key, sealAsked(asked)]);

function readPlace({ after }: Place): PagePlace {
  const [start, key, asked = null] = JSON.parse(after) as [number, string, SealedAsked?];
  return { start, key, asked: openAsked(asked) };
}

/** After the last result of the page before, wherever it is now; as far in the list as then if it is gone. */
function startAfter({ start, key }: PagePlace, documents: readonly SearchDocument[]): number {
  const position = documents.findIndex((document) => document.key === key);
  return position === -1 ? start : position + 1;
}

/** Objects whose names match, while the last word is being written. */
export function suggest({ index, visible, glossary }: Findable, q: string): Suggestions {
  const found = index.search(q, visible, glossary);
  const items: Suggestions['items'] = [];
  for (const { key } of found.documents) {
    if (items.length === MAX_SUGGESTIONS) break;
    const document = visible.get(key)!;
    const { matchedOn } = found.hitOf(document);
    if (!matchedOn.includes('name') && !matchedOn.includes('aliases')) continue;
    const { type, id, name, parent } = document;
    items.push({ type, id, name, parent, url: urlOf(document) });
  }
  return { items };
}

function showHit(document: SearchDocument, { matchedOn, terms }: Hit): SearchResult {
  const { type, id, name, parent, description, isCertified, isDeprecated, updatedAt } = document;
  const snippet = snippetOf(description, terms);
  return { type, id, name, parent, snippet, matchedOn, isCertified, isDeprecated, updatedAt, url: urlOf(document) };
}

function urlOf({ type, id, parent }: SearchDocument): string {
  if (type === 'field') return `${PATHS.model}/${parent!.id}`;
  if (type === 'card') return `${PATHS.dashboard}/${parent!.id}`;
  return `${PATHS[type]}/${id}`;
}

function countsByType(documents: readonly SearchDocument[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of documents) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
