import { describe, expect } from 'vitest';
import {
  announceItemAt,
  countUnread,
  listShown,
  notificationReader,
} from '../../../../shared/domains/delivery/notifications/index.ts';
import { openSubjects } from '../../../../shared/domains/tenancy/subjects/index.ts';
import { memberPrincipal } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { NOTIFICATION_TEXTS } from '../../../../shared/domains/upkeep/notification-texts/index.ts';
import { SUBJECT_KINDS } from '../../../../shared/domains/upkeep/subject-kinds/index.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { clockOf, mailWorker, passMinutes } from '../../../support/given/notifications.ts';
import { givenLabel, givenPolicy, givenReader, setAttributes } from '../../../support/given/protected.ts';
import { givenProtectedText, HIDDEN } from '../../../support/given/protected-stories.ts';
import { doc, type GivenStory, givenGrantee, givenStory, paragraph, texts } from '../../../support/given/stories.ts';

const of = ({ path, sections }: GivenStory, index = 0) => `${path}/sections/${sections[index]}`;

const restrict = async (api: Api, story: GivenStory, index = 0) => {
  const set = await api.as('editor').put(`${of(story, index)}/visibility`, { visibility: 'data_access' });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
};

/** Lets people see the draft of a story that was never published. */
async function letIn(api: Api, story: GivenStory, ...people: { userId: string }[]): Promise<void> {
  for (const { userId } of people)
    await api.as('owner').put(`${story.path}/access/user/${userId}`, { permission: 'viewer' });
}

const firstOf = async (caller: Caller, { path }: GivenStory) => (await caller.get(path)).body.sections[0];

async function finishAnnouncements(api: Api): Promise<void> {
  for await (const { pk, sk } of itemsBelow(api.table, { pk: `W#${api.workspaceId}#ANNOUNCEMENT`, sk: '' }))
    await announceItemAt(api.table, { pk: pk as string, sk: sk as string }, () => false);
}

/** What the feed of a person shows. */
async function feedOf(api: Api, userId: string) {
  await finishAnnouncements(api);
  const { table, workspaceId, companyId } = api;
  const see = openSubjects(table, SUBJECT_KINDS).find;
  const deps = { table, see, texts: NOTIFICATION_TEXTS, reader: notificationReader(table) };
  const principal = (await memberPrincipal(table, { workspaceId, companyId, userId }))!;
  const { items } = await listShown(deps, principal, { limit: 50 });
  return { items, unread: await countUnread(deps, principal) };
}

describe('a text that is shown by data access', () => {
  it('stays hidden when its live block is removed, until it is opened explicitly', async ({ api }) => {
    const editor = api.as('editor');
    const { content, reader } = await givenProtectedText(api);
    const story = await givenStory(api, content);
    await restrict(api, story);
    const [peer, other] = [await reader('eu'), await reader('us')];
    await letIn(api, story, peer, other);
    expect(await firstOf(peer.caller, story)).toMatchObject({ title: 'Section 1' });
    expect(await firstOf(other.caller, story)).toMatchObject(HIDDEN);
    expect((await editor.patch(of(story), { content: texts(['a', 'It was 40']) })).status).toBe(200);
    expect(await firstOf(other.caller, story), 'the words still quote the rows').toMatchObject(HIDDEN);
    expect(await firstOf(peer.caller, story)).toMatchObject({ content: texts(['a', 'It was 40']) });
    await editor.patch(of(story), { content: texts(['a', 'It was 41']) });
    expect(await firstOf(other.caller, story)).toMatchObject(HIDDEN);

    const open = { visibility: 'everyone' };
    expect(await editor.put(`${of(story)}/visibility`, open)).toMatchObject({
      status: 409,
      body: { code: 'SECTION_NEEDS_DATA_ACCESS' },
    });
    expect((await editor.put(`${of(story)}/visibility`, { ...open, confirm: true })).status).toBe(200);
    expect(await firstOf(other.caller, story)).toMatchObject({ content: texts(['a', 'It was 41']) });
    await restrict(api, story);
    expect(await firstOf(other.caller, story), 'what was opened needs no rights').toMatchObject({ title: 'Section 1' });
    const log = (await api.as('owner').get(`/api/audit-log?objectId=${story.id}&limit=50`)).body.items;
    expect(log.map(({ action }: { action: string }) => action)).toContain('story.visibility_opened');
  });

  it('stays hidden when its dataset gets another name before it is protected', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'people', sql: "SELECT 'eu' AS region" });
    const chartSpec = { version: 1, query: { source: { kind: 'dataset', id: dataset.id } }, mark: { type: 'table' } };
    const block = { type: 'liveBlock', attrs: { id: 'rows', source: { kind: 'chart', chartSpec } } };
    const story = await givenStory(api, doc(paragraph('a', 'It was 40'), block));
    await restrict(api, story);
    await api.as('editor').patch(of(story), { content: texts(['a', 'It was 40']) });
    const renamed = await api.as('editor').patch(`/api/datasets/${dataset.id}`, { name: 'staff' });
    expect(renamed.status, JSON.stringify(renamed.body)).toBe(200);
    const model = await givenModel(api, { name: 'Staff' });
    const table = await givenTable(api, model.path, 'staff');
    await givenField(api, table.path, 'region');
    const other = await givenReader(api, { role: 'viewer', attributes: { region: ['us'] } });
    await letIn(api, story, other);
    expect(await firstOf(other.caller, story)).toMatchObject({ title: 'Section 1' });
    await givenPolicy(api, model.path, { tableId: table.id });
    expect(await firstOf(other.caller, story)).toMatchObject(HIDDEN);
  });

  it('stays hidden from readers without the label of a calculated field, also once its model is deleted', async ({
    api,
  }) => {
    await givenDataset(api, { name: 'people', sql: "SELECT 'eu' AS region" });
    const model = await givenModel(api, { name: 'Staff' });
    const table = await givenTable(api, model.path, 'people');
    await givenField(api, table.path, 'region');
    const margin = await givenField(api, table.path, 'margin', { fieldType: 'calculated', expression: '[region]' });
    const writer = await givenReader(api, { attributes: { sensitivityLabels: ['Private'] } });
    const peer = await givenReader(api, { role: 'viewer', attributes: { sensitivityLabels: ['private'] } });
    const other = await givenReader(api, { role: 'viewer' });
    const chartSpec = { version: 1, query: { source: { kind: 'model', id: model.id } }, mark: { type: 'table' } };
    const block = { type: 'liveBlock', attrs: { id: 'rows', source: { kind: 'chart', chartSpec } } };
    const story = await givenStory(api, doc(paragraph('a', 'It was 40'), block));
    await letIn(api, story, peer, other);
    await restrict(api, story);
    expect(await firstOf(other.caller, story), 'no field has a label').toMatchObject({ title: 'Section 1' });
    await givenLabel(api, table.path, margin, 'Private');
    expect(await firstOf(other.caller, story)).toMatchObject(HIDDEN);
    expect(await firstOf(peer.caller, story)).toMatchObject({ title: 'Section 1' });
    expect((await writer.caller.patch(of(story), { content: texts(['a', 'It was 41']) })).status).toBe(200);
    expect(await firstOf(other.caller, story), 'the words still quote the field').toMatchObject(HIDDEN);
    expect(await firstOf(peer.caller, story)).toMatchObject({ content: texts(['a', 'It was 41']) });
    expect(await writer.caller.put(`${of(story)}/visibility`, { visibility: 'everyone' })).toMatchObject({
      status: 409,
      body: { code: 'SECTION_NEEDS_DATA_ACCESS' },
    });
    expect((await api.as('owner').delete(model.path)).status).toBe(204);
    for (const { caller } of [peer, other]) expect(await firstOf(caller, story)).toMatchObject(HIDDEN);
    expect(await firstOf(writer.caller, story), 'its author').toMatchObject({ content: texts(['a', 'It was 41']) });
  });

  it('is restricted if a language model had a part in it, whatever the client declares', async ({ api }) => {
    const editor = api.as('editor');
    const { content, block, reader } = await givenProtectedText(api);
    const other = await reader('us');
    const story = await givenStory(api, texts(['a', 'Empty']));
    await letIn(api, story, other);
    await editor.patch(of(story), { content: texts(['a', 'Written by a model']), source: 'ai' });
    expect((await editor.patch(of(story), { source: 'manual' })).body).toMatchObject({ visibility: 'everyone' });
    const added = await editor.patch(of(story), { content });
    expect(added.body).toMatchObject({ source: 'manual', visibility: 'data_access' });
    expect(await firstOf(other.caller, story)).toMatchObject(HIDDEN);

    const open = { visibility: 'everyone', confirm: true };
    expect((await editor.put(`${of(story)}/visibility`, open)).body).toMatchObject({ visibility: 'everyone' });
    const edited = await editor.patch(of(story), { content: doc(paragraph('a', 'Checked'), block) });
    expect(edited.body, 'the decision lasts for what people write').toMatchObject({ visibility: 'everyone' });
    const again = await editor.patch(of(story), { content, source: 'ai_edited' });
    expect(again.body).toMatchObject({ visibility: 'data_access' });
  });

  it('has the rights of the person who has last edited its title', async ({ api }) => {
    const { content, reader } = await givenProtectedText(api);
    const story = await givenStory(api, content);
    await restrict(api, story);
    const [peer, both] = [await reader('eu'), await reader('eu', 'editor')];
    await letIn(api, story, peer);
    expect(await firstOf(peer.caller, story)).toMatchObject({ title: 'Section 1' });
    expect((await both.caller.patch(of(story), { title: 'Numbers' })).status).toBe(200);
    expect(await firstOf(peer.caller, story)).toMatchObject({ title: 'Numbers' });
    await setAttributes(api, both.userId, { region: ['eu', 'us'] });
    // Another class now: only by the rights of the author is the text still shown to its author.
    expect(await firstOf(both.caller, story)).toMatchObject({ title: 'Numbers' });
    await both.caller.patch(of(story), { title: 'All numbers' });
    expect(await firstOf(peer.caller, story)).toMatchObject(HIDDEN);
  });

  it('is narrowed for readers of the published versions at once, and widened with the next one', async ({ api }) => {
    const editor = api.as('editor');
    const { content, reader } = await givenProtectedText(api);
    const story = await givenStory(api, content, texts(['b', 'Other']));
    await editor.post(`${story.path}/publish`);
    const [peer, other, contributor] = [await reader('eu'), await reader('us'), await reader('us')];
    await api.as('owner').put(`${story.path}/access/user/${contributor.userId}`, { permission: 'contributor' });
    expect(await firstOf(other.caller, story)).toMatchObject({ title: 'Section 1' });
    // Without its live block, the text of the draft would show nothing of the data by itself.
    await editor.patch(of(story), { content: texts(['a', 'It was 40']) });
    await restrict(api, story);
    expect(await firstOf(other.caller, story)).toMatchObject(HIDDEN);
    expect(await firstOf(peer.caller, story)).toMatchObject({ title: 'Section 1', content });
    const version = await contributor.caller.get(`${story.path}/versions/1`);
    expect(version.body.sections).toMatchObject([HIDDEN, { title: 'Section 2' }]);
    const kept = (await contributor.caller.get(`${of(story)}/revisions`)).body.items;
    for (const each of kept) expect(each.title).toBeNull();

    const open = { visibility: 'everyone', confirm: true };
    expect((await editor.put(`${of(story)}/visibility`, open)).status).toBe(200);
    expect(await firstOf(other.caller, story), 'not yet').toMatchObject(HIDDEN);
    await editor.delete(of(story));
    expect(await firstOf(other.caller, story), 'also not without the section').toMatchObject(HIDDEN);
    const restored = await editor.post(`${story.path}/versions/1/restore`);
    expect(restored.body.sections[0]).toMatchObject({ visibility: 'data_access' });
    expect(await firstOf(other.caller, story)).toMatchObject(HIDDEN);
    expect((await editor.put(`${of(story)}/visibility`, open)).status).toBe(200);
    await editor.post(`${story.path}/publish`);
    expect(await firstOf(other.caller, story)).toMatchObject({ title: 'Section 1' });
    expect((await contributor.caller.get(`${story.path}/versions/1`)).body.sections[0]).toMatchObject(HIDDEN);
  });

  it('is not published by a request that has read it before it was narrowed', async ({ api }) => {
    const editor = api.as('editor');
    const { content, reader } = await givenProtectedText(api);
    const other = await reader('us');
    const story = await givenStory(api, content);
    await editor.post(`${story.path}/publish`);
    await Promise.all([
      editor.post(`${story.path}/publish`),
      editor.put(`${of(story)}/visibility`, { visibility: 'data_access' }),
      editor.post(`${story.path}/publish`),
    ]);
    expect(await firstOf(other.caller, story)).toMatchObject(HIDDEN);
  });
});

describe('comments on a text that is hidden from a reader', () => {
  it('are not listed, counted, found, notified or mailed, even to editors', async ({ api }) => {
    const { content, reader } = await givenProtectedText(api);
    const story = await givenStory(api, content, texts(['b', 'Open']));
    await restrict(api, story);
    const [peer, other, otherEditor] = [await reader('eu'), await reader('us'), await reader('us', 'editor')];
    const people = [peer, other, otherEditor];
    await api.as('owner').post(`${story.path}/publish`);
    for (const { caller } of people) await caller.put(`${story.path}/follow`);
    const at = { resourceType: 'story', resourceId: story.id };
    const made = await api.as('editor').post('/api/comments', {
      ...at,
      context: { kind: 'section', sectionId: story.sections[0] },
      content: `${people.map(({ userId }) => `@[P](user:${userId})`).join(' ')} quote: SECRET 40`,
    });
    expect(made.body.mentioned).toMatchObject([
      { id: peer.userId, notified: true },
      { id: other.userId, notified: false, reason: 'NO_ACCESS' },
      { id: otherEditor.userId, notified: false, reason: 'NO_ACCESS' },
    ]);
    await api.as('editor').post('/api/comments', { ...at, content: 'About the story' });
    const list = `/api/comments/story/${story.id}`;
    expect((await peer.caller.get(list)).body).toMatchObject({ total: 2, counts: { open: 2 } });
    for (const { caller, userId } of [other, otherEditor]) {
      expect((await caller.get(list)).body).toMatchObject({ total: 1, counts: { open: 1, orphaned: 0 }, parts: [] });
      const part = await caller.get(`/api/comments/section/${story.id}:${story.sections[0]}`);
      expect(part.body).toMatchObject({ total: 0 });
      for (const reply of [
        await caller.put(`/api/comments/${made.body.id}`, { isResolved: true }),
        await caller.delete(`/api/comments/${made.body.id}`),
      ])
        expect(reply).toMatchObject({ status: 404, body: { code: 'COMMENT_NOT_FOUND' } });
      for (const more of [{ parentId: made.body.id }, { context: { kind: 'section', sectionId: story.sections[0] } }])
        expect((await caller.post('/api/comments', { ...at, content: 'x', ...more })).status).toBe(400);
      const { items, unread } = await feedOf(api, userId);
      expect(JSON.stringify(items)).not.toContain('SECRET');
      expect(unread).toBe(items.length);
    }
    expect(JSON.stringify((await feedOf(api, peer.userId)).items)).toContain('SECRET');
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 10);
    for (const { to, mail } of worker.sent) expect(JSON.stringify(mail).includes('SECRET')).toBe(to === peer.email);

    await api.as('editor').delete(of(story));
    expect((await otherEditor.caller.get(list)).body, 'the section is gone, what was said is not').toMatchObject({
      total: 1,
    });
    expect((await api.as('editor').get(list)).body).toMatchObject({ total: 2, counts: { orphaned: 1 } });
    await setAttributes(api, peer.userId, { region: ['us'] });
    expect((await peer.caller.get(list)).body).toMatchObject({ total: 1 });
  });
});

describe('what readers of the published version learn of the draft', () => {
  it('is nothing: neither titles in notifications, nor how often it was changed', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'one']));
    const follower = await givenGrantee(api, story);
    await editor.patch(`${of(story)}/work`, { assigneeId: follower.userId, dueAt: '2030-01-01T00:00:00.000Z' });
    await editor.post(`${story.path}/publish`);
    await follower.caller.put(`${story.path}/follow`);
    const before = (await follower.caller.get(story.path)).body;
    const listed = (await follower.caller.get('/api/stories')).body.items;
    expect(before).toMatchObject({ revision: 1, editSeq: 1, sectionCount: 1, sections: [{ assigneeId: null }] });
    await editor.patch(story.path, { title: 'Unpublished merger' });
    await editor.post(`${story.path}/sections`, { title: 'More' });
    await editor.patch(of(story), { content: texts(['a', 'two']) });
    await editor.post('/api/comments', { resourceType: 'story', resourceId: story.id, content: 'Look' });
    expect((await follower.caller.get(story.path)).body).toEqual(before);
    expect((await follower.caller.get('/api/stories')).body.items).toEqual(listed);
    const { items } = await feedOf(api, follower.userId);
    expect(items).toMatchObject([
      { title: expect.stringMatching(/commented: Weekly$/), subject: { name: 'Weekly' } },
      { title: expect.stringMatching(/: Weekly$/) },
    ]);
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 35);
    const mails = worker.sent.filter(({ to }) => to === follower.email);
    expect(mails.length).toBeGreaterThan(0);
    expect(JSON.stringify([items, mails])).not.toContain('merger');
  });
});
