import { allOf, PAGE } from './all.ts';
import { api, type Types } from './client.ts';
import { useQuery } from './query.ts';

export type Asset = Types.CatalogAsset;
export type AssetDetails = Types.CatalogAssetDetails;
export type AssetType = Parameters<typeof api.catalog.getAsset>[0];

/** The kinds of objects that the catalog describes, as its addresses have them. */
export const ASSET_TYPES: readonly AssetType[] = [
  'dataset',
  'model',
  'metric',
  'saved-query',
  'dashboard',
  'report',
  'story',
  'pipeline',
  'term',
];

export const useAsset = (type: AssetType, id: string) =>
  useQuery(['catalog', type, id], () => api.catalog.getAsset(type, id));

export const useTags = () => useQuery(['catalog', 'tags'], () => allOf(api.catalog.listTags({ limit: PAGE })));

export const useDomains = () => useQuery(['catalog', 'domains'], () => allOf(api.catalog.listDomains({ limit: PAGE })));

/** The domains with those within them after each, and how deep they are. */
export function inOrder(domains: readonly Types.CatalogDomain[]): { id: string; name: string; depth: number }[] {
  const within = (parentId: string | null, depth: number): { id: string; name: string; depth: number }[] =>
    domains
      .filter((domain) => domain.parentId === parentId)
      .toSorted((one, other) => one.name.localeCompare(other.name))
      .flatMap(({ id, name }) => [{ id, name, depth }, ...within(id, depth + 1)]);
  return within(null, 0);
}
