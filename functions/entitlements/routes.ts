import { defineRoute } from '../../shared/platform/http/route.ts';
import { EntitlementSnapshot, ProductUsage } from './schemas.ts';

export const getEntitlements = defineRoute({
  operationId: 'getEntitlements',
  method: 'GET',
  path: '/api/entitlements',
  summary: 'Get entitlements',
  description: 'What the company is licensed for.',
  permission: 'entitlements:read',
  success: { status: 200, body: EntitlementSnapshot },
});

export const getProductUsage = defineRoute({
  operationId: 'getProductUsage',
  method: 'GET',
  path: '/api/usage/products',
  summary: 'Get product usage',
  description: 'Usage of the licensed products in the current month.',
  permission: 'usage:read',
  success: { status: 200, body: ProductUsage },
});
