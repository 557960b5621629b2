import { describe, expect } from 'vitest';
import {
  announceItemAt,
  mailTokens,
  notificationReader,
} from '../../../../shared/domains/delivery/notifications/index.ts';
import { readMembers } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenMember } from '../../../support/given/member.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { clockOf, dueBatches, mailWorker, passMinutes } from '../../../support/given/notifications.ts';
import { publish } from '../../../support/given/shares.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';

const mention = (id: string, name = 'Someone') => `@[${name}](${id.startsWith('group:') ? id : `user:${id}`})`;

const on = (resourceId: string, content: string, more: object = {}) => ({
  resourceType: 'dashboard',
  resourceId,
  content,
  ...more,
});

async function given(api: Api) {
  const { id, path } = await givenDashboard(api);
  await posted(api, `${path}/cards`, textCard('intro', { title: 'Intro' }));
  return { id, path, list: `/api/comments/dashboard/${id}` };
}

const person = (api: Api, role = 'viewer') =>
  givenMember(api, role).then((member) => ({ ...member, caller: api.as(member) }));

/** What requests have left to the tick, which has more time. */
async function finishAnnouncements(api: Api): Promise<void> {
  const items = itemsBelow(api.table, { pk: `W#${api.workspaceId}#ANNOUNCEMENT`, sk: '' });
  for await (const { pk, sk } of items)
    await announceItemAt(api.table, { pk: pk as string, sk: sk as string }, () => false);
}

async function kindsOf(api: Api, userId: string): Promise<string[]> {
  await finishAnnouncements(api);
  const member = (await readMembers(api.table, api.workspaceId, [userId])).get(userId)!;
  const { items } = await notificationReader(api.table).list(member, { limit: 50 });
  return items.map(({ kind }) => kind).toReversed();
}

describe('mentions', () => {
  it('report honestly whom they reach, and reach no one who does not see the object', async ({ api }) => {
    const { id, path, list } = await given(api);
    const [outside, muted, editor] = [await person(api), await person(api, 'editor'), await person(api, 'editor')];
    await muted.caller.put(`${list}/follow`, { state: 'muted' });
    const group = (await api.as('owner').post('/api/groups', { name: 'Finance' })).body;
    for (const { userId } of [outside, editor]) await api.as('owner').put(`/api/groups/${group.id}/members/${userId}`);
    const ownId = (await api.as('editor').get('/api/auth/me')).body.user.id;
    const ids = [outside.userId, muted.userId, editor.userId, ownId, `group:${group.id}`];
    const content = ids.map((each) => mention(each)).join(' ');
    const made = await api.as('editor').post('/api/comments', on(id, content, { mentions: ids }));
    expect(made).toMatchObject({
      status: 201,
      body: {
        mentioned: [
          { id: outside.userId, notified: false, reason: 'NO_ACCESS' },
          { id: muted.userId, notified: false, reason: 'MUTED' },
          { id: editor.userId, notified: true },
          { id: ownId, notified: false, reason: 'SELF' },
          { id: `group:${group.id}`, notified: true },
        ],
      },
    });
    expect(made.body.mentions).toContainEqual({ id: `group:${group.id}`, name: 'Finance' });
    expect(made.body.mentions).toContainEqual({ id: editor.userId, name: 'New' });
    expect(await kindsOf(api, outside.userId)).toEqual([]);
    expect(await kindsOf(api, muted.userId)).toEqual([]);
    expect(await kindsOf(api, editor.userId)).toEqual(['comment.mention']);

    const candidates = (await api.as('editor').get(`${list}/candidates?q=new`)).body.items;
    const access = new Map(candidates.map((each: { id: string; hasAccess: boolean }) => [each.id, each.hasAccess]));
    expect(access.get(outside.userId)).toBe(false);
    expect(access.get(editor.userId)).toBe(true);
    expect((await api.as('editor').get(`${list}/candidates?q=fin`)).body.items).toEqual([
      { id: `group:${group.id}`, type: 'group', name: 'Finance', email: null, hasAccess: null },
    ]);
    await publish(api, path);
    const again = await api.as('editor').post('/api/comments', on(id, mention(outside.userId)));
    expect(again.body.mentioned).toEqual([{ id: outside.userId, notified: true }]);
  });

  it('are repeated for no one when a comment is edited, and new ones are notified', async ({ api }) => {
    const { id } = await given(api);
    const [first, second] = [await person(api, 'editor'), await person(api, 'editor')];
    const made = (await api.as('editor').post('/api/comments', on(id, mention(first.userId)))).body;
    const content = `${mention(first.userId)} and ${mention(second.userId)}`;
    for (const mentioned of [[{ id: second.userId, notified: true }], []])
      expect(await api.as('editor').put(`/api/comments/${made.id}`, { content })).toMatchObject({
        status: 200,
        body: { mentioned },
      });
    expect(await kindsOf(api, first.userId)).toEqual(['comment.mention']);
    expect(await kindsOf(api, second.userId)).toEqual(['comment.mention']);
    // Someone who has left may stay mentioned, and has no name any more.
    await api.as('owner').delete(`/api/workspaces/members/${first.userId}`);
    const edited = await api.as('editor').put(`/api/comments/${made.id}`, { content: `${content}!` });
    expect(edited).toMatchObject({ status: 200, body: { mentions: [{ name: null }, { name: 'New' }] } });
    const unknown = await api.as('editor').post('/api/comments', on(id, mention(first.userId)));
    expect(issuesOf(unknown)).toEqual(['/content UNKNOWN_MENTION']);
  });

  it('reach each person once: as mentioned, as part of the thread, or as a follower', async ({ api }) => {
    const { id, list } = await given(api);
    const [mentioned, replied, follower, left] = await Promise.all([1, 2, 3, 4].map(() => person(api, 'editor')));
    for (const { caller } of [mentioned!, follower!, left!]) await caller.put(`${list}/follow`, { state: 'following' });
    await left!.caller.put(`${list}/follow`, { state: 'unfollowed' });
    const root = (await replied!.caller.post('/api/comments', on(id, 'First'))).body;
    await finishAnnouncements(api);
    const content = `${mention(mentioned!.userId)} look`;
    await api.as('editor').post('/api/comments', on(id, content, { parentId: root.id }));
    expect(await kindsOf(api, mentioned!.userId)).toEqual(['comment.created', 'comment.mention']);
    expect(await kindsOf(api, replied!.userId)).toEqual(['comment.reply']);
    expect(await kindsOf(api, follower!.userId)).toEqual(['comment.created', 'comment.created']);
    expect(await kindsOf(api, left!.userId)).toEqual([]);
    // The owner of the dashboard follows it from the first comment on; their own acts are no news.
    const ownId = (await api.as('editor').get('/api/auth/me')).body.user.id;
    expect(await kindsOf(api, ownId)).toEqual(['comment.created']);
  });
});

describe('mails about comments', () => {
  it('say what a comment says now, and nothing once it is deleted or hidden from the person', async ({ api }) => {
    const { id, path, list } = await given(api);
    await publish(api, path);
    const [viewer, editor] = [await person(api), await person(api, 'editor')];
    await viewer.caller.put(`${list}/follow`, { state: 'following' });
    const write = async (content: string, more: object = {}) =>
      (await editor.caller.post('/api/comments', on(id, content, more))).body.id as string;
    const edited = await write(`${mention(viewer.userId, 'Vera')} first words`);
    const deleted = await write('deleted words');
    await posted(api, `${path}/cards`, textCard('later'));
    await write('words on a draft', { context: { kind: 'card', cardId: 'later' } });
    await editor.caller.put(`/api/comments/${edited}`, { content: `${mention(viewer.userId, 'Vera')} last words` });
    await editor.caller.delete(`/api/comments/${deleted}`);
    await finishAnnouncements(api);
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 10);
    const toViewer = worker.sent.filter(({ to }) => to === viewer.email);
    expect(toViewer).toMatchObject([
      { mail: { subject: 'New mentioned you: Sales', blocks: [{ text: '@Vera last words' }] } },
    ]);
    expect(JSON.stringify(toViewer)).not.toMatch(/deleted words|first words|on a draft/);
    expect(toViewer[0]!.mail.action).toMatchObject({ url: `${api.endpoint}/api/d/${id}` });
  });

  it('are not sent to a person who has opened the comments since', async ({ api }) => {
    const { id, list } = await given(api);
    const [reader, other] = [await person(api, 'editor'), await person(api, 'editor')];
    await api.as('owner').post('/api/comments', on(id, `${mention(reader.userId)} ${mention(other.userId)}`));
    await finishAnnouncements(api);
    expect((await reader.caller.get(list)).status).toBe(200);
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 10);
    expect(worker.sent.map(({ to }) => to)).toContain(other.email);
    expect(worker.sent.map(({ to }) => to)).not.toContain(reader.email);
  });

  it('end with their link, in a browser and by one click, for the person of the link alone', async ({ api }) => {
    const { id, list } = await given(api);
    const reader = await person(api, 'editor');
    await api.as('owner').post('/api/comments', on(id, mention(reader.userId)));
    await finishAnnouncements(api);
    const clock = clockOf(api);
    clock.pass(180);
    const tokens = mailTokens(new MasterSecret(() => readMasterSecret(api.endpoint)));
    const { workspaceId } = api;
    const link = { workspaceId, userId: reader.userId, subject: { type: 'dashboard', id }, isOutside: false };
    const token = await tokens.of(link);
    const page = `/api/comments/unsubscribe?token=${token}`;
    expect((await dueBatches(api, clock)).length).toBeGreaterThan(0);
    const asked = await api.as('anonymous').get(page);
    expect(asked).toMatchObject({ status: 200, body: expect.stringContaining('<strong>this dashboard</strong>') });
    for (const _twice of [1, 2]) {
      const left = await api.as('anonymous').send('POST', page, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        text: 'List-Unsubscribe=One-Click',
      });
      expect(left).toMatchObject({ status: 200, body: expect.stringContaining('no longer get these emails') });
    }
    const again = await api.as('owner').post('/api/comments', on(id, mention(reader.userId)));
    expect(again.body.mentioned).toEqual([{ id: reader.userId, notified: true, reason: 'UNSUBSCRIBED' }]);
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 10);
    expect(worker.sent.map(({ to }) => to)).not.toContain(reader.email);
    expect((await reader.caller.get(list)).body.following).toBe('unfollowed');
    for (const method of ['GET', 'POST'])
      expect(await api.as('anonymous').send(method, page.replace(id, reader.userId))).toMatchObject({
        status: 404,
        body: { code: 'UNSUBSCRIBE_LINK_INVALID' },
      });
  });
});
