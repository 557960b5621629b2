import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  AssetParams,
  CatalogAssetDetails,
  CatalogAssetListQuery,
  CatalogAssetPage,
  CatalogTagListQuery,
  CatalogTagPage,
  SetCatalogEntry,
} from './schemas.ts';

export const listCatalogAssets = defineRoute({
  operationId: 'listCatalogAssets',
  method: 'GET',
  path: '/api/catalog/assets',
  summary: 'List objects of the catalog',
  description: 'Only objects that the caller may see are listed and counted.',
  permission: 'catalog:read',
  query: CatalogAssetListQuery,
  success: { status: 200, body: CatalogAssetPage },
  errors: ['LIST_TOO_LARGE'],
});

export const getCatalogAsset = defineRoute({
  operationId: 'getCatalogAsset',
  method: 'GET',
  path: '/api/catalog/assets/{type}/{id}',
  summary: 'Get an object of the catalog',
  permission: 'catalog:read',
  params: AssetParams,
  success: { status: 200, body: CatalogAssetDetails },
  errors: ['ASSET_NOT_FOUND'],
});

export const setCatalogEntry = defineRoute({
  operationId: 'setCatalogEntry',
  method: 'PUT',
  path: '/api/catalog/assets/{type}/{id}/catalog',
  summary: 'Set owners, domain and tags',
  description: 'Changes what the catalog says about an object, not the object.',
  permission: 'catalog:write',
  params: AssetParams,
  body: SetCatalogEntry,
  success: { status: 200, body: CatalogAssetDetails },
  errors: ['ASSET_NOT_FOUND'],
  audit: 'asset.updated',
});

export const listCatalogTags = defineRoute({
  operationId: 'listCatalogTags',
  method: 'GET',
  path: '/api/catalog/tags',
  summary: 'List tags',
  description: 'The most used first. Only objects that the caller may see are counted.',
  permission: 'catalog:read',
  query: CatalogTagListQuery,
  success: { status: 200, body: CatalogTagPage },
  errors: ['LIST_TOO_LARGE'],
});
