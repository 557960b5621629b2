import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { it } from '../../../support/api.ts';
import { givenPipeline, simpleDag } from './given.ts';

describe('schedules of pipelines', () => {
  it('get and lose a schedule', async ({ api }) => {
    const { id } = await givenPipeline(api, simpleDag());
    const put = (body: object, actor: 'editor' | 'stranger' = 'editor') =>
      api.as(actor).put(`/api/pipelines/${id}/schedule`, body);
    const set = await put({ everySeconds: 60 });
    expect(set.body.schedule).toMatchObject({ everySeconds: 60, timezone: 'UTC', enabled: true });
    const item = await api.stored(workspaceKey(api.workspaceId, 'PIPELINE', id));
    expect(item).toMatchObject({
      due: expect.stringContaining('pipeline-schedule#'),
      dueAt: set.body.schedule.nextRunAt,
    });
    expect(await put({ cron: '* * * * *', everySeconds: 60 })).toMatchObject({
      status: 422,
      body: { code: 'PIPELINE_SCHEDULE_INVALID' },
    });
    expect(await put({}, 'stranger')).toMatchObject({ status: 404, body: { code: 'PIPELINE_NOT_FOUND' } });
    expect((await put({})).body.schedule).toBeNull();
    expect(await api.stored(workspaceKey(api.workspaceId, 'PIPELINE', id))).not.toHaveProperty('due');
  });

  it('start at the first instants after a change, and not before their time', async ({ api }) => {
    const { id } = await givenPipeline(api, simpleDag());
    const set = await api.as('editor').put(`/api/pipelines/${id}/schedule`, { everySeconds: 15 });
    const first: string = set.body.schedule.nextRunAt;
    const second = new Date(Date.parse(first) + 15_000).toISOString();
    const runs = async () => {
      const { body } = await api.as('viewer').get(`/api/pipelines/${id}/runs`);
      return body.items.map((run: { trigger: { scheduledAt: string } }) => run.trigger.scheduledAt).sort();
    };
    await expect.poll(runs, { timeout: 60_000, interval: 500 }).toHaveLength(2);
    expect(await runs()).toEqual([first, second]);
    const { body } = await api.as('viewer').get(`/api/pipelines/${id}/runs`);
    for (const { createdAt, trigger } of body.items) expect(createdAt >= trigger.scheduledAt).toBe(true);
    await api.as('editor').put(`/api/pipelines/${id}/schedule`, {});
  });

  it('keep a schedule that is switched off, and refuse to make one without a rhythm', async ({ api }) => {
    const { id } = await givenPipeline(api, simpleDag());
    const put = (body: object) => api.as('editor').put(`/api/pipelines/${id}/schedule`, body);
    const patch = (schedule: object) => api.as('editor').patch(`/api/pipelines/${id}`, { schedule });
    expect((await put({ enabled: false })).body.schedule).toBeNull();
    const required = (pointer: string) => ({
      status: 422,
      body: { code: 'PIPELINE_SCHEDULE_INVALID', errors: [{ pointer, code: 'REQUIRED' }] },
    });
    expect(await put({ timezone: 'UTC' })).toMatchObject(required('/cron'));
    expect(await patch({ enabled: true })).toMatchObject(required('/schedule/cron'));
    await put({ cron: '0 5 * * *', timezone: 'Europe/Berlin' });
    const kept = { cron: '0 5 * * *', timezone: 'Europe/Berlin' };
    expect((await put({ enabled: false })).body.schedule).toEqual({ ...kept, enabled: false, nextRunAt: null });
    expect((await patch({ enabled: true })).body.schedule).toMatchObject({ ...kept, enabled: true });
    expect((await put({ timezone: 'UTC' })).body.schedule).toMatchObject({ ...kept, timezone: 'UTC', enabled: true });
    expect((await put({ everySeconds: 60 })).body.schedule).not.toHaveProperty('cron');
    expect((await patch({})).body.schedule).toBeNull();
  });

  it('keep what stands beside the definition when that is saved as it was read', async ({ api }) => {
    const dag = { ...simpleDag(), schedule: { cron: '0 1 * * *' }, concurrency: { onOverlap: 'skip' } };
    const beside = { schedule: { cron: '0 5 * * *' }, concurrency: { onOverlap: 'queue' } };
    const { id } = await givenPipeline(api, dag, beside);
    const patch = async (body: object) => (await api.as('editor').patch(`/api/pipelines/${id}`, body)).body;
    const read = (await api.as('editor').get(`/api/pipelines/${id}`)).body;
    expect(await patch({ dag: read.dag })).toMatchObject({ ...beside, dagVersion: 1 });
    const next = { schedule: { cron: '0 2 * * *' }, concurrency: { maxConcurrentRuns: 2 } };
    expect(await patch({ dag: { ...dag, ...next } })).toMatchObject({ ...next, dagVersion: 2 });
    expect(await patch({ dag, ...beside })).toMatchObject({ ...beside, dagVersion: 3 });
  });
});
