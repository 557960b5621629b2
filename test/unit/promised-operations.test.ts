import { describe, expect, it } from 'vitest';
import { GROUPS } from '../../functions/api.ts';
import { PROMISED_OPERATIONS } from '../support/promised-operations.ts';

const declared = new Set(GROUPS.flatMap((group) => group.routes).map(({ method, path }) => `${method} ${path}`));

describe('promised operations', () => {
  it.each(['entitlements', 'scim', 'usage', 'webhooks'])('declares all of /api/%s', (prefix) => {
    expect(PROMISED_OPERATIONS[prefix]!.filter((operation) => !declared.has(operation))).toEqual([]);
  });

  it('declares no pipeline operation beyond the promised ones but these', () => {
    const ours = [...declared].filter((operation) => operation.includes('/api/pipelines'));
    const beyond = [
      'GET /api/pipelines/runs',
      'GET /api/pipelines/runs/{runId}/steps',
      'GET /api/pipelines/cdc-streams/{id}',
      'POST /api/pipelines/cdc-streams/{id}/resync',
      'POST /api/pipelines/{id}/webhook/rotate',
      'POST /api/pipelines/{id}/backfill/cancel',
      'GET /api/pipelines/{id}/triggers',
    ];
    expect(ours.filter((operation) => !PROMISED_OPERATIONS.pipelines!.includes(operation)).sort()).toEqual(
      beyond.sort(),
    );
  });

  it('declares the pipeline operations of the first slice, and leaves only these to come', () => {
    const missing = PROMISED_OPERATIONS.pipelines!.filter((operation) => !declared.has(operation));
    const later = /suggest-ops|cdc-streams/;
    expect(missing.filter((operation) => !later.test(operation))).toEqual([]);
  });

  it('declares the operations of dashboards, and leaves only these to come', () => {
    const missing = PROMISED_OPERATIONS.dashboards!.filter((operation) => !declared.has(operation));
    const later = /schedules|summarize|from-query|export/;
    expect(missing.filter((operation) => !later.test(operation))).toEqual([]);
  });
});
