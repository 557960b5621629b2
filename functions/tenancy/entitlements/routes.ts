import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  Budgets,
  EntitlementSnapshot,
  Licence,
  ProductUsage,
  SetBudgets,
  UploadLicence,
  UsageQuery,
} from './schemas.ts';

export const getEntitlements = defineRoute({
  operationId: 'getEntitlements',
  method: 'GET',
  path: '/api/entitlements',
  summary: 'Get entitlements',
  description: 'What the company is licensed for.',
  permission: 'entitlements:read',
  success: { status: 200, body: EntitlementSnapshot },
});

export const getLicence = defineRoute({
  operationId: 'getLicence',
  method: 'GET',
  path: '/api/entitlements/licence',
  summary: 'Get the licence',
  description: 'The contents of the licence file of the company. The file itself is not returned.',
  permission: 'company:manage',
  success: { status: 200, body: Licence },
  errors: ['LICENCE_NOT_FOUND'],
});

export const uploadLicence = defineRoute({
  operationId: 'uploadLicence',
  method: 'PUT',
  path: '/api/entitlements/licence',
  summary: 'Set the licence',
  description:
    'Verifies a signed licence file and replaces the licence of the company. It takes effect within seconds. A file that is rejected changes nothing.',
  permission: 'company:manage',
  body: UploadLicence,
  success: { status: 200, body: Licence },
  errors: ['LICENCE_INVALID', 'LICENCE_OTHER_COMPANY', 'LICENCE_NOT_YET_VALID', 'LICENCE_EXPIRED'],
  audit: 'licence.uploaded',
});

export const removeLicence = defineRoute({
  operationId: 'removeLicence',
  method: 'DELETE',
  path: '/api/entitlements/licence',
  summary: 'Remove the licence',
  description: 'Plan and trials decide what the company may use, within seconds.',
  permission: 'company:manage',
  success: { status: 204 },
  errors: ['LICENCE_NOT_FOUND'],
  audit: 'licence.removed',
});

export const getProductUsage = defineRoute({
  operationId: 'getProductUsage',
  method: 'GET',
  path: '/api/usage/products',
  summary: 'Get product usage',
  description:
    'Usage of the products by this workspace in a month. Plan, allowance and what is stored are those of now, also for an earlier month.',
  permission: 'usage:read',
  query: UsageQuery,
  success: { status: 200, body: ProductUsage },
});

export const getBudgets = defineRoute({
  operationId: 'getBudgets',
  method: 'GET',
  path: '/api/usage/budgets',
  summary: 'Get the budgets',
  description: 'The monthly budgets of this workspace.',
  permission: 'usage:read',
  success: { status: 200, body: Budgets },
});

export const setBudgets = defineRoute({
  operationId: 'setBudgets',
  method: 'PUT',
  path: '/api/usage/budgets',
  summary: 'Set the budgets',
  description:
    'Replaces the monthly budgets of this workspace. The event `usage.budget_exceeded` is sent once per product, budget and month when usage crosses a budget. A budget stops nothing; the allowance of the plan may.',
  permission: 'company:manage',
  body: SetBudgets,
  success: { status: 200, body: Budgets },
  audit: 'budgets.updated',
});
