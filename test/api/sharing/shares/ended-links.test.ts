import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { GROUPS } from '../../../../functions/api.ts';
import { secretDigest } from '../../../../shared/platform/auth/credentials.ts';
import type { Route } from '../../../../shared/platform/http/route.ts';
import { linkDigestKey, workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { givenEmbedToken, givenShare, publish } from '../../../support/given/shares.ts';

/** Every operation that a token of a link opens. */
const OPERATIONS: readonly Route[] = GROUPS.flatMap(({ routes }) => routes).filter(
  ({ permission, path }) => permission === 'public' && /^\/api\/(shares|s|e)\/\{/.test(path),
);

/** The bodies of those that need more than a token. */
const BODIES: Readonly<Record<string, object>> = {
  unlockSharePage: { password: 'any' },
  readSharedCard: { cardId: 'text' },
  readSharedCards: { cards: [{ cardId: 'text' }] },
  readSharedModelCard: { cardId: 'text' },
  readSharedBlock: { blockId: 'text' },
  drawSharedCard: { cardId: 'text' },
  downloadSharedCard: { cardId: 'text' },
  askShared: { message: 'Why?' },
  recordSharedEvents: { events: [{ type: 'view' }] },
};

async function repliesTo(api: Api, token: string): Promise<Record<string, unknown>> {
  const replies: Record<string, unknown> = {};
  for (const { operationId, method, path } of OPERATIONS) {
    const address = path.replace(/\{\w+\}/, token);
    const body = BODIES[operationId];
    const reply = await api.as('anonymous').send(method, address, body && { text: JSON.stringify(body) });
    const { requestId: _id, instance: _path, ...problem } = (reply.body ?? {}) as Record<string, unknown>;
    replies[operationId] = [reply.status, problem];
  }
  return replies;
}

it('a link that has expired or was removed, or whose content was, replies like an unknown one to every operation', async ({
  api,
}) => {
  expect(OPERATIONS.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining([
      ...Object.keys(BODIES),
      'getSharedLink',
      'getSharePage',
      'getEmbedPage',
      'getSharePreviewImage',
    ]),
  );
  const { id, path } = await givenDashboard(api);
  await posted(api, `${path}/cards`, textCard('text'));
  await publish(api, path);
  const unknown = await repliesTo(api, `sh_${'A'.repeat(32)}`);
  for (const [operation, reply] of Object.entries(unknown))
    expect(reply, operation).toEqual([404, expect.objectContaining({ code: 'SHARE_NOT_FOUND' })]);

  const [expired, removed] = [await givenShare(api, id, { preview: 'picture' }), await givenShare(api, id)];
  const [ended, revoked] = [await givenEmbedToken(api, id), await givenEmbedToken(api, id)];
  for (const { reader } of [expired, removed, ended, revoked])
    expect((await reader.post('content', {})).status).toBe(200);
  const past = { set: { validUntil: '2020-01-01T00:00:00.000Z' } };
  for (const key of [workspaceKey(api.workspaceId, 'SHARE', expired.id), linkDigestKey(secretDigest(ended.token))])
    await api.table.db.send(new UpdateCommand(updateOf(api.table, key, past)));
  expect((await api.as('owner').delete(`/api/shares/${removed.id}`)).status).toBe(204);
  expect((await api.as('owner').delete(`/api/embed/tokens/${revoked.jti}`)).status).toBe(204);
  for (const { token } of [expired, removed, ended, revoked]) expect(await repliesTo(api, token)).toEqual(unknown);

  const locked = await givenShare(api, id, { shareType: 'password', password: 'a long password' });
  const open = [await givenShare(api, id, { preview: 'picture' }), locked, await givenEmbedToken(api, id)];
  await api.as('editor').put(path, { isPublished: false });
  for (const { token } of open) expect(await repliesTo(api, token), 'of a withdrawn dashboard').toEqual(unknown);
  await api.as('editor').put(path, { isPublished: true });
  expect((await open[0]!.reader.post('content', {})).status).toBe(200);
  expect((await api.as('editor').delete(path)).status).toBe(204);
  for (const { token } of open) expect(await repliesTo(api, token), 'of a deleted dashboard').toEqual(unknown);

  const layout = { blocks: [{ id: 'text', type: 'text', text: 'A text' }] };
  const report = await posted(api, '/api/reports', { name: 'Sales', layout });
  await api.as('editor').put(`/api/reports/${report.id}`, { isPublished: true });
  const ofReport = [
    await givenShare(api, report.id, { contentType: 'report' }),
    await givenEmbedToken(api, report.id, { contentType: 'report' }),
  ];
  expect((await ofReport[0]!.reader.post('content', {})).status).toBe(200);
  expect((await api.as('editor').delete(`/api/reports/${report.id}`)).status).toBe(204);
  for (const { token } of ofReport) expect(await repliesTo(api, token), 'of a deleted report').toEqual(unknown);
});
