import {
  type Hit,
  type SearchDocument,
  type SearchedType,
  snippetOf,
} from '../../../../shared/domains/catalog/search/index.ts';
import type { SearchQuery, SearchResult, SearchResults, Suggestions } from '../schemas.ts';
import type { Findable } from './workspace-catalogue.ts';

const MAX_SUGGESTIONS = 8;

const PATHS: Record<Exclude<SearchedType, 'field'>, string> = {
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

/** Counts after visibility: what the caller may not read affects neither totals nor suggestions. */
export function search({ index, visible, omitted }: Findable, query: SearchQuery): SearchResults {
  const { q, type, certified, deprecated, limit, offset } = query;
  const found = index.search(q, visible);
  // The index may have got a later text meanwhile, which the caller may not see.
  const own = found.documents.map(({ key }) => visible.get(key)!);
  const isOf = (wanted: boolean | undefined, is: boolean) => wanted === undefined || wanted === is;
  const hits = own.filter(
    ({ isCertified, isDeprecated }) => isOf(certified, isCertified) && isOf(deprecated, isDeprecated),
  );
  const wanted = hits.filter((document) => type === undefined || document.type === type);
  return {
    items: wanted.slice(offset, offset + limit).map((document) => shownHit(document, found.hitOf(document))),
    total: wanted.length,
    facets: { type: countsByType(hits) },
    matching: found.matching,
    suggestion: found.matching === 'all' ? null : (index.didYouMean(q, visible) ?? null),
    omitted,
  };
}

/** Objects whose names match, while the last word is being written. */
export function suggest({ index, visible }: Findable, q: string): Suggestions {
  const found = index.search(q, visible);
  const items: Suggestions['items'] = [];
  for (const { key } of found.documents) {
    if (items.length === MAX_SUGGESTIONS) break;
    const document = visible.get(key)!;
    const { matchedOn } = found.hitOf(document);
    if (!matchedOn.includes('name') && !matchedOn.includes('aliases')) continue;
    const { type, id, name } = document;
    items.push({ type, id, name, url: urlOf(document) });
  }
  return { items };
}

function shownHit(document: SearchDocument, { matchedOn, terms }: Hit): SearchResult {
  const { type, id, name, parent, description, isCertified, isDeprecated, updatedAt } = document;
  const snippet = snippetOf(description, terms);
  return { type, id, name, parent, snippet, matchedOn, isCertified, isDeprecated, updatedAt, url: urlOf(document) };
}

function urlOf({ type, id, parent }: SearchDocument): string {
  return type === 'field' ? `${PATHS.model}/${parent!.id}` : `${PATHS[type]}/${id}`;
}

function countsByType(documents: readonly SearchDocument[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of documents) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
