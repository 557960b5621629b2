import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { DAY_MS } from '../../../../shared/platform/schedule/durations.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { it } from '../../../support/api.ts';
import { endDue } from '../../../support/given/clean-ups.ts';
import { givenMember } from '../../../support/given/member.ts';
import { issuesOf } from '../../../support/given/model.ts';
import { countBelow } from '../../../support/given/notifications.ts';
import { doc, givenGrantee, givenStory, paragraph, texts } from '../../../support/given/stories.ts';

/** When the 30 days to restore have passed. */
const inAMonth = () => new Date(Date.now() + 31 * DAY_MS);

const notFound = { status: 404, body: { code: 'STORY_NOT_FOUND' } };
const titles = (reply: { body: { items: { title: string }[] } }) => reply.body.items.map(({ title }) => title);

describe('stories', () => {
  it('are created with sections, changed, archived, deleted and restored', async ({ api }) => {
    const editor = api.as('editor');
    const made = await editor.post('/api/stories', {
      title: 'Sales',
      summary: 'Of the week',
      sections: [{ title: 'First', content: texts(['a', 'Hello']) }, {}],
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        title: 'Sales',
        mode: 'live',
        status: 'draft',
        permission: 'editor',
        view: 'draft',
        editSeq: 1,
        hasUnpublishedChanges: true,
        sections: [
          {
            ordinal: 0,
            title: 'First',
            content: texts(['a', 'Hello']),
            editSeq: 1,
            lock: null,
            visibility: 'everyone',
          },
          { ordinal: 1, title: null, content: { content: [{ type: 'paragraph' }] } },
        ],
      },
    });
    const path = `/api/stories/${made.body.id}`;
    expect((await editor.get(path)).body).toEqual(made.body);

    const changed = await editor.patch(`${path}?baseEditSeq=1`, { title: 'Sales 2' });
    expect(changed).toMatchObject({
      status: 200,
      body: { title: 'Sales 2', mode: 'live', editSeq: 2, revision: 2 },
    });
    const stale = await editor.patch(`${path}?baseEditSeq=1`, { title: 'Late' });
    expect(stale).toMatchObject({
      status: 409,
      body: { code: 'STALE_EDIT', currentEditSeq: 2, current: { title: 'Sales 2', summary: 'Of the week' } },
    });
    const before = { headers: { 'if-match': '"1"' } };
    expect(await editor.patch(path, { title: 'Late' }, before)).toMatchObject({ status: 412 });
    expect(await editor.delete(path, before)).toMatchObject({ status: 412 });

    expect(await editor.post(`${path}/archive`, { archived: true })).toMatchObject({
      status: 200,
      body: { archivedAt: expect.any(String) },
    });
    expect(await editor.patch(path, { title: 'x' })).toMatchObject({ status: 409, body: { code: 'STORY_ARCHIVED' } });
    expect(titles(await editor.get('/api/stories'))).toEqual([]);
    expect(titles(await editor.get('/api/stories?tab=archived'))).toEqual(['Sales 2']);
    const opened = await editor.post(`${path}/archive`, { archived: false });
    expect(opened.body).toMatchObject({ archivedAt: null });
    expect((await editor.post(`${path}/archive`, { archived: false })).body.revision).toBe(opened.body.revision);
    expect(titles(await editor.get('/api/stories?q=week'))).toEqual(['Sales 2']);
    expect(titles(await editor.get('/api/stories?search=month'))).toEqual([]);

    expect((await editor.delete(path)).status).toBe(204);
    const replies = [
      await editor.get(path),
      await editor.delete(path),
      await editor.patch(path, {}),
      await editor.post(`${path}/archive`, { archived: true }),
    ];
    for (const reply of replies) expect(reply).toMatchObject(notFound);
    expect(titles(await editor.get('/api/stories'))).toEqual([]);
    const restored = await editor.post(`${path}/restore`);
    expect(restored).toMatchObject({ status: 200, body: { title: 'Sales 2', deletedAt: null } });
    expect((await editor.post(`${path}/restore`)).body).toEqual(restored.body);
    expect(await editor.post(`/api/stories/${idFrom('none')}/restore`)).toMatchObject(notFound);

    // The clean-up of the deletion finds the story restored, and leaves it and its followers alone; a later one removes
    // both.
    const followers = { pk: `W#${api.workspaceId}#FOLLOW#story#${made.body.id}`, sk: '' };
    await editor.put(`${path}/follow`);
    await endDue(api, inAMonth());
    expect((await editor.get(path)).status).toBe(200);
    expect(await countBelow(api.table, followers)).toBeGreaterThan(0);
    await editor.delete(path);
    await endDue(api, inAMonth());
    expect(await editor.post(`${path}/restore`)).toMatchObject(notFound);
    expect(await countBelow(api.table, followers)).toBe(0);

    const log = (await api.as('owner').get(`/api/audit-log?objectId=${made.body.id}&limit=50`)).body;
    const actions = new Set(log.items.map(({ action }: { action: string }) => action));
    for (const action of ['created', 'updated', 'archived', 'deleted', 'restored'])
      expect(actions).toContain(`story.${action}`);
  });

  it('have a list with tabs', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'x']));
    await editor.patch(story.path, { title: 'Mine' });
    await api.as('owner').post('/api/stories', { title: 'Of the owner' });
    expect(titles(await editor.get('/api/stories')).sort()).toEqual(['Mine', 'Of the owner']);
    expect(titles(await editor.get('/api/stories?tab=mine'))).toEqual(['Mine']);
    expect(titles(await editor.get('/api/stories?tab=shared'))).toEqual([]);
    const reader = await givenGrantee(api, story, 'viewer');
    expect(titles(await reader.caller.get('/api/stories?tab=shared'))).toEqual(['Mine']);
    const outsider = await givenMember(api);
    expect(titles(await api.as(outsider).get('/api/stories'))).toEqual([]);
    expect(titles(await reader.caller.get('/api/stories?tab=assigned'))).toEqual([]);
    const work = `${story.path}/sections/${story.sections[0]}/work`;
    expect(await editor.patch(work, { assigneeId: reader.userId, dueAt: '2026-02-01T00:00:00.000Z' })).toMatchObject({
      status: 200,
      body: { assigneeId: reader.userId, editSeq: 1, revision: 2 },
    });
    expect(titles(await reader.caller.get('/api/stories?tab=assigned'))).toEqual(['Mine']);
    await editor.patch(work, { assigneeId: null, status: 'done' });
    expect(titles(await reader.caller.get('/api/stories?tab=assigned'))).toEqual([]);
    expect(await editor.get('/api/stories?offset=20000')).toMatchObject({ body: { code: 'OFFSET_TOO_LARGE' } });
    const total = { pk: `W#${api.workspaceId}#STORY`, sk: '#TOTAL' };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
    expect(await editor.get('/api/stories')).toMatchObject({ status: 400, body: { code: 'LIST_TOO_LARGE' } });
  });

  it('reject hostile content with every place, and store nothing', async ({ api }) => {
    const editor = api.as('editor');
    const content = doc(
      paragraph('a', 'fine'),
      { type: 'script', attrs: { id: 'b' } },
      {
        type: 'paragraph',
        attrs: { id: 'a' },
        content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] }],
      },
    );
    const refused = await editor.post('/api/stories', { title: 'Bad', sections: [{ content }] });
    expect(refused).toMatchObject({ status: 400, body: { code: 'STORY_CONTENT_INVALID' } });
    expect(issuesOf(refused).map((issue) => issue.split(' ')[0])).toEqual(
      expect.arrayContaining([
        '/sections/0/content/content/1/type',
        '/sections/0/content/content/2/attrs/id',
        '/sections/0/content/content/2/content/0/marks/0/attrs/href',
      ]),
    );
    expect((await editor.get('/api/stories')).body.total).toBe(0);
    const spec = { kind: 'chart', chartSpec: { version: 1, query: {}, mark: { type: 'table' } } };
    const chart = doc({ type: 'liveBlock', attrs: { id: 'c', source: spec } });
    expect(issuesOf(await editor.post('/api/stories', { sections: [{ content: chart }] }))[0]).toMatch(
      /^\/sections\/0\/content\/content\/0\/attrs\/source\/chartSpec/,
    );
    const large = texts(...Array.from({ length: 60 }, (_, index): [string, string] => [`p${index}`, 'x'.repeat(4000)]));
    const many = Array.from({ length: 18 }, (_, section) => ({
      content: doc(...large.content.map((block, index) => ({ ...block, attrs: { id: `s${section}-${index}` } }))),
    }));
    expect(await editor.post('/api/stories', { sections: many })).toMatchObject({
      status: 409,
      body: { code: 'STORY_TOO_LARGE' },
    });
    const allowed = await editor.post('/api/stories', { sections: many.slice(0, 15) });
    expect(allowed.status).toBe(201);
    expect(allowed.body.sections).toHaveLength(15);
    const path = `/api/stories/${allowed.body.id}/sections`;
    expect(await editor.post(path, { content: many[15]!.content })).toMatchObject({ status: 201 });
    for (const { content: next } of many.slice(16)) {
      const reply = await editor.post(path, { content: next });
      if (reply.status === 201) continue;
      expect(reply).toMatchObject({ status: 409, body: { code: 'STORY_TOO_LARGE' } });
    }
    const small = await editor.post(path, { title: 'Small' });
    const grown = await editor.patch(`${path}/${small.body.id}`, { content: many[17]!.content });
    expect(grown).toMatchObject({ status: 409, body: { code: 'STORY_TOO_LARGE', revisionId: expect.any(String) } });
  });
});
