import { describe, expect } from 'vitest';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import { it } from '../../../support/api.ts';
import { givenMember, tokenOf } from '../../../support/given/member.ts';
import { givenProtected, givenReader } from '../../../support/given/protected.ts';
import { doc, givenGrantee, givenStory, texts } from '../../../support/given/stories.ts';

const notFound = { status: 404, body: { code: 'STORY_NOT_FOUND' } };

describe('versions', () => {
  it('are what readers get, while contributors see the draft', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'one']), texts(['b', 'two']));
    const section = `${story.path}/sections/${story.sections[0]}`;
    const viewer = api.as('viewer');
    expect(await viewer.get(story.path)).toMatchObject(notFound);
    const published = await editor.post(`${story.path}/publish`, undefined, { headers: { 'idempotency-key': 'k' } });
    expect(published).toMatchObject({
      status: 200,
      body: { version: 1, sectionCount: 2, restoredFrom: null, warnings: [] },
    });
    await editor.post(`${story.path}/publish`, undefined, { headers: { 'idempotency-key': 'k' } });
    expect((await editor.get(`${story.path}/versions`)).body.total).toBe(1);
    await editor.patch(section, { content: texts(['a', 'changed']) });
    expect((await viewer.get(story.path)).body).toMatchObject({
      view: 'published',
      permission: 'viewer',
      hasUnpublishedChanges: false,
      sections: [{ content: texts(['a', 'one']) }, { content: texts(['b', 'two']) }],
    });
    expect((await editor.get(story.path)).body).toMatchObject({ view: 'draft', hasUnpublishedChanges: true });
    expect((await editor.get(`${story.path}?view=published`)).body.sections[0].content).toEqual(texts(['a', 'one']));
    expect(await viewer.get(section)).toMatchObject({ status: 403 });

    await editor.delete(`${story.path}/sections/${story.sections[1]}`);
    await editor.post(`${story.path}/sections`, { title: 'Later' });
    await editor.post(`${story.path}/publish`);
    const restored = await editor.post(`${story.path}/versions/1/restore`);
    expect(restored).toMatchObject({
      status: 200,
      body: {
        publishedVersion: 3,
        hasUnpublishedChanges: false,
        sections: [
          { id: story.sections[0], content: texts(['a', 'one']) },
          { id: story.sections[1], content: texts(['b', 'two']) },
        ],
      },
    });
    const kept = (await editor.get(`${section}/revisions`)).body.items[0];
    expect((await editor.get(`${section}/revisions/${kept.id}`)).body.content).toEqual(texts(['a', 'changed']));
    expect((await editor.get(`${story.path}/versions`)).body.items).toMatchObject([
      { version: 3, restoredFrom: 1 },
      { version: 2 },
      { version: 1 },
    ]);
    expect((await editor.get(`${story.path}/versions/2`)).body.sections).toMatchObject([
      { title: 'Section 1' },
      { title: 'Later' },
    ]);
    for (const reply of [
      await editor.get(`${story.path}/versions/9`),
      await editor.post(`${story.path}/versions/9/restore`),
    ])
      expect(reply).toMatchObject({ body: { code: 'STORY_VERSION_NOT_FOUND' } });
    const { items } = (await editor.get(`${story.path}/activity?limit=2`)).body;
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({ action: 'version_restored', version: 3 });
    const older = (await editor.get(`${story.path}/activity?before=${items[1].id}&limit=200`)).body.items;
    expect(older.at(-1)).toMatchObject({ action: 'created' });
    const log = (await api.as('owner').get(`/api/audit-log?objectId=${story.id}&limit=50`)).body;
    expect(log.items.map(({ action }: { action: string }) => action)).toContain('story.published');
  });

  it('are reviewed in rounds; decisions become outdated by edits', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'one']));
    const review = `${story.path}/review`;
    const { userId, caller } = await givenGrantee(api, story);
    const refused = await editor.post(review, { reviewerIds: [userId] });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'REVIEWER_NO_ACCESS', errors: [{ pointer: '/reviewerIds/0' }] },
    });
    expect(await editor.post(review, { reviewerIds: [idFrom('x')] })).toMatchObject({
      body: { code: 'MEMBER_NOT_FOUND' },
    });
    const own = (await editor.get('/api/auth/me')).body.user.id;
    expect((await editor.post(review, { reviewerIds: [own] })).body.errors).toMatchObject([
      { pointer: '/reviewerIds/0' },
    ]);
    const opened = await editor.post(review, { reviewerIds: [userId], note: 'Please', grant: true });
    expect(opened).toMatchObject({
      status: 201,
      body: { round: 1, note: 'Please', reviewers: [{ userId, decision: null }] },
    });
    expect((await caller.get(story.path)).body).toMatchObject({ permission: 'commenter', view: 'draft' });
    expect(await editor.post(`${review}/decision`, { decision: 'approved' })).toMatchObject({
      status: 403,
      body: { code: 'NOT_A_REVIEWER' },
    });
    const decided = await caller.post(`${review}/decision`, { decision: 'changes_requested', note: 'Why?' });
    expect(decided.body.reviewers).toMatchObject([{ decision: 'changes_requested', note: 'Why?', outdated: false }]);
    await editor.patch(`${story.path}/sections/${story.sections[0]}`, { content: texts(['a', 'two']) });
    expect((await editor.get(story.path)).body.review.reviewers).toMatchObject([{ outdated: true }]);
    expect((await editor.post(review, { reviewerIds: [userId] })).body).toMatchObject({ round: 2 });
    expect(await caller.delete(review)).toMatchObject({ status: 403 });
    expect((await editor.delete(review)).status).toBe(204);
    for (const reply of [
      await editor.delete(review),
      await caller.post(`${review}/decision`, { decision: 'approved' }),
    ])
      expect(reply).toMatchObject({ status: 404, body: { code: 'STORY_REVIEW_NOT_FOUND' } });
  });

  it('are not reviewed with the API key of a reviewer that has the role viewer', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'one']));
    const review = `${story.path}/review`;
    const admin = await givenMember(api, 'admin');
    const made = await api.as(admin).post('/api/api-keys', { name: 'Reader', scope: 'admin' });
    const key = api.as({ token: made.body.key });
    const demoted = await api.as('owner').patch(`/api/workspaces/members/${admin.userId}`, { role: 'viewer' });
    expect(demoted.status, JSON.stringify(demoted.body)).toBe(200);
    await editor.post(`${story.path}/publish`);
    await editor.patch(`${story.path}/sections/${story.sections[0]}`, { content: texts(['a', 'DRAFT']) });
    expect((await editor.post(review, { reviewerIds: [admin.userId] })).status).toBe(201);
    const person = api.as({ token: await tokenOf(api, admin) });
    const decision = { decision: 'approved' };

    for (const view of ['draft', 'published']) {
      const seen = await key.get(`${story.path}?view=${view}`);
      expect(seen, JSON.stringify(seen.body)).toMatchObject({ status: 200, body: { view: 'published', review: null } });
      expect(JSON.stringify(seen.body)).not.toContain('DRAFT');
    }
    expect(await key.post(`${review}/decision`, decision)).toMatchObject({
      status: 403,
      body: { code: 'NOT_A_REVIEWER' },
    });
    expect((await person.get(story.path)).body).toMatchObject({ view: 'draft', review: { round: 1 } });
    expect((await person.post(`${review}/decision`, decision)).status).toBe(200);
  });

  it('are ended by a key of the person who asked only if its role may write stories', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'one']));
    const review = `${story.path}/review`;
    const admin = await givenMember(api, 'admin');
    const keyOf = async (scope: string) => {
      const made = await api.as(admin).post('/api/api-keys', { name: scope, scope });
      return api.as({ token: made.body.key });
    };
    const [reading, writing] = [await keyOf('read'), await keyOf('read/write')];
    const { id: reviewerId } = (await api.as('owner').get('/api/auth/me')).body.user;
    expect((await api.as(admin).post(review, { reviewerIds: [reviewerId] })).status).toBe(201);
    const refused = { status: 403, body: { code: 'FORBIDDEN' } };
    expect(await reading.delete(review)).toMatchObject(refused);
    const demoted = await api.as('owner').patch(`/api/workspaces/members/${admin.userId}`, { role: 'viewer' });
    expect(demoted.status, JSON.stringify(demoted.body)).toBe(200);
    // The story is published, so that the key of a viewer sees it.
    await api.as('editor').post(`${story.path}/publish`);
    const publishing = async () => (await writing.post(`${story.path}/publish`)).status;
    await expect.poll(publishing, { timeout: 60_000 }).toBe(403);
    expect((await writing.delete(review)).status).toBe(403);
    expect((await api.as('editor').get(story.path)).body.review).toMatchObject({ requestedBy: admin.userId });
    const promoted = await api.as('owner').patch(`/api/workspaces/members/${admin.userId}`, { role: 'editor' });
    expect(promoted.status).toBe(200);
    await expect.poll(async () => (await writing.delete(review)).status, { timeout: 60_000 }).toBe(204);
    expect((await api.as('editor').get(story.path)).body.review).toBeNull();
  });

  it('have readers and followers, and show who has the draft open', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'one']));
    const presence = `${story.path}/presence`;
    await editor.post(`${story.path}/publish`);
    const reader = await givenMember(api);
    const beat = { readSeconds: 20 };
    expect((await api.as(reader).post(presence, beat)).body).toEqual({ viewers: [], more: 0, sections: [] });
    await api.as(reader).post(presence, { ...beat, isIdle: true });
    await api.as(reader).post(presence, beat);
    const others = await editor.post(presence, { sectionId: story.sections[0] });
    expect(others.body).toMatchObject({
      viewers: [],
      more: 0,
      sections: [{ id: story.sections[0], editSeq: 1, lock: null }],
    });
    expect((await api.as('owner').post(presence)).body.viewers).toMatchObject([{ sectionId: story.sections[0] }]);
    const { items, total } = (await editor.get(`${story.path}/readers`)).body;
    expect(total).toBe(3);
    expect(items.find(({ userId }: { userId: string }) => userId === reader.userId)).toMatchObject({
      secondsRead: 40,
      version: 1,
    });
    expect(await api.as(reader).get(`${story.path}/readers`)).toMatchObject({ status: 403 });
    expect((await api.as(reader).put(`${story.path}/follow`)).body).toEqual({ following: true });
    expect((await api.as(reader).delete(`${story.path}/follow`)).body).toEqual({ following: false });
  });

  it('keep a restored text from readers who did not see it before', async ({ api }) => {
    const editor = api.as('editor');
    const { dataset } = await givenProtected(api);
    const chartSpec = { version: 1, query: { source: { kind: 'dataset', id: dataset.id } }, mark: { type: 'table' } };
    const block = { type: 'liveBlock', attrs: { id: 'rows', source: { kind: 'chart', chartSpec } } };
    const story = await givenStory(api, texts(['a', 'Open']));
    const section = `${story.path}/sections/${story.sections[0]}`;
    const secret = { content: doc(...texts(['a', 'It was 40']).content, block), source: 'ai' };
    expect((await editor.patch(section, secret)).body).toMatchObject({ visibility: 'data_access' });
    await editor.post(`${story.path}/publish`);
    await editor.patch(section, { content: texts(['a', 'Open again']), source: 'manual' });
    await editor.put(`${section}/visibility`, { visibility: 'everyone', confirm: true });
    const restored = await editor.post(`${story.path}/versions/1/restore`);
    expect(restored.body.sections).toMatchObject([{ visibility: 'data_access' }]);
    const { caller } = await givenReader(api, { role: 'viewer', attributes: { region: ['us'] } });
    expect((await caller.get(story.path)).body).toMatchObject({
      view: 'published',
      sections: [{ content: null, hidden: { reason: 'DATA_ACCESS' } }],
    });
  });

  it('hide comments on sections that are not published', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'one']));
    await editor.post(`${story.path}/publish`);
    const added = await editor.post(`${story.path}/sections`, { content: texts(['b', 'Draft']) });
    const of = { resourceType: 'story', resourceId: story.id };
    for (const sectionId of [story.sections[0], added.body.id])
      await editor.post('/api/comments', { ...of, content: 'Look', context: { kind: 'section', sectionId } });
    const list = `/api/comments/story/${story.id}`;
    expect((await editor.get(list)).body).toMatchObject({ total: 2 });
    expect((await api.as(await givenMember(api)).get(list)).body).toMatchObject({
      total: 1,
      items: [{ context: { sectionId: story.sections[0] } }],
    });
  });

  it('warn of numbers beside protected rows', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    const chartSpec = { version: 1, query: { source: { kind: 'dataset', id: dataset.id } }, mark: { type: 'table' } };
    const block = { type: 'liveBlock', attrs: { id: 'rows', source: { kind: 'chart', chartSpec } } };
    const story = await givenStory(api, doc(...texts(['a', 'It was 40 last year']).content, block));
    const { body } = await api.as('editor').post(`${story.path}/publish`);
    expect(body.warnings).toMatchObject([{ code: 'TEXT_MAY_QUOTE_ROWS', sectionId: story.sections[0] }]);
  });
});

describe('access to a story', () => {
  it('is granted, changed and revoked, and shows what a member would see', async ({ api }) => {
    const editor = api.as('editor');
    const { dataset } = await givenProtected(api);
    const source = { kind: 'dataset', id: dataset.id };
    const chartSpec = { version: 1, query: { source }, mark: { type: 'table' } };
    const live = (id: string, of: object) => ({ type: 'liveBlock', attrs: { id, source: of } });
    const gone = { ...chartSpec, query: { source: { kind: 'dataset', id: idFrom('gone') } } };
    const card = { kind: 'card', dashboardId: idFrom('dashboard'), cardId: 'c' };
    const story = await givenStory(
      api,
      doc(
        live('rows', { kind: 'chart', chartSpec }),
        live('gone', { kind: 'chart', chartSpec: gone }),
        live('card', card),
      ),
    );
    const access = `${story.path}/access`;
    const { userId, email, caller } = await givenReader(api, { role: 'viewer', attributes: { region: ['us'] } });
    const check = `${story.path}/access-check?email=${encodeURIComponent(email)}`;
    expect((await editor.get(check)).body).toEqual({
      ...{ userId, name: 'New', hasAccess: false, permission: null, view: null, sections: [], blocks: [] },
    });
    expect((await editor.get(`${check}&permission=viewer`)).body).toMatchObject({
      hasAccess: false,
      permission: 'viewer',
      view: 'draft',
      sections: [{ isHidden: false }],
      blocks: [
        { blockId: 'rows', state: 'restricted', reason: 'ROW_RIGHTS' },
        { blockId: 'gone', state: 'hidden', reason: 'SOURCE_NOT_FOUND' },
        { blockId: 'card', state: 'hidden', reason: 'NO_DASHBOARD_ACCESS' },
      ],
    });
    const candidates = async () => (await editor.get(`${access}/candidates?q=${email.slice(0, 20)}`)).body.items;
    expect(await candidates()).toMatchObject([{ userId, hasAccess: false }]);
    const granted = await editor.post(access, { email, permission: 'commenter' });
    expect(granted).toMatchObject({ status: 201, body: { userId, permission: 'commenter' } });
    expect(await editor.post(access, { email, permission: 'viewer' })).toMatchObject({
      status: 409,
      body: { code: 'ACCESS_EXISTS' },
    });
    const outsider = { email: 'none@example.com', permission: 'viewer' };
    expect(await editor.post(access, outsider)).toMatchObject({ status: 400, body: { code: 'NOT_A_MEMBER' } });
    expect(await editor.get(`${story.path}/access-check?email=none@example.com`)).toMatchObject({
      body: { code: 'NOT_A_MEMBER' },
    });
    expect(await candidates()).toMatchObject([{ userId, hasAccess: true }]);
    expect((await caller.get(story.path)).body).toMatchObject({ permission: 'commenter', view: 'draft' });
    expect((await editor.get(access)).body).toMatchObject({ total: 1, items: [{ userId, permission: 'commenter' }] });
    const set = `${access}/user/${userId}`;
    expect((await editor.put(set, { permission: 'editor' })).body).toMatchObject({ permission: 'editor' });
    expect((await caller.patch(story.path, { title: 'By grant' })).status).toBe(200);
    expect(await caller.delete(story.path), 'a grant is not enough').toMatchObject({ status: 403 });
    for (const type of ['user', 'group'])
      expect(await editor.put(`${access}/${type}/${idFrom('x')}`, { permission: 'viewer' })).toMatchObject({
        body: { code: type === 'user' ? 'MEMBER_NOT_FOUND' : 'GROUP_NOT_FOUND' },
      });
    expect((await editor.delete(`${access}/${userId}`)).status).toBe(204);
    expect(await editor.delete(`${access}/${userId}`)).toMatchObject({ body: { code: 'STORY_ACCESS_NOT_FOUND' } });
    expect(await caller.get(story.path)).toMatchObject(notFound);
  });

  it('is denied to strangers everywhere', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    const stranger = api.as('stranger');
    const reads = [
      '',
      '/access',
      '/access/candidates?q=ab',
      '/access-check?email=a@b.c',
      '/activity',
      '/readers',
      '/versions',
      '/versions/1',
    ];
    for (const path of reads) expect(await stranger.get(story.path + path), path).toMatchObject(notFound);
    const section = `${story.path}/sections/${story.sections[0]}`;
    for (const path of [section, `${section}/revisions`, `${section}/revisions/${idFrom('x')}`])
      expect(await stranger.get(path), path).toMatchObject(notFound);
    const replies = [
      await stranger.put(`${story.path}/follow`),
      await stranger.delete(`${story.path}/follow`),
      await stranger.post(`${story.path}/presence`),
      await stranger.delete(`${story.path}/review`),
      await stranger.post(`${story.path}/review/decision`, { decision: 'approved' }),
      await stranger.post(`${story.path}/access`, { email: 'a@b.c', permission: 'viewer' }),
      await stranger.put(`${story.path}/access/user/${idFrom('x')}`, { permission: 'viewer' }),
      await stranger.delete(`${story.path}/access/${idFrom('x')}`),
      await stranger.delete(story.path),
      await stranger.post(`${story.path}/archive`, { archived: true }),
      await stranger.post(`${story.path}/restore`),
    ];
    for (const reply of replies) expect(reply).toMatchObject(notFound);
  });
});
