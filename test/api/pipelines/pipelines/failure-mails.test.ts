import { describe, expect } from 'vitest';
import { cleanUpEnded } from '../../../../functions/platform/workers/minute-tick/clean-up-ended.ts';
import {
  ANNOUNCEMENT_PARTITION,
  announceItemAt,
  mailTokens,
  unsubscribeByLink,
} from '../../../../shared/domains/delivery/notifications/index.ts';
import { followKey } from '../../../../shared/domains/delivery/notifications/keys.ts';
import { dueItems } from '../../../../shared/platform/storage/due-items.ts';
import { type Actor, type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import {
  type Clock,
  clockOf,
  countBelow,
  mailWorker,
  passMinutes,
  WORKER_SECRET,
} from '../../../support/given/notifications.ts';
import { givenPolicy } from '../../../support/given/protected.ts';
import { dagOf, givenPipeline, runThatIs, simpleDag, sql, startedRun, UNKNOWN_ID } from './given.ts';

const FAILING = dagOf(sql('broken', "SELECT CAST('no number' AS INTEGER) AS x"));

const userIdOf = async (api: Api, actor: Actor): Promise<string> =>
  (await api.as(actor).get('/api/auth/me')).body.user.id;

const emailOf = async (api: Api, actor: 'owner' | 'editor' | 'viewer') => (await api.password(actor)).email;

async function failedRun(api: Api, pipelineId: string): Promise<string> {
  const runId = await startedRun(api, pipelineId);
  await runThatIs(api, runId, 'failed');
  return runId;
}

/** What the tick does with announcements once they are due; however often it is repeated. */
async function announce(api: Api, clock: Clock, times = 1): Promise<void> {
  clock.now = new Date(Math.max(clock.now.getTime(), Date.now()) + 60_000);
  const due = [];
  for await (const { pk, sk } of dueItems(clock.table, ANNOUNCEMENT_PARTITION, clock.now))
    if (pk.startsWith(`W#${api.workspaceId}#`)) due.push({ pk, sk });
  for (const key of due) for (let n = 0; n < times; n++) await announceItemAt(clock.table, key, () => false);
}

const feedOf = async (api: Api, actor: Actor) =>
  (await api.as(actor).get('/api/dashboard-alerts/feed?kinds=all')).body.items;

describe('mails about failed runs', () => {
  it('reach the people whom the pipeline names, once for each failed run and attempt', async ({ api }) => {
    const failureRecipients = [await userIdOf(api, 'viewer'), await userIdOf(api, 'editor')];
    const pipeline = await givenPipeline(api, FAILING, { name: 'Nightly', failureRecipients });
    expect((await api.as('viewer').get(`/api/pipelines/${pipeline.id}`)).body).toMatchObject({ failureRecipients });
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    const runId = await failedRun(api, pipeline.id);
    await announce(api, clock, 3);
    await passMinutes(api, clock, worker, 3);
    const expected = [await emailOf(api, 'editor'), await emailOf(api, 'viewer')].sort();
    expect(worker.sent.map(({ to }) => to).sort()).toEqual(expected);
    const [{ mail }] = worker.sent as [(typeof worker.sent)[number]];
    expect(mail.subject).toBe('A run has failed: Nightly');
    expect(mail.blocks).toEqual([
      {
        name: 'A run has failed',
        text: expect.stringMatching(/^Step broken: .*no number.* \([A-Z_]+\)$/s),
      },
    ]);
    expect(await feedOf(api, 'viewer')).toMatchObject([
      {
        kind: 'run-failed',
        title: 'A run has failed',
        subject: { type: 'pipeline', id: pipeline.id, name: 'Nightly' },
      },
    ]);
    expect(await feedOf(api, 'owner')).toEqual([]);

    expect((await api.as('editor').post(`/api/pipelines/runs/${runId}/retry`)).status).toBe(200);
    await runThatIs(api, runId, 'failed');
    await announce(api, clock);
    await passMinutes(api, clock, worker, 3);
    expect(worker.sent).toHaveLength(4);
  });

  it('are not sent about runs that succeed, nor without recipients, nor any more once those are removed', async ({
    api,
  }) => {
    const failureRecipients = [await userIdOf(api, 'editor')];
    const fine = await givenPipeline(api, simpleDag(), { failureRecipients });
    await runThatIs(api, await startedRun(api, fine.id), 'succeeded');
    await failedRun(api, (await givenPipeline(api, FAILING)).id);
    const emptied = await givenPipeline(api, FAILING, { failureRecipients });
    const patched = await api.as('editor').patch(`/api/pipelines/${emptied.id}`, { failureRecipients: [] });
    expect(patched).toMatchObject({ status: 200, body: { failureRecipients: [] } });
    await failedRun(api, emptied.id);
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    await announce(api, clock);
    await passMinutes(api, clock, worker, 3);
    expect(worker.sent).toEqual([]);
    expect(await feedOf(api, 'editor')).toEqual([]);
  });

  it('reach the people whom the workspace names, unless the pipeline names others', async ({ api }) => {
    const workspace = '/api/workspaces/current';
    const [viewer, editor] = [await userIdOf(api, 'viewer'), await userIdOf(api, 'editor')];
    expect((await api.as('viewer').get(workspace)).body.failureRecipients).toEqual([]);
    const set = (actor: Actor, failureRecipients: string[]) => api.as(actor).patch(workspace, { failureRecipients });
    expect((await set('editor', [editor])).status).toBe(403);
    const stranger = await userIdOf(api, 'stranger');
    expect(await set('owner', [viewer, stranger])).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/failureRecipients/1', code: 'NOT_FOUND' }] },
    });
    expect(await set('owner', [viewer])).toMatchObject({ status: 200, body: { failureRecipients: [viewer] } });

    const usual = await givenPipeline(api, FAILING, { name: 'Usual' });
    const own = await givenPipeline(api, FAILING, { name: 'Own', failureRecipients: [editor] });
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    for (const { id } of [usual, own]) await failedRun(api, id);
    await announce(api, clock);
    await passMinutes(api, clock, worker, 3);
    const sent = worker.sent.map(({ to, mail }) => [to, mail.subject]).sort();
    expect(sent).toEqual(
      [
        [await emailOf(api, 'viewer'), 'A run has failed: Usual'],
        [await emailOf(api, 'editor'), 'A run has failed: Own'],
      ].sort(),
    );
    expect((await set('owner', [])).body.failureRecipients).toEqual([]);
    await failedRun(api, usual.id);
    await announce(api, clock);
    await passMinutes(api, clock, worker, 3);
    expect(worker.sent).toHaveLength(2);
  });

  it('are not sent to people who have left when they are sent', async ({ api }) => {
    const person = await givenMember(api, 'viewer');
    const { id } = await givenPipeline(api, FAILING, { failureRecipients: [person.userId] });
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    await failedRun(api, id);
    await announce(api, clock);
    expect((await api.as('owner').delete(`/api/workspaces/members/${person.userId}`)).status).toBe(204);
    await passMinutes(api, clock, worker, 3);
    expect(worker.sent).toEqual([]);
    // People who have left may stay in the list; only members can be added.
    const path = `/api/pipelines/${id}`;
    const kept = await api.as('editor').patch(path, { failureRecipients: [person.userId] });
    expect(kept).toMatchObject({ status: 200, body: { failureRecipients: [person.userId] } });
    const failureRecipients = [person.userId, await userIdOf(api, 'stranger'), UNKNOWN_ID];
    const refused = {
      status: 400,
      body: {
        code: 'VALIDATION_FAILED',
        errors: [
          { pointer: '/failureRecipients/1', code: 'NOT_FOUND' },
          { pointer: '/failureRecipients/2', code: 'NOT_FOUND' },
        ],
      },
    };
    expect(await api.as('editor').patch(path, { failureRecipients })).toMatchObject(refused);
    const other = { name: 'other', dag: simpleDag(), failureRecipients: [UNKNOWN_ID] };
    expect(await api.as('editor').post('/api/pipelines', other)).toMatchObject({ status: 400 });
    expect((await api.as('editor').get('/api/pipelines')).body).toMatchObject({
      total: 1,
      items: [{ failureRecipients: [person.userId] }],
    });
    expect((await api.as('viewer').patch(path, { failureRecipients: [] })).status).toBe(403);
    expect((await api.as('stranger').patch(path, { failureRecipients: [] })).status).toBe(404);
  });

  it('quote no rows that a policy hides from their reader since', async ({ api }) => {
    await givenDataset(api, { name: 'people', sql: "SELECT 1 AS id, 'Ada' AS name" });
    const extract = {
      id: 'read',
      type: 'extract',
      config: { object: { dataset: 'people' } },
      retry: { maxAttempts: 1 },
    };
    const failing = dagOf(extract, sql('cast', 'SELECT CAST(name AS INTEGER) AS n FROM "read"', ['read']));
    const failureRecipients = [await userIdOf(api, 'viewer')];
    await failedRun(api, (await givenPipeline(api, failing, { failureRecipients })).id);
    await announce(api, clockOf(api));
    const texts = async () => (await feedOf(api, 'viewer')).map(({ text }: { text: string }) => text);
    expect(await texts()).toEqual([expect.stringContaining('Ada')]);
    const model = await givenModel(api);
    const { id: tableId, path } = await givenTable(api, model.path, 'people');
    await givenField(api, path, 'id', { dataType: 'integer' });
    await givenPolicy(api, model.path, { tableId, filterExpression: '[id] = 2' });
    expect(await texts()).toEqual([expect.stringContaining('is not shown')]);
  });

  it('end with the link in one of them until the person asks for them again', async ({ api }) => {
    const userId = await userIdOf(api, 'editor');
    const { id } = await givenPipeline(api, FAILING, { failureRecipients: [userId] });
    const path = `/api/pipelines/${id}`;
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    const fail = async () => {
      await failedRun(api, id);
      await announce(api, clock);
      await passMinutes(api, clock, worker, 3);
    };
    await fail();
    expect(worker.sent).toHaveLength(1);
    const token = new URL(worker.sent[0]!.mail.unsubscribe!.url).searchParams.get('token')!;
    await unsubscribeByLink({ table: clock.table, tokens: mailTokens(WORKER_SECRET) }, token);

    // Others cannot undo that.
    await api.as('owner').patch(path, { failureRecipients: [] });
    await api.as('owner').patch(path, { failureRecipients: [userId] });
    await fail();
    expect(worker.sent).toHaveLength(1);
    expect(await feedOf(api, 'editor')).toHaveLength(2);

    await api.as('editor').patch(path, { failureRecipients: [] });
    await api.as('editor').patch(path, { failureRecipients: [userId] });
    await fail();
    expect(worker.sent).toHaveLength(2);
  });

  it('leave nothing behind when the pipeline is deleted', async ({ api }) => {
    const userId = await userIdOf(api, 'editor');
    const { id } = await givenPipeline(api, simpleDag(), { failureRecipients: [] });
    await api.as('editor').patch(`/api/pipelines/${id}`, { failureRecipients: [userId] });
    const below = { pk: followKey(api.workspaceId, { type: 'pipeline', id }, '').pk, sk: '' };
    expect(await countBelow(api.table, below)).toBe(1);
    expect((await api.as('editor').delete(`/api/pipelines/${id}`)).status).toBe(204);
    const clock = clockOf(api);
    clock.pass(60);
    const deadline = new Date(clock.now.getTime() + 30_000);
    await cleanUpEnded({ table: api.table, now: () => clock.now }, deadline, () => {});
    expect(await countBelow(api.table, below)).toBe(0);
  });
});
