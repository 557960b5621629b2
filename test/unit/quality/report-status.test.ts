import { expect, it } from 'vitest';
import { reportStatus } from '../../../functions/quality/data-quality/scores/report-status.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';

it('the status of a model with more than 200 tables is refused before any of them is read', async () => {
  const tables = new Map(Array.from({ length: 201 }, (_, i) => [`${i}`, { sourceSchema: '', sourceTable: `t${i}` }]));
  const read = async () => ({ model: { sourceId: 'datasets' }, tables });
  const deps = { definitions: { read } } as unknown as Parameters<typeof reportStatus>[0];
  const principal = { workspaceId: 'w', role: 'viewer' } as unknown as Principal;
  await expect(reportStatus(deps, principal, { modelId: 'm' })).rejects.toMatchObject({
    code: 'LIST_TOO_LARGE',
    message: expect.stringContaining('200 tables'),
  });
});
