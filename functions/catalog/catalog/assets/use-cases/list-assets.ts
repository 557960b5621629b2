import { idsWithin } from '../../../../../shared/domains/catalog/domains/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { searching } from '../../../../../shared/platform/storage/list-request.ts';
import { type PageOf, pageOf } from '../../../../../shared/platform/storage/page.ts';
import type { CatalogAsset, CatalogAssetListQuery, CatalogTagListQuery } from '../schemas.ts';
import { type AssetDeps, type Known, readKnown, showAsset, visibleAssets } from './context.ts';

/** Throws `LIST_TOO_LARGE`. */
export async function listAssets(
  deps: AssetDeps,
  principal: Principal,
  { limit, offset, sort, ...filters }: CatalogAssetListQuery,
): Promise<PageOf<CatalogAsset>> {
  const { workspaceId } = principal;
  const [visible, known, linked] = await Promise.all([
    visibleAssets(deps, principal, filters.type),
    readKnown(deps, workspaceId),
    filters.termId === undefined ? undefined : deps.links.read({ workspaceId, id: filters.termId }),
  ]);
  const ofTerm = linked && new Set(linked.map(({ type, objectId }) => `${type}#${objectId}`));
  const assets = visible
    .map((asset) => showAsset(asset, known, deps.now()))
    .filter((asset) => isWanted(asset, filters, known) && (ofTerm?.has(`${asset.type}#${asset.id}`) ?? true));
  return pageOf(assets.sort(ORDERS[sort]), { limit, offset }, (asset) => asset);
}

function isWanted(
  asset: CatalogAsset,
  { search, domainId, tag, ownerId, certified, deprecated }: Omit<CatalogAssetListQuery, 'limit' | 'offset' | 'sort'>,
  { domains }: Known,
): boolean {
  const matches = searching(search, ({ name, description }: CatalogAsset) => [name, description]);
  return (
    (matches?.(asset) ?? true) &&
    (domainId === undefined || idsWithin(domains, domainId).has(asset.domainId ?? '')) &&
    (tag === undefined || asset.tags.includes(tag.trim().normalize('NFKC').toLowerCase())) &&
    (ownerId === undefined || asset.ownerIds.includes(ownerId)) &&
    (certified === undefined || asset.isCertified === certified) &&
    (deprecated === undefined || (asset.deprecation !== null) === deprecated)
  );
}

type Compare = (a: CatalogAsset, b: CatalogAsset) => number;

const byName: Compare = (a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);
const ORDERS: Record<CatalogAssetListQuery['sort'], Compare> = {
  name: byName,
  recent: (a, b) => b.updatedAt.localeCompare(a.updatedAt) || byName(a, b),
  popular: (a, b) => b.usage.views30d - a.usage.views30d || byName(a, b),
};

/** Throws `LIST_TOO_LARGE`. */
export async function listTags(
  deps: AssetDeps,
  principal: Principal,
  { search = '', ...page }: CatalogTagListQuery,
): Promise<PageOf<{ tag: string; count: number }>> {
  const [visible, known] = await Promise.all([visibleAssets(deps, principal), readKnown(deps, principal.workspaceId)]);
  const counts = new Map<string, number>();
  for (const { tags } of visible.map((asset) => showAsset(asset, known, deps.now())))
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const beginning = search.trim().normalize('NFKC').toLowerCase();
  const found = [...counts].filter(([tag]) => tag.startsWith(beginning));
  found.sort(([a, m], [b, n]) => n - m || a.localeCompare(b, 'en'));
  return pageOf(found, page, ([tag, count]) => ({ tag, count }));
}
