import {
  didYouMean,
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
};

/** Counts after visibility: what the caller may not read affects neither totals nor suggestions. */
export function search({ index, documents, omitted }: Findable, query: SearchQuery): SearchResults {
  const { q, type, certified, limit, offset } = query;
  const found = index.search(q, new Set(documents.keys()));
  const own = found.hits.map((hit) => ownHit(hit, documents));
  const hits = own.filter(({ document }) => certified === undefined || document.isCertified === certified);
  const wanted = hits.filter(({ document }) => type === undefined || document.type === type);
  const names = () => [...documents.values()].map(({ name }) => name);
  return {
    items: wanted.slice(offset, offset + limit).map(shownHit),
    total: wanted.length,
    facets: { type: countsByType(hits) },
    matching: found.matching,
    suggestion: found.matching === 'all' ? null : (didYouMean(q, names()) ?? null),
    omitted,
  };
}

/** Objects whose names match, while the last word is being written. */
export function suggest({ index, documents }: Findable, q: string): Suggestions {
  const { hits } = index.search(q, new Set(documents.keys()));
  const own = hits.map((hit) => ownHit(hit, documents));
  const named = own.filter(({ matchedOn }) => matchedOn.includes('name') || matchedOn.includes('aliases'));
  return {
    items: named.slice(0, MAX_SUGGESTIONS).map(({ document }) => {
      const { type, id, name } = document;
      return { type, id, name, url: urlOf(document) };
    }),
  };
}

/** The index may have got a later text meanwhile, which the caller may not see. */
const ownHit = (hit: Hit, documents: Findable['documents']): Hit => ({
  ...hit,
  document: documents.get(hit.document.key)!,
});

function shownHit({ document, matchedOn, terms }: Hit): SearchResult {
  const { type, id, name, parent, description, isCertified, updatedAt } = document;
  const snippet = snippetOf(description, terms);
  return { type, id, name, parent, snippet, matchedOn, isCertified, updatedAt, url: urlOf(document) };
}

function urlOf({ type, id, parent }: SearchDocument): string {
  return type === 'field' ? `${PATHS.model}/${parent!.id}` : `${PATHS[type]}/${id}`;
}

function countsByType(hits: readonly Hit[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { document } of hits) counts[document.type] = (counts[document.type] ?? 0) + 1;
  return counts;
}
