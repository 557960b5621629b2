/** The public API of this domain; everything else is internal. */
export type { CatalogDomain, StoredDomains } from './records.ts';
export { idsWithin, MAX_DOMAINS, withDomain, withoutDomain } from './rules.ts';
export { type CatalogDomains, catalogDomains } from './store.ts';
