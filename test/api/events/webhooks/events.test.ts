import { afterEach, beforeEach, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { eventIssues } from '../../../support/events.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';
import { dagOf, finishedRun, sql } from '../../pipelines/pipelines/given.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

async function subscribed(api: Api, kind: 'generic' | 'chat', events: string[]): Promise<void> {
  const reply = await api
    .as('editor')
    .post('/api/webhooks', { name: kind, url: `${receiver.url}/${kind}`, kind, events });
  expect(reply.status).toBe(201);
}

describe('events', () => {
  it('report a failed run to generic and chat webhooks, as the catalogue promises', async ({ api }) => {
    await subscribed(api, 'generic', ['*']);
    await subscribed(api, 'generic', ['pipeline.run_failed', 'what.nobody_emits']);
    await subscribed(api, 'generic', [
      'pipeline.run_faile',
      'pipeline.run_failed.',
      'Pipeline.Run_Failed',
      'model.created',
    ]);
    await subscribed(api, 'chat', ['pipeline.run_failed']);
    const { pipeline, run } = await finishedRun(
      api,
      dagOf(sql('broken', "SELECT CAST('x' AS INTEGER) AS n")),
      'failed',
    );

    const received = await receiver.waitFor(3);
    const bodies = (kind: string) => received.filter(({ path }) => path.endsWith(kind)).map(({ body }) => body);
    const [all, named] = bodies('generic');
    expect(eventIssues(all!)).toBe('');
    expect(JSON.parse(all!)).toMatchObject({
      event: 'pipeline.run_failed',
      timestamp: run.finishedAt,
      data: { pipelineId: pipeline.id, runId: run.id, attempt: 1, error: { code: 'SQL_ERROR', stepId: 'broken' } },
    });
    expect(named).toBe(all);
    const [message] = bodies('chat').map((body) => JSON.parse(body));
    expect(message.text).toContain('A run of pipeline *');
    expect(message.text).toContain(run.id);
    expect(message.blocks.at(-1).elements[0].text).toContain(`/api/pipelines/runs/${run.id}`);
    const ids = received.map(({ headers }) => headers['x-service-delivery-id']);
    expect(new Set(ids).size).toBe(3);
  });
});
