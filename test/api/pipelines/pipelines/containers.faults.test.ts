import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { withFault } from '../../../support/faults.ts';
import { openReceiver } from '../../../support/receiver.ts';
import { dagOf, givenPipeline, runThatIs, sql, startedRun } from './given.ts';

it('reports that no container can be started for a step, which loses no attempt and can be cancelled', async ({
  api,
}) => {
  const receiver = await openReceiver();
  const webhook = { name: 'operator', url: receiver.url, kind: 'generic', events: ['compute.provision_failing'] };
  expect((await api.as('owner').post('/api/webhooks', webhook)).status).toBe(201);
  const step = sql('a', 'SELECT 1 AS x');
  const { id } = await givenPipeline(api, dagOf({ ...step, config: { ...step.config, timeoutSeconds: 3600 } }));
  await withFault(api, { service: 'ecs', operation: 'RunTask', effect: 'error' }, async () => {
    const runId = await startedRun(api, id);
    const [reported] = await receiver.waitFor(1, 60_000);
    expect(JSON.parse(reported!.body)).toMatchObject({
      event: 'compute.provision_failing',
      data: { pipelineId: id, size: 'container', error: { code: 'WORKER_UNAVAILABLE' } },
    });
    const waiting = await api.as('viewer').get(`/api/pipelines/runs/${runId}`);
    expect(waiting.body).toMatchObject({ status: 'running', steps: [{ status: 'queued', attempt: 0 }] });
    expect((await api.as('editor').post(`/api/pipelines/runs/${runId}/cancel`)).status).toBe(200);
    const ended = await runThatIs(api, runId, 'cancelled');
    expect(ended.steps).toMatchObject([{ status: 'cancelled', attempt: 0 }]);
  });
  await receiver.close();
});
