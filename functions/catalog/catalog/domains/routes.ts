import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  CatalogDomain,
  CatalogDomainListQuery,
  CatalogDomainPage,
  CreateCatalogDomain,
  DomainParams,
  UpdateCatalogDomain,
} from './schemas.ts';

export const listCatalogDomains = defineRoute({
  operationId: 'listCatalogDomains',
  method: 'GET',
  path: '/api/catalog/domains',
  summary: 'List domains of the business',
  description: 'By name. A workspace has at most 200.',
  permission: 'catalog:read',
  query: CatalogDomainListQuery,
  success: { status: 200, body: CatalogDomainPage },
});

export const createCatalogDomain = defineRoute({
  operationId: 'createCatalogDomain',
  method: 'POST',
  path: '/api/catalog/domains',
  summary: 'Create a domain of the business',
  permission: 'catalog:organize',
  body: CreateCatalogDomain,
  success: { status: 201, body: CatalogDomain },
  errors: ['CATALOG_DOMAIN_NAME_TAKEN', 'TOO_MANY_CATALOG_DOMAINS'],
  idempotent: true,
  audit: 'catalog_domain.created',
});

export const updateCatalogDomain = defineRoute({
  operationId: 'updateCatalogDomain',
  method: 'PATCH',
  path: '/api/catalog/domains/{id}',
  summary: 'Change a domain of the business',
  description: 'Objects and terms refer to domains by id, so they stay in a domain that is renamed or moved.',
  permission: 'catalog:organize',
  params: DomainParams,
  body: UpdateCatalogDomain,
  success: { status: 200, body: CatalogDomain },
  errors: ['CATALOG_DOMAIN_NOT_FOUND', 'CATALOG_DOMAIN_NAME_TAKEN'],
  audit: 'catalog_domain.updated',
});

export const deleteCatalogDomain = defineRoute({
  operationId: 'deleteCatalogDomain',
  method: 'DELETE',
  path: '/api/catalog/domains/{id}',
  summary: 'Delete a domain of the business',
  description: 'Its objects have no domain then, and domains within it become domains of the first level.',
  permission: 'catalog:organize',
  params: DomainParams,
  success: { status: 204 },
  errors: ['CATALOG_DOMAIN_NOT_FOUND'],
  audit: 'catalog_domain.deleted',
});
