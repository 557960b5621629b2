import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { cleanUpEnded } from '../../../../functions/platform/workers/minute-tick/clean-up-ended.ts';
import { resumeAnnouncements } from '../../../../functions/platform/workers/minute-tick/scheduled-notifications.ts';
import {
  type Announcement,
  announcementItem,
  announceNow,
  countUnread,
  follows,
  listedNotifications,
  listShown,
  mailBatches,
  mailTokens,
  notificationReader,
  unsubscribeByLink,
} from '../../../../shared/domains/delivery/notifications/index.ts';
import { openSubjects } from '../../../../shared/domains/tenancy/subjects/index.ts';
import { memberPrincipal, readMembers } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { SUBJECT_KINDS } from '../../../../shared/domains/upkeep/subject-kinds/index.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard } from '../../../support/given/dashboard.ts';
import { mailTo } from '../../../support/given/mails.ts';
import { givenMember } from '../../../support/given/member.ts';
import {
  type Clock,
  COMMENTED,
  clockOf,
  countBelow,
  dueBatches,
  END_OF_TIME,
  MENTIONED,
  mailWorker,
  notificationOf,
  passMinutes,
  tell,
} from '../../../support/given/notifications.ts';

/** An editor, who sees every dashboard, with one of them. */
async function given(api: Api) {
  const { id: dashboardId } = await givenDashboard(api);
  const member = await givenMember(api, 'editor');
  const clock = clockOf(api);
  const { workspaceId, companyId } = api;
  const { userId } = member;
  const { membershipId } = (await readMembers(api.table, workspaceId, [userId])).get(userId)!;
  const person = { workspaceId, userId, membershipId };
  const subject = { type: 'dashboard', id: dashboardId };
  const reader = notificationReader(clock.table);
  const see = openSubjects(clock.table, SUBJECT_KINDS).find;
  const principal = async () => (await memberPrincipal(api.table, { workspaceId, companyId, userId }))!;
  return {
    ...{ dashboardId, member, clock, person, subject, reader, principal },
    shown: async () =>
      (await listShown({ table: clock.table, see, texts: [], reader }, await principal(), { limit: 100 })).items,
    unread: async () => countUnread({ table: clock.table, see, texts: [], reader }, await principal()),
    about: (more: object = {}) => notificationOf(api, clock, { dashboardId, ...more }),
  };
}

const tick = (api: Api, now: Date) =>
  resumeAnnouncements({ table: api.table, now: () => now }, new Date(now.getTime() + 30_000), (failure) => {
    throw failure.error;
  });

describe('a notification', () => {
  it('is written once for each person, however often and by how many workers its cause is processed', async ({
    api,
  }) => {
    const { about, clock, member, shown, unread } = await given(api);
    const cause = { id: 'comment-1', at: clock.now };
    await Promise.all(Array.from({ length: 8 }, () => tell(clock, about({ cause }), member.userId)));
    await tell(clock, about({ cause, kind: MENTIONED }), member.userId);
    expect(await shown()).toMatchObject([{ kind: COMMENTED.name, text: 'What was written', isUnread: true }]);
    expect(await unread()).toBe(1);
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 10);
    expect(worker.sent).toMatchObject([{ to: member.email, mail: { subject: 'A comment: Sales' } }]);
    await tell(clock, about({ cause }), member.userId);
    await passMinutes(api, clock, worker, 40);
    expect(worker.sent).toHaveLength(1);
  });

  it('is not written for acts of the person, nor for people who are not members', async ({ api }) => {
    const { about, clock, member, shown } = await given(api);
    await tell(clock, about({ actorId: member.userId }), member.userId, crypto.randomUUID());
    expect(await shown()).toEqual([]);
    expect(await dueBatches(api, clock)).toEqual([]);
  });

  it('stays unread if it arrives after the list that the person marks as read, even with an older cause', async ({
    api,
  }) => {
    const { about, clock, member, person, reader, shown, unread } = await given(api);
    const early = clock.now;
    clock.pass(60);
    await tell(clock, about(), member.userId);
    const listed = listedNotifications(clock.table);
    const { items } = await reader.list(person, { limit: 10 });
    await listed.add(person, { subjectType: null, items, at: clock.now });
    clock.pass(1);
    await tell(clock, about({ cause: { id: 'late', at: early }, text: 'late' }), member.userId);
    await listed.markRead(person);
    await listed.markRead(person);
    expect((await shown()).map(({ text, isUnread }) => [text, isUnread])).toEqual([
      ['What was written', false],
      ['late', true],
    ]);
    expect(await unread()).toBe(1);
    const [, late] = await shown();
    await reader.markRead(person, [late!.id, crypto.randomUUID()]);
    expect(await unread()).toBe(0);
  });

  it('is listed newest first, page by page and by kind, until it is 90 days old', async ({ api }) => {
    const { about, clock, member, person, reader } = await given(api);
    for (const text of ['1', '2', '3', '4']) {
      await tell(clock, about({ text, kind: text === '2' ? MENTIONED : COMMENTED }), member.userId);
      clock.pass(1);
    }
    const first = await reader.list(person, { limit: 3 });
    expect(first.items.map(({ text }) => text)).toEqual(['4', '3', '2']);
    const second = await reader.list(person, { limit: 3, after: first.last });
    expect(second).toMatchObject({ items: [{ text: '1' }], last: undefined });
    const mentions = await reader.list(person, { limit: 3, kinds: [MENTIONED.name] });
    expect(mentions).toMatchObject({ items: [{ text: '2' }], last: undefined });
    clock.pass(90 * 24 * 60 * 60 + 1);
    expect((await reader.list(person, { limit: 3 })).items).toEqual([]);
    expect(await reader.unread(person)).toEqual([]);
  });

  it('ends at once for people who lose access, are deactivated or leave', async ({ api }) => {
    const { about, clock, member, dashboardId, subject } = await given(api);
    const viewer = await givenMember(api, 'viewer');
    const { workspaceId, companyId } = api;
    const { userId } = viewer;
    const access = `/api/dashboards/${dashboardId}/access`;
    const granted = await api.as('owner').post(access, { email: viewer.email, permission: 'viewer' });
    expect(granted.status).toBe(201);
    const see = openSubjects(clock.table, SUBJECT_KINDS).find;
    const reader = notificationReader(clock.table);
    const principal = (await memberPrincipal(api.table, { workspaceId, companyId, userId }))!;
    const shown = async () =>
      (await listShown({ table: clock.table, see, texts: [], reader }, principal, { limit: 10 })).items;
    await tell(clock, about(), userId, member.userId);
    expect(await shown()).toHaveLength(1);
    expect((await api.as('owner').delete(`${access}/${userId}`)).status).toBe(204);
    expect(await shown()).toEqual([]);
    expect(await countUnread({ table: clock.table, see, texts: [], reader }, principal)).toBe(0);

    await api.table.db.send(
      new UpdateCommand({
        TableName: api.table.name,
        Key: { pk: `U#${member.userId}`, sk: 'META' },
        UpdateExpression: 'SET active = :no',
        ExpressionAttributeValues: { ':no': false },
      }),
    );
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 10);
    expect(worker.sent).toEqual([]);

    const left = await givenMember(api, 'editor');
    const { membershipId } = (await readMembers(api.table, workspaceId, [left.userId])).get(left.userId)!;
    const person = { workspaceId, userId: left.userId, membershipId };
    await follows(clock.table).begin([person], subject);
    await tell(clock, about(), left.userId);
    expect((await api.as('owner').delete(`/api/workspaces/members/${left.userId}`)).status).toBe(204);
    await cleanUpEnded({ table: api.table, now: () => new Date() }, new Date(Date.now() + 20_000), () => {});
    for (const area of ['NOTIFICATION', 'UNREAD', 'MAIL-BATCH'])
      expect(
        await countBelow(api.table, { pk: `W#${workspaceId}#${area}#${left.userId}#${membershipId ?? ''}`, sk: '' }),
      ).toBe(0);
    const again = { email: left.email, name: 'New', role: 'editor' };
    expect((await api.as('owner').post('/api/workspaces/members', again)).status).toBe(201);
    expect((await follows(clock.table).read([{ ...person, membershipId: 'another' }], subject)).size).toBe(0);
    await passMinutes(api, clock, worker, 40);
    expect(worker.sent).toEqual([]);
  });
});

describe('mails about notifications', () => {
  it('are one beside the mentions for 500 comments in ten minutes', async ({ api }) => {
    const { about, clock, member, unread } = await given(api);
    const worker = mailWorker(clock);
    for (let count = 1; count <= 500; count++) {
      const kind = count % 250 === 0 ? MENTIONED : COMMENTED;
      await tell(clock, about({ kind, text: `comment ${count}` }), member.userId);
      clock.pass(1.2);
      if (count % 50 === 0) for (const key of await dueBatches(api, clock)) await worker.send(key);
    }
    await passMinutes(api, clock, worker, 40);
    const subjects = worker.sent.map(({ mail }) => mail.subject);
    expect(subjects.toSorted()).toEqual(['498 notifications: Sales', 'A comment: Sales', 'A comment: Sales']);
    const [gathered] = worker.sent.filter(({ mail }) => mail.subject.startsWith('498'));
    expect(gathered!.mail.paragraphs).toEqual(['The newest 20 of 498 notifications:']);
    expect(gathered!.mail.blocks).toHaveLength(20);
    expect(gathered!.mail.blocks!.at(-1)).toMatchObject({ text: 'comment 499' });
    expect(await unread()).toBe(100);
  });

  it('wait five minutes after the last, but at most thirty after the first; a mention waits two', async ({ api }) => {
    const { about, clock, member } = await given(api);
    const worker = mailWorker(clock);
    await tell(clock, about({ kind: MENTIONED }), member.userId);
    await passMinutes(api, clock, worker, 1);
    expect(worker.sent).toHaveLength(0);
    await passMinutes(api, clock, worker, 1);
    expect(worker.sent).toHaveLength(1);
    for (let minute = 0; minute < 29; minute++) {
      await tell(clock, about(), member.userId);
      await passMinutes(api, clock, worker, 1);
    }
    expect(worker.sent).toHaveLength(1);
    await passMinutes(api, clock, worker, 1);
    expect(worker.sent).toHaveLength(2);
    await tell(clock, about(), member.userId);
    await passMinutes(api, clock, worker, 4);
    expect(worker.sent).toHaveLength(2);
    await passMinutes(api, clock, worker, 1);
    expect(worker.sent).toHaveLength(3);
    expect(await dueBatches(api, { ...clock, now: END_OF_TIME })).toEqual([]);
  });

  it('are not sent about what the person has read, or about a dashboard that they have opened since', async ({
    api,
  }) => {
    const { about, clock, member, person, reader, shown, subject } = await given(api);
    const worker = mailWorker(clock);
    await tell(clock, about(), member.userId);
    await tell(clock, about({ kind: MENTIONED }), member.userId);
    await mailBatches(clock.table).seen(person, subject);
    await passMinutes(api, clock, worker, 40);
    expect(worker.sent).toEqual([]);
    await tell(clock, about({ text: 'read' }), member.userId);
    await reader.markRead(
      person,
      (await shown()).map(({ id }) => id),
    );
    await passMinutes(api, clock, worker, 40);
    expect(worker.sent).toEqual([]);
    await tell(clock, about({ text: 'since' }), member.userId);
    await passMinutes(api, clock, worker, 6);
    expect(worker.sent).toMatchObject([{ mail: { blocks: [{ text: 'since' }] } }]);
  });

  it('are sent by one of several workers, and again if the mail service was down', async ({ api }) => {
    const { about, clock, member } = await given(api);
    let isDown = true;
    const worker = mailWorker(clock, () => isDown);
    await tell(clock, about({ text: 'first' }), member.userId);
    clock.pass(301);
    const [key] = await dueBatches(api, clock);
    await expect(worker.send(key!)).rejects.toThrow('down');
    isDown = false;
    await tell(clock, about({ text: 'second' }), member.userId);
    await worker.send(key!);
    expect(worker.sent).toHaveLength(0);
    clock.pass(61);
    await Promise.all([worker.send(key!), worker.send(key!), worker.send(key!)]);
    expect(worker.sent.map(({ mail }) => mail.blocks)).toEqual([[{ name: 'A comment', text: 'first' }]]);
    await passMinutes(api, clock, worker, 10);
    expect(worker.sent.map(({ mail }) => mail.blocks)).toEqual([
      [{ name: 'A comment', text: 'first' }],
      [{ name: 'A comment', text: 'second' }],
    ]);
  });

  it('end with the link in them, also for mentions, until the person follows again', async ({ api }) => {
    const { about, clock, member, person, shown, subject } = await given(api);
    const tokens = mailTokens(new MasterSecret(async () => ({ version: 1, secret: Buffer.alloc(32, 7) })));
    const worker = mailWorker(clock);
    await tell(clock, about(), member.userId);
    await passMinutes(api, clock, worker, 6);
    const url = new URL(worker.sent[0]!.mail.unsubscribe!.url);
    const token = url.searchParams.get('token')!;
    const deps = { table: clock.table, tokens };
    await unsubscribeByLink(deps, token);
    await unsubscribeByLink(deps, token);
    await expect(unsubscribeByLink(deps, `${token.slice(0, -1)}x`)).rejects.toMatchObject({
      code: 'UNSUBSCRIBE_LINK_INVALID',
    });
    await follows(clock.table).begin([person], subject);
    await tell(clock, about({ kind: MENTIONED }), member.userId);
    await passMinutes(api, clock, worker, 40);
    expect(worker.sent).toHaveLength(1);
    expect(await shown()).toHaveLength(2);
    await follows(clock.table).set(person, subject, 'following');
    await tell(clock, about({ kind: MENTIONED }), member.userId);
    await passMinutes(api, clock, worker, 3);
    expect(worker.sent).toHaveLength(2);
    await follows(clock.table).set(person, subject, 'muted');
    await tell(clock, about({ kind: MENTIONED }), member.userId);
    expect(await shown()).toHaveLength(3);
  });

  it('are found due by the minute tick and sent by the platform', async ({ api }) => {
    const { about, clock, member } = await given(api);
    const passed: Clock = { ...clock, table: { ...clock.table, now: () => new Date(Date.now() - 10 * 60_000) } };
    await tell(passed, about({ kind: MENTIONED, text: 'Look at <b>this</b>' }), member.userId);
    await expect.poll(async () => (await mailTo(api, member.email)).text, { timeout: 150_000 }).toContain('Look at');
    const mail = await mailTo(api, member.email);
    expect(mail).toMatchObject({ subject: 'A comment: Sales', html: expect.stringContaining('Look at &lt;b&gt;this') });
    expect(mail.headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' });
  });
});

describe('an announcement', () => {
  it('reaches named people and followers after a crash, and each of them once', async ({ api }) => {
    const { clock, member, dashboardId, subject, shown } = await given(api);
    const { workspaceId } = api;
    const follower = await givenMember(api, 'editor');
    const gone = await givenMember(api, 'editor');
    const people = await readMembers(api.table, workspaceId, [member.userId, follower.userId, gone.userId]);
    await follows(clock.table).begin([...people.values()], subject);
    await follows(clock.table).set(people.get(gone.userId)!, subject, 'unfollowed');
    await follows(clock.table).begin([people.get(gone.userId)!], subject);
    const announcement: Announcement = {
      ...notificationOf(api, clock, { dashboardId }),
      cause: { id: crypto.randomUUID(), at: clock.now.toISOString() },
      audiences: [
        { kind: MENTIONED, userIds: [member.userId] },
        { kind: COMMENTED, followers: true },
      ],
    };
    await transact(clock.table, [announcementItem(clock.table, announcement)]);
    await tick(api, new Date(clock.now.getTime() + 60_000));
    await announceNow(clock.table, announcement, (error) => {
      throw error;
    });
    expect(await shown()).toMatchObject([{ kind: MENTIONED.name }]);
    const reader = notificationReader(clock.table);
    expect((await reader.list(people.get(follower.userId)!, { limit: 9 })).items).toMatchObject([
      { kind: COMMENTED.name },
    ]);
    expect((await reader.list(people.get(gone.userId)!, { limit: 9 })).items).toEqual([]);
    expect(await countBelow(api.table, { pk: `W#${workspaceId}#ANNOUNCEMENT`, sk: '' })).toBe(0);
  });
});
