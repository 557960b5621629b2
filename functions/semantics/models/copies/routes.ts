import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { ModelParams, PartsQuery } from '../schemas.ts';
import { PolicyParams } from '../structure/schemas.ts';
import { Copy, CopyPage, CopyParams, DecideCopy, PolicyDetails } from './schemas.ts';

const protect = { permission: 'model-policies:manage' } as const;

export const getRlsPolicy = defineRoute({
  operationId: 'getRlsPolicy',
  method: 'GET',
  path: '/api/models/{modelId}/rls/{policyId}',
  summary: 'Get a row-level security policy',
  description:
    'Lists the datasets, pipelines and CDC streams that copy the table as `copies`, including those defined before the policy.',
  ...protect,
  params: PolicyParams,
  success: { status: 200, body: PolicyDetails },
  errors: ['MODEL_NOT_FOUND', 'MODEL_POLICY_NOT_FOUND'],
});

export const listProtectedCopies = defineRoute({
  operationId: 'listProtectedCopies',
  method: 'GET',
  path: '/api/models/{modelId}/copies',
  summary: 'List copies of protected tables',
  description:
    'Datasets, pipelines and CDC streams that store or send rows of tables that policies or sensitivity labels of the model protect, and copies of these copies.',
  ...protect,
  params: ModelParams,
  query: PartsQuery,
  success: { status: 200, body: CopyPage },
  errors: ['MODEL_NOT_FOUND'],
});

export const decideProtectedCopy = defineRoute({
  operationId: 'decideProtectedCopy',
  method: 'PUT',
  path: '/api/models/{modelId}/copies/{kind}/{copyId}',
  summary: 'Set whether a copy is allowed',
  description:
    'The permission is for the copy as it is defined now. It ends when the definition changes or a policy protects another of its tables; `"allowed": false` withdraws it.',
  ...protect,
  params: CopyParams,
  body: DecideCopy,
  success: { status: 200, body: Copy },
  errors: ['MODEL_NOT_FOUND', 'MODEL_COPY_NOT_FOUND'],
  audit: 'model.copy_decided',
});
