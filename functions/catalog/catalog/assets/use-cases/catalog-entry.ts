import { ASSET_KINDS } from '../../../../../shared/domains/catalog/assets/index.ts';
import { foldTags } from '../../../../../shared/domains/catalog/terms/index.ts';
import type { CertifiedObject } from '../../../../../shared/domains/tenancy/certifications/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../../shared/platform/storage/on-newest.ts';
import { objectOrNone } from '../../certifications/use-cases/context.ts';
import type { CatalogAssetDetails, SetCatalogEntry } from '../schemas.ts';
import { assetContents } from './asset-contents.ts';
import { type AssetDeps, showAsset } from './context.ts';

interface OfAsset {
  principal: Principal;
  type: CertifiedObject;
  id: string;
}

/** Throws `ASSET_NOT_FOUND`, also for an object that the caller cannot see. */
export async function getAsset(deps: AssetDeps, { principal, type, id }: OfAsset): Promise<CatalogAssetDetails> {
  const { workspaceId } = principal;
  const object = { workspaceId, type, id };
  const kind = ASSET_KINDS[type];
  const asset = (await deps.mayRead(principal, kind)) ? await kind.find(deps.table, principal, id) : undefined;
  if (!asset) throw new AppError('ASSET_NOT_FOUND');
  const [record, { domains }, use, viewers30d, terms, contents] = await Promise.all([
    deps.certifications.read(object),
    deps.domains.read(workspaceId),
    deps.uses.of(object),
    deps.uses.countPeople(object),
    termsOf(deps, object),
    assetContents(deps, principal, object),
  ]);
  const name = `${type}#${id}`;
  const records = new Map(record ? [[name, record] as const] : []);
  const shown = showAsset(asset, { records, domains, uses: new Map([[name, use]]) }, deps.now());
  return { ...shown, usage: { ...shown.usage, viewers30d }, terms, ...contents };
}

const MAX_TERMS = 100;

/** The terms that are linked to the object, by name. */
async function termsOf(
  { links, terms }: AssetDeps,
  { workspaceId, type, id: objectId }: { workspaceId: string; type: CertifiedObject; id: string },
): Promise<CatalogAssetDetails['terms']> {
  const linked = (await links.ofObject(workspaceId, { type, objectId } as Parameters<typeof links.ofObject>[1])).slice(
    0,
    MAX_TERMS,
  );
  const found = await terms.getMany(
    workspaceId,
    linked.map(({ termId }) => termId),
  );
  const roles = new Map(linked.map(({ termId, role }) => [termId, role]));
  return found
    .map(({ id, name, status }) => ({ id, name, status, role: roles.get(id)! }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
}

/**
 * Throws the same, and `VALIDATION_FAILED` for owners who are no members, a domain that does not exist, or what belongs
 * to a term itself.
 */
export async function setEntry(
  deps: AssetDeps,
  { entry, ...object }: OfAsset & { entry: SetCatalogEntry },
): Promise<CatalogAssetDetails> {
  await onNewest('STALE_WRITE', async () => {
    const found = await objectOrNone(deps, object);
    if (!found) throw new AppError('ASSET_NOT_FOUND');
    const errors = await entryIssues(deps, object, entry);
    if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
    const change = { ...entry, ...(entry.tags && { tags: foldTags(entry.tags) }) };
    await deps.certifications.setListing(found, change);
  });
  return getAsset(deps, object);
}

async function entryIssues(
  deps: AssetDeps,
  { principal: { workspaceId }, type }: OfAsset,
  { ownerIds = [], domainId, tags }: SetCatalogEntry,
): Promise<Issue[]> {
  const message = 'belongs to the term itself: change it with PATCH /api/catalog/terms/{id}';
  const ofTerm = (pointer: string, value: unknown): Issue[] =>
    type === 'term' && value !== undefined ? [{ pointer, code: 'NOT_ALLOWED', message }] : [];
  const [members, { domains }] = await Promise.all([
    deps.members(workspaceId, ownerIds),
    deps.domains.read(workspaceId),
  ]);
  const isKnown = (domainId ?? null) === null || domains.some(({ id }) => id === domainId);
  return [
    ...(ownerIds.length > 0 ? ofTerm('/ownerIds', ownerIds) : []),
    ...ofTerm('/tags', tags),
    ...ownerIds.flatMap((userId, index): Issue[] =>
      members.has(userId)
        ? []
        : [{ pointer: `/ownerIds/${index}`, code: 'NOT_A_MEMBER', message: 'is not a member of the workspace' }],
    ),
    ...(isKnown ? [] : [{ pointer: '/domainId', code: 'NOT_FOUND', message: 'is no domain of the workspace' }]),
  ];
}
