import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import type { CatalogDomain } from './records.ts';

export const MAX_DOMAINS = 200;

const folded = (name: string) => name.trim().normalize('NFKC').toLowerCase();

/**
 * The domains with one of them as given. Throws `CATALOG_DOMAIN_NAME_TAKEN`, `TOO_MANY_CATALOG_DOMAINS`, or
 * `VALIDATION_FAILED` for a parent that would make a third level.
 */
export function withDomain(domains: readonly CatalogDomain[], domain: CatalogDomain): CatalogDomain[] {
  const others = domains.filter(({ id }) => id !== domain.id);
  if (others.some(({ name }) => folded(name) === folded(domain.name))) throw new AppError('CATALOG_DOMAIN_NAME_TAKEN');
  if (others.length >= MAX_DOMAINS) throw new AppError('TOO_MANY_CATALOG_DOMAINS');
  const errors = parentIssues(others, domain);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return [...others, domain];
}

function parentIssues(others: readonly CatalogDomain[], { id, parentId }: CatalogDomain): Issue[] {
  if (parentId === null) return [];
  const issue = (code: string, message: string): Issue[] => [{ pointer: '/parentId', code, message }];
  const parent = others.find((each) => each.id === parentId);
  if (!parent) return issue('NOT_FOUND', parentId === id ? 'must be another domain' : 'is no domain of the workspace');
  if (parent.parentId !== null) return issue('TOO_DEEP', 'is itself within a domain; there are two levels');
  if (others.some((each) => each.parentId === id)) return issue('TOO_DEEP', 'must be null: the domain contains others');
  return [];
}

/** The domains without one; those that it contained are of the first level then. */
export const withoutDomain = (domains: readonly CatalogDomain[], id: string): CatalogDomain[] =>
  domains.filter((each) => each.id !== id).map((each) => (each.parentId === id ? { ...each, parentId: null } : each));

/** The ids of the domain and of those that it contains. */
export const idsWithin = (domains: readonly CatalogDomain[], domainId: string): ReadonlySet<string> =>
  new Set(domains.flatMap(({ id, parentId }) => (id === domainId || parentId === domainId ? [id] : [])));
