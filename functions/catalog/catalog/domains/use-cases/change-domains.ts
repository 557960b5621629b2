import {
  type CatalogDomain,
  type CatalogDomains,
  withDomain,
  withoutDomain,
} from '../../../../../shared/domains/catalog/domains/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../../shared/platform/storage/on-newest.ts';
import { type PageOf, pageOf } from '../../../../../shared/platform/storage/page.ts';
import type { CatalogDomainListQuery, CreateCatalogDomain, UpdateCatalogDomain } from '../schemas.ts';

export interface DomainDeps {
  domains: CatalogDomains;
  now(): Date;
}

interface OfDomain {
  principal: Principal;
  id: string;
}

export async function listDomains(
  { domains }: Pick<DomainDeps, 'domains'>,
  workspaceId: string,
  page: CatalogDomainListQuery,
): Promise<PageOf<CatalogDomain>> {
  const { domains: all } = await domains.read(workspaceId);
  const sorted = [...all].sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
  return pageOf(sorted, page, (domain) => domain);
}

/** Throws `CATALOG_DOMAIN_NAME_TAKEN`, `TOO_MANY_CATALOG_DOMAINS`, or `VALIDATION_FAILED` for the parent. */
export function createDomain(
  { domains, now }: DomainDeps,
  { principal, id, domain }: OfDomain & { domain: CreateCatalogDomain },
): Promise<CatalogDomain> {
  const { workspaceId, userId } = principal;
  return onNewest('STALE_WRITE', async () => {
    const before = await domains.read(workspaceId);
    const stored = before.domains.find((each) => each.id === id);
    if (stored) return stored;
    const at = now().toISOString();
    const created = { id, ...domain, createdBy: userId, updatedBy: userId, createdAt: at, updatedAt: at };
    await domains.replace(before, withDomain(before.domains, created), id);
    return created;
  });
}

/** Throws `CATALOG_DOMAIN_NOT_FOUND`, `CATALOG_DOMAIN_NAME_TAKEN`, or `VALIDATION_FAILED` for the parent. */
export function updateDomain(
  { domains, now }: DomainDeps,
  { principal, id, change }: OfDomain & { change: UpdateCatalogDomain },
): Promise<CatalogDomain> {
  return onNewest('STALE_WRITE', async () => {
    const before = await domains.read(principal.workspaceId);
    const found = domainOf(before.domains, id);
    const next = { ...found, ...change, updatedBy: principal.userId, updatedAt: later(found.updatedAt, now()) };
    await domains.replace(before, withDomain(before.domains, next), id);
    return next;
  });
}

/** Throws `CATALOG_DOMAIN_NOT_FOUND`. */
export function deleteDomain({ domains }: Pick<DomainDeps, 'domains'>, { principal, id }: OfDomain): Promise<void> {
  return onNewest('STALE_WRITE', async () => {
    const before = await domains.read(principal.workspaceId);
    domainOf(before.domains, id);
    await domains.replace(before, withoutDomain(before.domains, id), id);
  });
}

function domainOf(domains: readonly CatalogDomain[], id: string): CatalogDomain {
  const found = domains.find((each) => each.id === id);
  if (!found) throw new AppError('CATALOG_DOMAIN_NOT_FOUND');
  return found;
}
