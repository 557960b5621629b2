import { describe, expect } from 'vitest';
import { loadBuiltInTemplates } from '../../../../shared/data/story-templates/index.ts';
import { storyStore } from '../../../../shared/domains/stories/stories/index.ts';
import { templateRepository } from '../../../../shared/domains/stories/templates/index.ts';
import { idFrom, newId } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { countBelow } from '../../../support/given/notifications.ts';
import { doc, givenGrantee, givenStory, paragraph, texts } from '../../../support/given/stories.ts';

const BUILT_IN_TEMPLATES = await loadBuiltInTemplates();

const TEMPLATES = '/api/stories/templates';
const notFound = { status: 404, body: { code: 'STORY_TEMPLATE_NOT_FOUND' } };

const text = (value: string) => ({ type: 'text', text: value });

/** A section with everything that follows data or names people. */
const lively = () =>
  doc(
    {
      type: 'paragraph',
      attrs: { id: 'p' },
      content: [
        text('Revenue was '),
        {
          type: 'value',
          attrs: { id: 'v1', source: { metricId: newId() }, written: '1,250' },
        },
        text(', says '),
        { type: 'mention', attrs: { userId: newId(), label: 'Ada' } },
        text('.'),
      ],
    },
    {
      type: 'liveBlock',
      attrs: { id: 'regions', source: { kind: 'card', dashboardId: newId(), cardId: 'by-region' }, title: 'Regions' },
    },
  );

const slicesOf = ({ table, workspaceId }: Api, id: string) =>
  countBelow(table, workspaceKey(workspaceId, `STORY-TEMPLATE#${id}`, ''));

const nameOf = () => `Review ${newId()}`;

describe('templates of stories', () => {
  it('list the built-in ones first, then those of the workspace by name, in pages', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'A']));
    for (const name of ['Zeta', 'alpha']) await posted(api, TEMPLATES, { name, storyId: story.id });
    const all = await api.as('viewer').get(TEMPLATES);
    const names = all.body.items.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...BUILT_IN_TEMPLATES.map(({ name }) => name), 'alpha', 'Zeta']);
    expect(all.body).toMatchObject({ total: names.length, limit: 50, offset: 0 });
    expect(all.body.items[0]).toMatchObject({ isBuiltIn: true, createdBy: null, createdAt: null });
    expect(all.body.items[0]).not.toHaveProperty('sections');
    const page = await editor.get(`${TEMPLATES}?limit=2&offset=${BUILT_IN_TEMPLATES.length - 1}`);
    expect(page.body.items.map(({ name }: { name: string }) => name)).toEqual([
      BUILT_IN_TEMPLATES.at(-1)!.name,
      'alpha',
    ]);
    expect(await editor.get(`${TEMPLATES}?offset=10001`)).toMatchObject({ body: { code: 'OFFSET_TOO_LARGE' } });
    expect((await api.as('stranger').get(TEMPLATES)).body.total).toBe(BUILT_IN_TEMPLATES.length);
  });

  it('get what their slots show when a story is created', async ({ api }) => {
    const editor = api.as('editor');
    const { definition } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const templateId = 'weekly-business-review';
    const { sections } = (await editor.get(`${TEMPLATES}/${templateId}`)).body as {
      sections: { content: { content: { type: string; attrs: { id: string } }[] } }[];
    };
    const slots = sections.flatMap(({ content }) => content.content.filter(({ type }) => type === 'liveBlock'));
    const [first, second] = slots.map(({ attrs }) => attrs.id) as [string, string];
    const chartSpec = {
      ...{ version: 1, query: { source: { kind: 'metric', id: metric.id }, grain: 'month' } },
      mark: { type: 'line' },
    };
    const shown = { kind: 'chart', chartSpec };
    const card = { kind: 'card', dashboardId: newId(), cardId: 'total' };
    const chosen = [
      { blockId: first, source: shown },
      { blockId: second, source: card },
    ];
    const story = await posted(api, '/api/stories', { templateId, slots: chosen });
    const blocks = (story.sections as typeof sections).flatMap(({ content }) =>
      content.content.filter(({ type }) => type === 'liveBlock'),
    );
    expect(blocks).toMatchObject([
      { attrs: { source: { kind: 'chart', chartSpec: { query: chartSpec.query } } } },
      { attrs: { source: card } },
      ...slots.slice(2).map(() => ({ attrs: { source: { kind: 'slot' } } })),
    ]);
    const rows = await editor.post(`/api/stories/${story.id}/blocks/${blocks[0]!.attrs.id}/data`);
    expect(rows.status, JSON.stringify(rows.body)).toBe(200);

    const refused = async (body: object) => issuesOf(await editor.post('/api/stories', body));
    expect(await refused({ slots: chosen })).toEqual(['/slots CONFLICT']);
    const wrong = [{ blockId: 'block-1', source: card }, chosen[0], chosen[0]];
    expect(await refused({ templateId, slots: wrong })).toEqual([
      '/slots/0/blockId UNKNOWN',
      '/slots/2/blockId DUPLICATE',
    ]);
    expect(
      await refused({ templateId, slots: [{ blockId: first, source: { kind: 'slot', label: 'x' } }] }),
    ).toHaveLength(1);
  });

  it('reject invalid charts in slots with the place of each issue, and create nothing', async ({ api }) => {
    const editor = api.as('editor');
    const templateId = 'weekly-business-review';
    const { sections } = (await editor.get(`${TEMPLATES}/${templateId}`)).body as {
      sections: { content: { content: { type: string; attrs: { id: string } }[] } }[];
    };
    const [first, second] = sections
      .flatMap(({ content }) => content.content.filter(({ type }) => type === 'liveBlock'))
      .map(({ attrs }) => attrs.id) as [string, string];
    const chartIn = (blockId: string, chartSpec: object) => ({ blockId, source: { kind: 'chart', chartSpec } });
    const query = { source: { kind: 'metric', id: newId() } };
    const slots = [
      chartIn(first, { version: 1, query: { source: { kind: 'metric' } }, mark: { type: 'line' } }),
      chartIn(second, { version: 1, query, mark: { type: 'hologram' } }),
      chartIn(first, { version: 2 }),
    ];
    const reply = await editor.post('/api/stories', { templateId, slots });
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    const pointers = issuesOf(reply).map((issue) => issue.split(' ')[0]!);
    const places = [
      '/slots/0/source/chartSpec/query/source',
      '/slots/1/source/chartSpec/mark/type',
      '/slots/2/blockId',
    ];
    for (const place of [...places, '/slots/2/source/chartSpec'])
      expect(
        pointers.some((pointer) => pointer.startsWith(place)),
        `${place} in ${pointers}`,
      ).toBe(true);
    for (const chartSpec of [{}, { version: 1 }, { version: 1, query, mark: { type: 'line' }, script: 'x' }])
      expect(await editor.post('/api/stories', { templateId, slots: [chartIn(first, chartSpec)] })).toMatchObject({
        status: 400,
      });
    expect((await editor.get('/api/stories')).body.total).toBe(0);
  });

  it('built-in ones are read and used, but not deleted', async ({ api }) => {
    const editor = api.as('editor');
    for (const { id, name, sections } of BUILT_IN_TEMPLATES) {
      const { body: template } = await editor.get(`${TEMPLATES}/${id}`);
      expect(template).toMatchObject({ id, name, isBuiltIn: true, sectionCount: sections.length });
      const story = await posted(api, '/api/stories', { templateId: id });
      expect(story).toMatchObject({ title: name, sectionCount: sections.length });
      const titles = (story.sections as { title: string }[]).map(({ title }) => title);
      expect(titles).toEqual(template.sections.map(({ title }: { title: string }) => title));
      expect((await api.as('viewer').get(`/api/stories/${story.id}`)).status).toBe(404);
    }
    const refused = await api.as('owner').delete(`${TEMPLATES}/board-update`);
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  it('keep texts and structure; live blocks become slots, and values and mentions go', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, lively(), texts(['b', 'B']));
    await editor.post('/api/comments', { resourceType: 'story', resourceId: story.id, content: 'SECRET-COMMENT' });
    const given = { name: nameOf(), description: 'Every week', storyId: story.id };
    const made = await editor.post(TEMPLATES, given);
    expect(made).toMatchObject({
      status: 201,
      body: { name: given.name, description: 'Every week', isBuiltIn: false, sectionCount: 2, omitted: [] },
    });
    const { omitted: _omitted, ...template } = made.body;
    expect((await api.as('viewer').get(`${TEMPLATES}/${template.id}`)).body).toEqual(template);
    expect(template.sections).toEqual([
      {
        title: 'Section 1',
        content: doc(paragraph('p', 'Revenue was …, says someone.'), {
          type: 'liveBlock',
          attrs: { id: 'regions', source: { kind: 'slot', label: 'Regions' }, title: 'Regions' },
        }),
      },
      { title: 'Section 2', content: texts(['b', 'B']) },
    ]);

    const used = await posted(api, '/api/stories', { title: 'Week 3', templateId: template.id });
    expect(used).toMatchObject({ title: 'Week 3', sectionCount: 2, permission: 'editor', status: 'draft' });
    const [first] = used.sections as { content: { content: { attrs: { id: string; source?: object } }[] } }[];
    const [paragraphBlock, slot] = first!.content.content;
    expect(slot!.attrs).toMatchObject({ source: { kind: 'slot', label: 'Regions' } });
    expect([paragraphBlock!.attrs.id, slot!.attrs.id]).not.toEqual(['p', 'regions']);
    const again = await posted(api, '/api/stories', { templateId: template.id });
    expect(again).toMatchObject({ title: given.name });
    expect(again.sections).not.toEqual(used.sections);
  });

  it('leave out sections that only some readers may see', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'open']), texts(['b', 'SECRET-TEXT']));
    const [, hidden] = story.sections as [string, string];
    await editor.put(`${story.path}/sections/${hidden}/visibility`, { visibility: 'data_access' });
    const made = await editor.post(TEMPLATES, { name: nameOf(), storyId: story.id });
    expect(made.body).toMatchObject({ sectionCount: 1, omitted: [{ sectionId: hidden, reason: 'DATA_ACCESS' }] });
    expect(JSON.stringify(made.body)).not.toContain('SECRET-TEXT');
  });

  it('have one winner of a name, whatever the case; a repeated request makes one template', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'A']));
    const name = nameOf();
    const replies = await Promise.all(
      [name, name.toUpperCase(), name].map((each) => editor.post(TEMPLATES, { name: each, storyId: story.id })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const taken = { status: 409, body: { code: 'STORY_TEMPLATE_NAME_TAKEN' } };
    expect(replies.find(({ status }) => status === 409)).toMatchObject(taken);
    expect(await editor.post(TEMPLATES, { name: 'board UPDATE', storyId: story.id })).toMatchObject(taken);

    const key = { headers: { 'idempotency-key': newId() } };
    const other = { name: nameOf(), storyId: story.id };
    const first = await editor.post(TEMPLATES, other, key);
    expect((await editor.post(TEMPLATES, other, key)).body).toEqual(first.body);
  });

  it('are limited to 200', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    const send = (index: number) => api.as('editor').post(TEMPLATES, { name: `T${index}`, storyId: story.id });
    for (let start = 0; start < 200; start += 20) {
      const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => send(start + index)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    }
    expect(await send(200)).toMatchObject({ status: 409, body: { code: 'TOO_MANY_STORY_TEMPLATES' } });
  });

  it('are made by editors, and deleted by their author and by admins', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    const template = async () => {
      const { id } = await posted(api, TEMPLATES, { name: nameOf(), storyId: story.id });
      return { id, path: `${TEMPLATES}/${id}` };
    };
    const [first, second] = [await template(), await template()];
    const { caller: contributor } = await givenGrantee(api, story, 'contributor');
    const forbidden = { status: 403, body: { code: 'FORBIDDEN' } };
    expect(await contributor.post(TEMPLATES, { name: 'x', storyId: story.id })).toMatchObject(forbidden);
    expect(await contributor.delete(first.path)).toMatchObject(forbidden);
    const other = api.as({ token: (await givenMember(api, 'editor')).token });
    expect(await other.delete(first.path)).toMatchObject(forbidden);
    expect(await api.as('stranger').get(first.path)).toMatchObject(notFound);
    expect(await api.as('stranger').delete(first.path)).toMatchObject(notFound);
    const foreign = await api.as('stranger').post(TEMPLATES, { name: 'x', storyId: story.id });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'STORY_NOT_FOUND' } });

    const used = await posted(api, '/api/stories', { templateId: first.id });
    expect((await api.as('editor').delete(first.path)).status).toBe(204);
    expect(await api.as('editor').delete(first.path)).toMatchObject(notFound);
    expect(await api.as('editor').get(first.path)).toMatchObject(notFound);
    expect((await api.as('owner').delete(second.path)).status).toBe(204);
    expect(await slicesOf(api, first.id)).toBe(0);
    expect((await api.as('editor').get(`/api/stories/${used.id}`)).body.sectionCount).toBe(1);
  });

  it('that do not exist, and sections beside a template, are rejected', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    const { id } = await posted(api, TEMPLATES, { name: nameOf(), storyId: story.id });
    const send = (caller: 'editor' | 'stranger', body: object) => api.as(caller).post('/api/stories', body);
    expect(issuesOf(await send('editor', { templateId: idFrom('x') }))).toEqual(['/templateId UNKNOWN']);
    expect(issuesOf(await send('stranger', { templateId: id }))).toEqual(['/templateId UNKNOWN']);
    expect(issuesOf(await send('editor', { templateId: id, sections: [{}] }))).toEqual(['/sections CONFLICT']);
    expect((await send('editor', { templateId: 'Not An Id' })).status).toBe(400);
  });

  it('are not made from a story that has changed since it was read, as when a section was restricted', async ({
    api,
  }) => {
    const story = await givenStory(api, texts(['a', 'Open']), texts(['b', 'SECRET']));
    const { table, workspaceId } = api;
    const store = storyStore(table);
    const before = (await store.read({ workspaceId, storyId: story.id }))!;
    const restrict = () =>
      api.as('editor').put(`${story.path}/sections/${story.sections[1]}/visibility`, { visibility: 'data_access' });
    expect((await restrict()).status).toBe(200);
    const id = newId();
    const at = new Date().toISOString();
    const stamps = { createdBy: id, updatedBy: id, createdAt: at, updatedAt: at };
    const template = { id, workspaceId, name: nameOf(), description: null, ...stamps };
    const made = templateRepository(table).create(template, [], [store.unchangedItem(before.record)]);
    await expect(made).rejects.toMatchObject({ code: 'STALE_WRITE' });
    expect(await slicesOf(api, id)).toBe(0);
    expect(await api.as('editor').get(`${TEMPLATES}/${id}`)).toMatchObject(notFound);

    const replies = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const replied = api.as('editor').post(TEMPLATES, { name: nameOf(), storyId: story.id });
        await api.as('editor').patch(story.path, { summary: newId() });
        return replied;
      }),
    );
    for (const reply of replies) {
      expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201, body: { sectionCount: 1 } });
      expect(JSON.stringify(reply.body)).not.toContain('SECRET');
    }
  });

  it('of long stories fit', async ({ api }) => {
    const random = () => Array.from({ length: 60 }, () => newId()).join(' ');
    const contents = Array.from({ length: 30 }, (_, section) =>
      texts(...Array.from({ length: 50 }, (_, block): [string, string] => [`s${section}-${block}`, random()])),
    );
    const story = await givenStory(api, ...contents);
    const made = await posted(api, TEMPLATES, { name: nameOf(), storyId: story.id });
    const used = await posted(api, '/api/stories', { templateId: made.id });
    expect(used.sectionCount).toBe(30);
    expect((await api.as('editor').delete(`${TEMPLATES}/${made.id}`)).status).toBe(204);
    expect(await slicesOf(api, made.id as string)).toBe(0);
  });
});
