import { DigestRun } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { unsubscribeRoutes } from '../../../delivery/schedules/unsubscribe-routes.ts';
import {
  CreateDigest,
  Digest,
  DigestListQuery,
  DigestPage,
  DigestParams,
  DigestRunDetails,
  DigestRunParams,
  DigestRuns,
  DigestRunsQuery,
  UpdateDigest,
} from './schemas.ts';

export const listDigests = defineRoute({
  operationId: 'listDigests',
  method: 'GET',
  path: '/api/metrics/digests',
  summary: 'List digests of metrics',
  permission: 'metrics:read',
  query: DigestListQuery,
  success: { status: 200, body: DigestPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createDigest = defineRoute({
  operationId: 'createDigest',
  method: 'POST',
  path: '/api/metrics/digests',
  summary: 'Create a digest of metrics',
  description: 'Unknown metrics, and recipients who are not members of the workspace, are reported with their place.',
  permission: 'metrics:write',
  body: CreateDigest,
  success: { status: 201, body: Digest, versioned: true },
  errors: ['METRIC_DIGEST_NAME_TAKEN', 'MAIL_NOT_CONFIGURED'],
  idempotent: true,
  audit: 'metric_digest.created',
});

export const getDigest = defineRoute({
  operationId: 'getDigest',
  method: 'GET',
  path: '/api/metrics/digests/{id}',
  summary: 'Get a digest of metrics',
  permission: 'metrics:read',
  params: DigestParams,
  success: { status: 200, body: Digest, versioned: true },
  errors: ['METRIC_DIGEST_NOT_FOUND'],
});

export const updateDigest = defineRoute({
  operationId: 'updateDigest',
  method: 'PATCH',
  path: '/api/metrics/digests/{id}',
  summary: 'Update a digest of metrics',
  permission: 'metrics:write',
  params: DigestParams,
  body: UpdateDigest,
  success: { status: 200, body: Digest, versioned: true },
  errors: ['METRIC_DIGEST_NOT_FOUND', 'METRIC_DIGEST_NAME_TAKEN'],
  audit: 'metric_digest.updated',
});

export const deleteDigest = defineRoute({
  operationId: 'deleteDigest',
  method: 'DELETE',
  path: '/api/metrics/digests/{id}',
  summary: 'Delete a digest of metrics',
  permission: 'metrics:write',
  params: DigestParams,
  success: { status: 204, versioned: true },
  errors: ['METRIC_DIGEST_NOT_FOUND'],
  audit: 'metric_digest.deleted',
});

export const sendDigest = defineRoute({
  operationId: 'sendDigest',
  method: 'POST',
  path: '/api/metrics/digests/{id}/send',
  summary: 'Send a digest of metrics now',
  description:
    'Sends it to every recipient, whatever its schedule, also while it is paused: at most five times an hour. The reply does not wait for the emails.',
  permission: 'metrics:write',
  params: DigestParams,
  success: { status: 202, body: DigestRun },
  errors: ['METRIC_DIGEST_NOT_FOUND', 'METRIC_DIGEST_STOPPED', 'MAIL_NOT_CONFIGURED', 'RATE_LIMITED'],
  idempotent: true,
  audit: 'metric_digest.sent',
});

export const listDigestRuns = defineRoute({
  operationId: 'listDigestRuns',
  method: 'GET',
  path: '/api/metrics/digests/{id}/runs',
  summary: 'List the runs of a digest',
  permission: 'metrics:read',
  params: DigestParams,
  query: DigestRunsQuery,
  success: { status: 200, body: DigestRuns },
  errors: ['METRIC_DIGEST_NOT_FOUND'],
});

export const getDigestRun = defineRoute({
  operationId: 'getDigestRun',
  method: 'GET',
  path: '/api/metrics/digests/{id}/runs/{runId}',
  summary: 'Get a run of a digest',
  permission: 'metrics:read',
  params: DigestRunParams,
  success: { status: 200, body: DigestRunDetails },
  errors: ['METRIC_DIGEST_NOT_FOUND', 'METRIC_DIGEST_RUN_NOT_FOUND'],
});

export const { page: getUnsubscribePage, leave: unsubscribeFromDigest } = unsubscribeRoutes({
  path: '/api/metrics/digests/unsubscribe',
  noun: 'digest',
  operationIds: { page: 'getUnsubscribePage', leave: 'unsubscribeFromDigest' },
  audit: 'metric_digest.unsubscribed',
});
