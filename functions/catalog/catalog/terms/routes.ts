import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  CreateTerm,
  DeletedTerm,
  DeleteTermQuery,
  LinkParams,
  ProposalParams,
  RejectTermProposal,
  RelationParams,
  RestoreTerm,
  SetTermLink,
  TermDetails,
  TermItemsQuery,
  TermLink,
  TermLinkPage,
  TermListQuery,
  TermPage,
  TermParams,
  TermProposal,
  TermProposalPage,
  UpdatedTerm,
  UpdateTerm,
} from './schemas.ts';

export const listTerms = defineRoute({
  operationId: 'listTerms',
  method: 'GET',
  path: '/api/catalog/terms',
  summary: 'List terms',
  permission: 'catalog:read',
  query: TermListQuery,
  success: { status: 200, body: TermPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createTerm = defineRoute({
  operationId: 'createTerm',
  method: 'POST',
  path: '/api/catalog/terms',
  summary: 'Create a term',
  description: 'Only admins can create terms that are already approved or deprecated.',
  permission: 'catalog:write',
  body: CreateTerm,
  success: { status: 201, body: TermDetails, versioned: true },
  errors: ['TERM_NAME_TAKEN', 'TERM_REVIEWERS_ONLY', 'TERM_IMPORT_RUNNING'],
  idempotent: true,
  audit: 'term.created',
});

export const getTerm = defineRoute({
  operationId: 'getTerm',
  method: 'GET',
  path: '/api/catalog/terms/{id}',
  summary: 'Get a term',
  permission: 'catalog:read',
  params: TermParams,
  uses: { type: 'term', param: 'id' },
  success: { status: 200, body: TermDetails, versioned: true },
  errors: ['TERM_NOT_FOUND'],
});

export const updateTerm = defineRoute({
  operationId: 'updateTerm',
  method: 'PATCH',
  path: '/api/catalog/terms/{id}',
  summary: 'Change a term',
  description:
    'Only admins and its reviewers change an approved or deprecated term. A change by anyone else becomes a proposal, which replaces an earlier one by the same person; the term stays as it is.',
  permission: 'catalog:write',
  params: TermParams,
  body: UpdateTerm,
  success: { status: 200, body: UpdatedTerm, versioned: true },
  errors: ['TERM_NOT_FOUND', 'TERM_NAME_TAKEN', 'TERM_REVIEWERS_ONLY', 'TERM_IMPORT_RUNNING'],
  audit: ['term.updated', 'term.proposed'],
});

export const deleteTerm = defineRoute({
  operationId: 'deleteTerm',
  method: 'DELETE',
  path: '/api/catalog/terms/{id}',
  summary: 'Delete a term',
  description:
    'Only admins and its reviewers delete an approved or deprecated term. A term with relations or links is deleted only with `detach`; without it, `referencedBy` lists the ones that the caller can see. The term can be restored for 30 days. Its name becomes available again.',
  permission: 'catalog:write',
  params: TermParams,
  query: DeleteTermQuery,
  success: { status: 200, body: DeletedTerm, versioned: true },
  errors: ['TERM_NOT_FOUND', 'TERM_REVIEWERS_ONLY', 'REFERENCED', 'TERM_IMPORT_RUNNING'],
  audit: ['term.deleted', 'term.unrelated'],
});

export const restoreTerm = defineRoute({
  operationId: 'restoreTerm',
  method: 'POST',
  path: '/api/catalog/terms/{id}/restore',
  summary: 'Restore a deleted term',
  description:
    'Links, proposals and the certification come back with it, and the relations to terms that still exist, as far as the caller may add them and they lead into no circle. Only admins and its reviewers restore an approved or deprecated term. Restoring a term that is not deleted changes nothing.',
  permission: 'catalog:write',
  params: TermParams,
  body: RestoreTerm,
  optionalBody: true,
  success: { status: 200, body: TermDetails, versioned: true },
  errors: ['TERM_NOT_FOUND', 'TERM_NAME_TAKEN', 'TERM_REVIEWERS_ONLY', 'TERM_IMPORT_RUNNING'],
  audit: ['term.restored', 'term.related'],
});

export const addTermRelation = defineRoute({
  operationId: 'addTermRelation',
  method: 'PUT',
  path: '/api/catalog/terms/{id}/relations/{relation}/{termId}',
  summary: 'Add a relation between two terms',
  description:
    'The other term gets the inverse relation. Only admins and its reviewers change the relations of an approved or deprecated term.',
  permission: 'catalog:write',
  params: RelationParams,
  success: { status: 204 },
  errors: ['TERM_NOT_FOUND', 'TERM_REVIEWERS_ONLY', 'TERM_CYCLE', 'TERM_TOO_DEEP', 'TERM_FULL', 'TERM_IMPORT_RUNNING'],
  audit: 'term.related',
});

export const removeTermRelation = defineRoute({
  operationId: 'removeTermRelation',
  method: 'DELETE',
  path: '/api/catalog/terms/{id}/relations/{relation}/{termId}',
  summary: 'Remove a relation between two terms',
  permission: 'catalog:write',
  params: RelationParams,
  success: { status: 204 },
  errors: ['TERM_NOT_FOUND', 'TERM_REVIEWERS_ONLY', 'TERM_IMPORT_RUNNING'],
  audit: 'term.unrelated',
});

export const listTermLinks = defineRoute({
  operationId: 'listTermLinks',
  method: 'GET',
  path: '/api/catalog/terms/{id}/links',
  summary: 'List the links of a term',
  description: 'Links to objects that the caller cannot see are omitted and not counted.',
  permission: 'catalog:read',
  params: TermParams,
  query: TermItemsQuery,
  success: { status: 200, body: TermLinkPage },
  errors: ['TERM_NOT_FOUND'],
});

export const setTermLink = defineRoute({
  operationId: 'setTermLink',
  method: 'PUT',
  path: '/api/catalog/terms/{id}/links/{type}/{objectId}',
  summary: 'Set a link from a term to an object',
  description: 'Linking the same object again changes the role.',
  permission: 'catalog:write',
  params: LinkParams,
  body: SetTermLink,
  success: { status: 200, body: TermLink },
  errors: ['TERM_NOT_FOUND', 'TERM_OBJECT_NOT_FOUND', 'TERM_FULL'],
  audit: ['term.linked', 'term.unlinked'],
});

export const removeTermLink = defineRoute({
  operationId: 'removeTermLink',
  method: 'DELETE',
  path: '/api/catalog/terms/{id}/links/{type}/{objectId}',
  summary: 'Remove a link from a term',
  description: 'Links to objects that no longer exist are removed too.',
  permission: 'catalog:write',
  params: LinkParams,
  success: { status: 204 },
  errors: ['TERM_NOT_FOUND', 'TERM_OBJECT_NOT_FOUND'],
  audit: 'term.unlinked',
});

export const listTermProposals = defineRoute({
  operationId: 'listTermProposals',
  method: 'GET',
  path: '/api/catalog/terms/{id}/proposals',
  summary: 'List proposed changes to a term',
  description: 'Newest first, including accepted and rejected ones. Each person has one proposal for a term.',
  permission: 'catalog:write',
  params: TermParams,
  query: TermItemsQuery,
  success: { status: 200, body: TermProposalPage },
  errors: ['TERM_NOT_FOUND'],
});

export const acceptTermProposal = defineRoute({
  operationId: 'acceptTermProposal',
  method: 'POST',
  path: '/api/catalog/terms/{id}/proposals/{proposalId}/accept',
  summary: 'Accept a proposed change',
  permission: 'catalog:write',
  params: ProposalParams,
  success: { status: 200, body: TermDetails, versioned: true },
  errors: [
    'TERM_NOT_FOUND',
    'TERM_PROPOSAL_NOT_FOUND',
    'TERM_REVIEWERS_ONLY',
    'TERM_PROPOSAL_DECIDED',
    'TERM_PROPOSAL_STALE',
    'TERM_NAME_TAKEN',
    'TERM_IMPORT_RUNNING',
  ],
  audit: 'term.updated',
});

export const rejectTermProposal = defineRoute({
  operationId: 'rejectTermProposal',
  method: 'POST',
  path: '/api/catalog/terms/{id}/proposals/{proposalId}/reject',
  summary: 'Reject a proposed change',
  permission: 'catalog:write',
  params: ProposalParams,
  body: RejectTermProposal,
  success: { status: 200, body: TermProposal },
  errors: ['TERM_NOT_FOUND', 'TERM_PROPOSAL_NOT_FOUND', 'TERM_REVIEWERS_ONLY', 'TERM_PROPOSAL_DECIDED'],
  audit: 'term.proposal_rejected',
});
