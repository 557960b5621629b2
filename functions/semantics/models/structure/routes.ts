import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { ForceQuery } from '../../../../shared/platform/http/schemas.ts';
import { ModelParams, NamedPartsQuery, PartsQuery } from '../schemas.ts';
import {
  CreateHierarchy,
  CreatePolicy,
  CreateRelationship,
  Hierarchy,
  HierarchyPage,
  HierarchyParams,
  Policy,
  PolicyPage,
  PolicyParams,
  Relationship,
  RelationshipPage,
  RelationshipParams,
  UpdateHierarchy,
  UpdatePolicy,
  UpdateRelationship,
} from './schemas.ts';

const read = { permission: 'models:read' } as const;
const write = { permission: 'models:write', grant: grantOn('model', 'editor', 'modelId') } as const;
const protect = { permission: 'model-policies:manage' } as const;

export const listRelationships = defineRoute({
  operationId: 'listRelationships',
  method: 'GET',
  path: '/api/models/{modelId}/relationships',
  summary: 'List relationships',
  ...read,
  params: ModelParams,
  query: PartsQuery,
  success: { status: 200, body: RelationshipPage },
  errors: ['MODEL_NOT_FOUND'],
});

export const createRelationship = defineRoute({
  operationId: 'createRelationship',
  method: 'POST',
  path: '/api/models/{modelId}/relationships',
  summary: 'Create a relationship',
  description:
    'Joins two tables by fields of comparable types. Relationships may form cycles. A query that could join its tables in several ways is rejected until all but one are inactive.',
  ...write,
  params: ModelParams,
  body: CreateRelationship,
  success: { status: 201, body: Relationship, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_RELATIONSHIP_EXISTS', 'MODEL_TOO_LARGE'],
  idempotent: true,
  audit: 'model.updated',
});

export const updateRelationship = defineRoute({
  operationId: 'updateRelationship',
  method: 'PUT',
  path: '/api/models/{modelId}/relationships/{relId}',
  summary: 'Update a relationship',
  ...write,
  params: RelationshipParams,
  body: UpdateRelationship,
  success: { status: 200, body: Relationship, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_RELATIONSHIP_NOT_FOUND', 'MODEL_RELATIONSHIP_EXISTS'],
  audit: 'model.updated',
});

export const deleteRelationship = defineRoute({
  operationId: 'deleteRelationship',
  method: 'DELETE',
  path: '/api/models/{modelId}/relationships/{relId}',
  summary: 'Delete a relationship',
  description: 'Rejected if that breaks cards or other objects that combine tables by it, unless `force` is set.',
  ...write,
  params: RelationshipParams,
  query: ForceQuery,
  success: { status: 204, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_RELATIONSHIP_NOT_FOUND', 'REFERENCED'],
  audit: 'model.updated',
});

export const listHierarchies = defineRoute({
  operationId: 'listHierarchies',
  method: 'GET',
  path: '/api/models/{modelId}/hierarchies',
  summary: 'List hierarchies',
  ...read,
  params: ModelParams,
  query: NamedPartsQuery,
  success: { status: 200, body: HierarchyPage },
  errors: ['MODEL_NOT_FOUND'],
});

export const createHierarchy = defineRoute({
  operationId: 'createHierarchy',
  method: 'POST',
  path: '/api/models/{modelId}/hierarchies',
  summary: 'Create a hierarchy',
  ...write,
  params: ModelParams,
  body: CreateHierarchy,
  success: { status: 201, body: Hierarchy, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_HIERARCHY_NAME_TAKEN', 'MODEL_TOO_LARGE'],
  idempotent: true,
  audit: 'model.updated',
});

export const updateHierarchy = defineRoute({
  operationId: 'updateHierarchy',
  method: 'PUT',
  path: '/api/models/{modelId}/hierarchies/{hierId}',
  summary: 'Update a hierarchy',
  ...write,
  params: HierarchyParams,
  body: UpdateHierarchy,
  success: { status: 200, body: Hierarchy, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_HIERARCHY_NOT_FOUND', 'MODEL_HIERARCHY_NAME_TAKEN'],
  audit: 'model.updated',
});

export const deleteHierarchy = defineRoute({
  operationId: 'deleteHierarchy',
  method: 'DELETE',
  path: '/api/models/{modelId}/hierarchies/{hierId}',
  summary: 'Delete a hierarchy',
  ...write,
  params: HierarchyParams,
  success: { status: 204, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_HIERARCHY_NOT_FOUND'],
  audit: 'model.updated',
});

export const listRlsPolicies = defineRoute({
  operationId: 'listRlsPolicies',
  method: 'GET',
  path: '/api/models/{modelId}/rls',
  summary: 'List row-level security policies',
  ...protect,
  params: ModelParams,
  query: NamedPartsQuery,
  success: { status: 200, body: PolicyPage },
  errors: ['MODEL_NOT_FOUND'],
});

export const createRlsPolicy = defineRoute({
  operationId: 'createRlsPolicy',
  method: 'POST',
  path: '/api/models/{modelId}/rls',
  summary: 'Create a row-level security policy',
  description:
    'A table without policies is open. Otherwise a caller sees the rows of every policy that applies to them, and none if no policy does, admins included.',
  ...protect,
  params: ModelParams,
  body: CreatePolicy,
  success: { status: 201, body: Policy, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_POLICY_NAME_TAKEN', 'MODEL_TOO_LARGE'],
  idempotent: true,
  audit: 'model.policy_created',
});

export const updateRlsPolicy = defineRoute({
  operationId: 'updateRlsPolicy',
  method: 'PUT',
  path: '/api/models/{modelId}/rls/{policyId}',
  summary: 'Update a row-level security policy',
  ...protect,
  params: PolicyParams,
  body: UpdatePolicy,
  success: { status: 200, body: Policy, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_POLICY_NOT_FOUND', 'MODEL_POLICY_NAME_TAKEN'],
  audit: 'model.policy_updated',
});

export const deleteRlsPolicy = defineRoute({
  operationId: 'deleteRlsPolicy',
  method: 'DELETE',
  path: '/api/models/{modelId}/rls/{policyId}',
  summary: 'Delete a row-level security policy',
  ...protect,
  params: PolicyParams,
  success: { status: 204, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_POLICY_NOT_FOUND'],
  audit: 'model.policy_deleted',
});
