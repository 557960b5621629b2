import type { VisibleAsset } from '../../../../../shared/domains/catalog/assets/index.ts';
import { ASSET_KINDS } from '../../../../../shared/domains/catalog/assets/index.ts';
import type { CatalogDomain, CatalogDomains } from '../../../../../shared/domains/catalog/domains/index.ts';
import type { TermLinks, TermRepository } from '../../../../../shared/domains/catalog/terms/index.ts';
import {
  CERTIFIED_OBJECTS,
  type CertificationRecord,
  type Certifications,
  type CertifiedObject,
  entryName,
  showCertification,
} from '../../../../../shared/domains/tenancy/certifications/index.ts';
import type { StoredMember } from '../../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import type { ReadRule } from '../../../../../shared/platform/entitlements/may-read.ts';
import { type ObjectUse, type ObjectUses, UNUSED } from '../../../../../shared/platform/object-use/object-use.ts';
import type { Table } from '../../../../../shared/platform/storage/table.ts';
import type { CatalogAsset } from '../schemas.ts';

export interface AssetDeps {
  table: Table;
  certifications: Certifications;
  domains: CatalogDomains;
  uses: ObjectUses;
  links: TermLinks;
  terms: Pick<TermRepository, 'getMany'>;
  members(workspaceId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, StoredMember>>;
  mayRead(principal: Principal, rule: ReadRule): Promise<boolean>;
  now(): Date;
}

/** What is known of the objects of a workspace, beside the objects. */
export interface Known {
  records: ReadonlyMap<string, CertificationRecord>;
  domains: readonly CatalogDomain[];
  uses: ReadonlyMap<string, ObjectUse>;
}

/** The objects that the reader may see, of one kind or all: nothing else is listed or counted. */
export async function visibleAssets(
  { table, mayRead }: Pick<AssetDeps, 'table' | 'mayRead'>,
  reader: Principal,
  type?: CertifiedObject,
): Promise<VisibleAsset[]> {
  const found = await Promise.all(
    CERTIFIED_OBJECTS.filter((each) => type === undefined || each === type).map(async (each) => {
      const kind = ASSET_KINDS[each];
      return (await mayRead(reader, kind)) ? kind.read(table, reader) : [];
    }),
  );
  return found.flat();
}

export async function readKnown(
  { certifications, domains, uses }: Pick<AssetDeps, 'certifications' | 'domains' | 'uses'>,
  workspaceId: string,
): Promise<Known> {
  const [records, stored, used] = await Promise.all([
    certifications.readAll(workspaceId),
    domains.read(workspaceId),
    uses.ofAll(workspaceId),
  ]);
  return {
    records: new Map(records.map((each) => [entryName({ type: each.objectType, id: each.objectId }), each])),
    domains: stored.domains,
    uses: used,
  };
}

/** The object with what the catalog says about it. A domain that was deleted counts as none. */
export function showAsset(asset: VisibleAsset, { records, domains, uses }: Known, now: Date): CatalogAsset {
  const { type, id, name, description, updatedAt } = asset;
  const record = records.get(entryName({ type, id }));
  const { ownerIds = [], domainId = null, tags = [] } = record?.listing ?? {};
  return {
    ...{ type, id, name, description },
    ownerIds: ownerIds.length > 0 ? [...ownerIds] : [...asset.ownerIds],
    domainId: domains.some((each) => each.id === domainId) ? domainId : null,
    tags: [...(asset.tags ?? tags)],
    ...showCertification(record?.entries[entryName({ type, id })], now),
    usage: uses.get(entryName({ type, id })) ?? UNUSED,
    updatedAt,
  };
}
