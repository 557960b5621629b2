import { describe, expect } from 'vitest';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenProtected, setAttributes } from '../../../support/given/protected.ts';
import { doc, type GivenStory, givenGrantee, givenStory, texts } from '../../../support/given/stories.ts';

interface WritePath {
  send(caller: Caller, story: GivenStory): ReturnType<Caller['post']>;
  /** The lowest permission that allows it. */
  level: 'contributor' | 'editor';
  /** Whether it changes the text of the section. */
  isText?: true;
  /** Whether what was typed is kept when it is refused. */
  keeps?: true;
  needsSection?: true;
}

const of = ({ path, sections }: GivenStory) => `${path}/sections/${sections[0]}`;

/** Every way to change a story. */
const WRITE_PATHS: Record<string, WritePath> = {
  'PATCH section': {
    send: (caller, story) => caller.patch(of(story), { content: texts(['a', 'typed']) }),
    ...{ level: 'contributor', isText: true, keeps: true, needsSection: true },
  },
  'DELETE section': {
    send: (caller, story) => caller.delete(of(story)),
    ...{ level: 'contributor', isText: true, needsSection: true },
  },
  lock: {
    send: (caller, story) => caller.post(`${of(story)}/lock`),
    ...{ level: 'contributor', isText: true, needsSection: true },
  },
  'restore version': {
    send: (caller, { path }) => caller.post(`${path}/versions/1/restore`),
    ...{ level: 'editor', isText: true },
  },
  'add section': {
    send: (caller, { path }) => caller.post(`${path}/sections`, { title: 'More' }),
    level: 'contributor',
  },
  reorder: {
    send: (caller, { path, sections }) => caller.post(`${path}/sections/reorder`, { order: sections }),
    level: 'editor',
  },
  work: {
    send: (caller, story) => caller.patch(`${of(story)}/work`, { status: 'done' }),
    ...{ level: 'contributor', needsSection: true },
  },
  editors: {
    send: (caller, story) => caller.put(`${of(story)}/editors`, { userIds: [] }),
    ...{ level: 'editor', needsSection: true },
  },
  'read-only': {
    send: (caller, story) => caller.post(`${of(story)}/read-only`, { locked: false }),
    ...{ level: 'editor', needsSection: true },
  },
  visibility: {
    send: (caller, story) => caller.put(`${of(story)}/visibility`, { visibility: 'everyone' }),
    ...{ level: 'editor', needsSection: true },
  },
  'PATCH story': { send: (caller, { path }) => caller.patch(path, { title: 'New' }), level: 'editor' },
  publish: { send: (caller, { path }) => caller.post(`${path}/publish`), level: 'editor' },
  review: {
    send: (caller, { path }) => caller.post(`${path}/review`, { reviewerIds: [idFrom('x')] }),
    level: 'contributor',
  },
};
const TEXT_PATHS = Object.entries(WRITE_PATHS).filter(([, { isText }]) => isText);

/** A story with a published version that differs from its draft. */
async function givenChanged(api: Api): Promise<GivenStory> {
  const story = await givenStory(api, texts(['a', 'one']), texts(['b', 'two']));
  await api.as('editor').post(`${story.path}/publish`);
  await api.as('editor').patch(of(story), { content: texts(['a', 'draft']) });
  return story;
}

async function refuses(api: Api, caller: Caller, story: GivenStory, code: string, status: number): Promise<void> {
  for (const [name, { send, keeps }] of TEXT_PATHS) {
    const before = (await api.as('owner').get(of(story))).body;
    const reply = await send(caller, story);
    expect(reply, name).toMatchObject({ status, body: { code } });
    expect((await api.as('owner').get(of(story))).body, name).toEqual(before);
    if (!keeps) continue;
    const kept = await caller.get(`${of(story)}/revisions/${reply.body.revisionId}`);
    expect(kept.body, name).toMatchObject({ reason: 'refused', content: texts(['a', 'typed']) });
  }
}

describe('every way to change a text', () => {
  it('is refused while another person has the lock, and keeps what was typed', async ({ api }) => {
    const story = await givenChanged(api);
    const taken = await api.as('owner').post(`${of(story)}/lock`);
    expect(taken.status).toBe(200);
    await refuses(api, api.as('editor'), story, 'SECTION_LOCKED', 423);
    const reply = await api.as('editor').patch(of(story), { title: 'x' });
    expect(reply.body).toMatchObject({ holder: taken.body.holder, expiresAt: taken.body.expiresAt });
    expect(await api.as('editor').delete(`${of(story)}/lock`)).toMatchObject({ body: { code: 'SECTION_LOCKED' } });
  });

  it('is refused while the section is read-only, also for the owner', async ({ api }) => {
    const story = await givenChanged(api);
    const locked = await api.as('editor').post(`${of(story)}/read-only`, { locked: true });
    expect(locked).toMatchObject({ status: 200, body: { readOnly: true } });
    await refuses(api, api.as('editor'), story, 'SECTION_READ_ONLY', 423);
    await refuses(api, api.as('owner'), story, 'SECTION_READ_ONLY', 423);
  });

  it('is refused for those who are not among the editors of the section', async ({ api }) => {
    const story = await givenChanged(api);
    const { userId, caller } = await givenGrantee(api, story, 'editor');
    expect((await api.as('editor').put(`${of(story)}/editors`, { userIds: [userId] })).body.editorIds).toEqual([
      userId,
    ]);
    await refuses(api, api.as('editor'), story, 'SECTION_EDITORS', 403);
    expect((await caller.patch(of(story), { title: 'allowed' })).status).toBe(200);
    await api.as('editor').put(`${of(story)}/editors`, { userIds: [] });
    expect((await api.as('editor').patch(of(story), { title: 'again' })).status).toBe(200);
  });

  it('is refused in a lock that the owner has ended, until the section is locked again', async ({ api }) => {
    const story = await givenChanged(api);
    const { caller } = await givenGrantee(api, story, 'editor');
    await caller.post(`${of(story)}/lock`);
    expect((await api.as('editor').delete(`${of(story)}/lock?force=true`)).status).toBe(204);
    for (const [name, { send }] of TEXT_PATHS.filter(([name]) => name !== 'lock')) {
      expect(await send(caller, story), name).toMatchObject({ status: 409, body: { code: 'LOCK_LOST' } });
    }
    expect((await caller.post(`${of(story)}/lock`)).status).toBe(200);
    expect((await caller.patch(of(story), { title: 'mine again' })).status).toBe(200);
    const log = (await api.as('owner').get(`/api/audit-log?objectId=${story.id}&limit=50`)).body;
    expect(log.items.map(({ action }: { action: string }) => action)).toContain('story.lock_ended');
  });

  it('is refused for those from whom the section is hidden', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    await setAttributes(api, (await api.as('owner').get('/api/auth/me')).body.user.id, { region: ['us'] });
    const chartSpec = { version: 1, query: { source: { kind: 'dataset', id: dataset.id } }, mark: { type: 'table' } };
    const block = { type: 'liveBlock', attrs: { id: 'rows', source: { kind: 'chart', chartSpec } } };
    const content = doc(...texts(['a', 'secret']).content, block);
    const story = await givenStory(api, texts(['a', 'one']), texts(['b', 'two']));
    await api.as('owner').post(`${story.path}/publish`);
    expect((await api.as('owner').patch(of(story), { content })).status).toBe(200);
    const hiding = await api.as('owner').put(`${of(story)}/visibility`, { visibility: 'data_access' });
    expect(hiding).toMatchObject({ status: 200, body: { visibility: 'data_access' } });
    await refuses2(api, story);
  });

  it('is refused in an archived story, as is every other change', async ({ api }) => {
    const story = await givenChanged(api);
    await api.as('editor').post(`${story.path}/archive`, { archived: true });
    for (const [name, { send }] of Object.entries(WRITE_PATHS)) {
      expect(await send(api.as('editor'), story), name).toMatchObject({
        status: 409,
        body: { code: 'STORY_ARCHIVED' },
      });
    }
  });

  it('is refused for strangers, readers and those with a lower permission', async ({ api }) => {
    const story = await givenChanged(api);
    const [viewer, commenter, contributor] = await Promise.all(
      ['viewer', 'commenter', 'contributor'].map((permission) => givenGrantee(api, story, permission)),
    );
    const none = await givenGrantee(api, story);
    const missing = { ...story, sections: [idFrom('x'), story.sections[1]!] };
    for (const [name, { send, level, needsSection }] of Object.entries(WRITE_PATHS)) {
      expect(await send(api.as('stranger'), story), name).toMatchObject({
        status: 404,
        body: { code: 'STORY_NOT_FOUND' },
      });
      for (const { caller } of [viewer!, commenter!, none, ...(level === 'editor' ? [contributor!] : [])])
        expect((await send(caller, story)).status, name).toBe(403);
      if (needsSection)
        expect(await send(api.as('editor'), missing), name).toMatchObject({
          body: { code: 'STORY_SECTION_NOT_FOUND' },
        });
    }
    expect((await api.as('editor').get(of(story))).body).toMatchObject({ editSeq: 2, content: texts(['a', 'draft']) });
    expect((await contributor!.caller.patch(of(story), { title: 'by a contributor' })).status).toBe(200);
  });
});

/** The editor has no attributes, and so sees no row of the dataset. */
async function refuses2(api: Api, story: GivenStory): Promise<void> {
  const editor = api.as('editor');
  expect((await editor.get(story.path)).body.sections[0]).toMatchObject({
    title: null,
    content: null,
    hidden: { reason: 'DATA_ACCESS' },
  });
  for (const [name, { send }] of TEXT_PATHS) {
    expect(await send(editor, story), name).toMatchObject({ status: 403, body: { code: 'SECTION_HIDDEN' } });
  }
  const opening = await editor.put(`${of(story)}/visibility`, { visibility: 'everyone' });
  expect(opening).toMatchObject({ status: 403, body: { code: 'SECTION_HIDDEN' } });
  const owner = api.as('owner');
  expect((await owner.get(story.path)).body.sections[0]).toMatchObject({ title: 'Section 1' });
  await owner.patch(of(story), { source: 'ai_edited' });
  expect(await owner.put(`${of(story)}/visibility`, { visibility: 'everyone' })).toMatchObject({
    status: 409,
    body: { code: 'SECTION_NEEDS_DATA_ACCESS' },
  });
  expect(await owner.put(`${of(story)}/visibility`, { visibility: 'everyone', confirm: true })).toMatchObject({
    status: 200,
    body: { visibility: 'everyone' },
  });
  const log = (await owner.get(`/api/audit-log?objectId=${story.id}&limit=50`)).body;
  expect(log.items.map(({ action }: { action: string }) => action)).toContain('story.visibility_opened');
}
