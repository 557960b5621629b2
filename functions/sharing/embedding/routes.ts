import { EmbedDomain } from '../../../shared/domains/sharing/shares/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  CreateEmbedDomain,
  CreateEmbedToken,
  DomainListQuery,
  DomainParams,
  EmbedDomainPage,
  EmbedToken,
  TokenParams,
} from './schemas.ts';

const manage = { permission: 'shares:manage' } as const;

export const createEmbedToken = defineRoute({
  operationId: 'createEmbedToken',
  method: 'POST',
  path: '/api/embed/tokens',
  summary: 'Create an embed token',
  description:
    'Opens the published version of a dashboard, or a published report, for one reader of another site, for at most an hour. The token works in place of the token of a share link. It ends earlier if its creator loses the right to create it.',
  ...manage,
  body: CreateEmbedToken,
  success: { status: 201, body: EmbedToken },
  errors: [
    'DASHBOARD_NOT_FOUND',
    'DASHBOARD_NOT_PUBLISHED',
    'REPORT_NOT_FOUND',
    'REPORT_NOT_PUBLISHED',
    'STORY_NOT_FOUND',
    'STORY_NOT_PUBLISHED',
  ],
  idempotent: true,
  audit: 'embed_token.created',
});

export const revokeEmbedToken = defineRoute({
  operationId: 'revokeEmbedToken',
  method: 'DELETE',
  path: '/api/embed/tokens/{jti}',
  summary: 'Revoke an embed token',
  description: 'The token stops working immediately.',
  ...manage,
  params: TokenParams,
  success: { status: 204 },
  errors: ['EMBED_TOKEN_NOT_FOUND'],
  audit: 'embed_token.revoked',
});

export const listEmbedDomains = defineRoute({
  operationId: 'listEmbedDomains',
  method: 'GET',
  path: '/api/embed/domains',
  summary: 'List embed domains',
  description: 'The sites that may show dashboards of the workspace in a frame. If there are none, no site may.',
  ...manage,
  query: DomainListQuery,
  success: { status: 200, body: EmbedDomainPage },
  errors: ['OFFSET_TOO_LARGE'],
});

export const createEmbedDomain = defineRoute({
  operationId: 'createEmbedDomain',
  method: 'POST',
  path: '/api/embed/domains',
  summary: 'Add an embed domain',
  ...manage,
  body: CreateEmbedDomain,
  success: { status: 201, body: EmbedDomain },
  errors: ['EMBED_DOMAIN_TAKEN', 'TOO_MANY_EMBED_DOMAINS'],
  idempotent: true,
  audit: 'embed_domain.created',
});

export const deleteEmbedDomain = defineRoute({
  operationId: 'deleteEmbedDomain',
  method: 'DELETE',
  path: '/api/embed/domains/{id}',
  summary: 'Remove an embed domain',
  ...manage,
  params: DomainParams,
  success: { status: 204 },
  errors: ['EMBED_DOMAIN_NOT_FOUND'],
  audit: 'embed_domain.deleted',
});
