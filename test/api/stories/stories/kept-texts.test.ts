import { describe, expect } from 'vitest';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { type Api, it } from '../../../support/api.ts';
import { clockOf, mailWorker, passMinutes } from '../../../support/given/notifications.ts';
import { givenProtectedText } from '../../../support/given/protected-stories.ts';
import { doc, type GivenStory, givenGrantee, givenStory, paragraph, texts } from '../../../support/given/stories.ts';

const of = ({ path, sections }: GivenStory, index = 0) => `${path}/sections/${sections[index]}`;

const storedRevisions = (api: Api, { id }: GivenStory) =>
  Array.fromAsync(itemsBelow(api.table, { pk: `W#${api.workspaceId}#STORY-REVISION#${id}`, sk: '' }));

describe('texts that people have typed', () => {
  it('are kept once for each person and base, however often an autosave is refused', async ({ api }) => {
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const story = await givenStory(api, texts(['a', 'A']));
    await owner.post(`${of(story)}/lock`);
    let last = '';
    for (const words of ['H', 'He', 'Hel', 'Hell', 'Hello']) {
      const reply = await editor.patch(`${of(story)}?baseEditSeq=1`, { content: texts(['a', words]) });
      expect(reply).toMatchObject({ status: 423, body: { code: 'SECTION_LOCKED' } });
      last = reply.body.revisionId;
    }
    expect(await storedRevisions(api, story)).toHaveLength(1);
    expect((await editor.get(`${of(story)}/revisions/${last}`)).body).toMatchObject({
      reason: 'refused',
      content: texts(['a', 'Hello']),
    });
    for (const baseEditSeq of [77, 78, 79])
      await editor.patch(`${of(story)}?baseEditSeq=${baseEditSeq}`, { title: 'x' });
    expect(await storedRevisions(api, story), 'a made-up base is no other base').toHaveLength(1);
    await owner.patch(of(story), { content: texts(['a', 'A2']) });
    await editor.patch(`${of(story)}?baseEditSeq=2`, { content: texts(['a', 'On 2']) });
    const { items } = (await editor.get(`${of(story)}/revisions`)).body;
    expect(items.map(({ reason }: { reason: string }) => reason)).toEqual(['refused', 'overwritten', 'refused']);
    expect((await owner.get(`${of(story)}/revisions`)).body.items).toHaveLength(1);
  });

  it('are listed in pages, most recent first, each once', async ({ api }) => {
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const story = await givenStory(api, texts(['a', '0']));
    for (let turn = 1; turn <= 6; turn += 1) {
      const caller = turn % 2 === 0 ? editor : owner;
      expect((await caller.patch(of(story), { content: texts(['a', `${turn}`]) })).status).toBe(200);
    }
    await editor.patch(`${of(story)}?baseEditSeq=2`, { content: texts(['a', 'refused']) });
    const seqs: number[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const { body } = await editor.get(`${of(story)}/revisions?limit=2${query}`);
      seqs.push(...body.items.map(({ editSeq }: { editSeq: number }) => editSeq));
      cursor = body.nextCursor;
    } while (cursor);
    expect(seqs).toEqual([2, 6, 5, 4, 3, 2, 1]);
    for (const list of [`${of(story)}/revisions`, `${story.path}/revisions`])
      expect(await editor.get(`${list}?cursor=nonsense`)).toMatchObject({
        status: 400,
        body: { code: 'CURSOR_INVALID' },
      });
  });

  it('are kept when an API key of the person replaces them, and the other way around', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    const person = api.as('owner');
    const { key } = (await person.post('/api/api-keys', { name: 'Nightly', scope: 'read/write' })).body;
    const program = api.as({ token: key });
    const { id } = (await person.get('/api/auth/me')).body.user;
    const typed = texts(['a', 'Typed for an hour']);
    await person.patch(of(story), { content: typed });
    const written = await program.patch(of(story), { content: texts(['a', 'Generated']) });
    expect(written).toMatchObject({ status: 200, body: { overwrote: { editSeq: 2, by: id } } });
    const revisionOf = async ({ body }: typeof written) =>
      (await person.get(`${of(story)}/revisions/${body.overwrote.revisionId}`)).body;
    expect(await revisionOf(written)).toMatchObject({ reason: 'overwritten', content: typed });
    const again = await program.patch(of(story), { content: texts(['a', 'Generated again']) });
    expect(again.body, 'a program replaces its own text').not.toHaveProperty('overwrote');
    const retyped = await person.patch(of(story), { content: typed });
    expect(await revisionOf(retyped)).toMatchObject({ content: texts(['a', 'Generated again']) });
    expect((await person.patch(of(story), { content: texts(['a', 'Typed on']) })).body).not.toHaveProperty('overwrote');

    await person.patch(story.path, { title: 'Typed' });
    const named = await program.patch(story.path, { title: 'Generated' });
    expect(named.body).toMatchObject({ title: 'Generated', overwrote: { editSeq: 2, by: id } });
    expect((await program.patch(story.path, { title: 'Generated again' })).body).not.toHaveProperty('overwrote');
    const titles = (await person.get(`${story.path}/revisions`)).body.items;
    expect(titles).toMatchObject([{ title: 'Typed' }, { title: 'Weekly' }]);
  });

  it('are kept when another person replaces the title of a section', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    const named = await api.as('owner').patch(of(story), { title: 'Renamed' });
    expect(named.body).toMatchObject({ title: 'Renamed', overwrote: { editSeq: 1 } });
    const kept = await api.as('editor').get(`${of(story)}/revisions/${named.body.overwrote.revisionId}`);
    expect(kept.body).toMatchObject({ reason: 'overwritten', title: 'Section 1', content: texts(['a', 'A']) });
    const same = await api.as('editor').patch(of(story), { title: 'Renamed' });
    expect(same.body, 'nothing was replaced').toMatchObject({ editSeq: 2 });
    expect(same.body).not.toHaveProperty('overwrote');
  });

  it('are kept when the title or the summary of the story is refused or replaced', async ({ api }) => {
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const story = await givenStory(api, texts(['a', 'A']));
    const changed = await owner.patch(story.path, { title: 'By the owner', summary: 'Mine' });
    expect(changed.body).toMatchObject({ overwrote: { editSeq: 1, by: expect.any(String) } });
    const typed = { title: 'By the editor', summary: 'A long summary' };
    const refused = await editor.patch(`${story.path}?baseEditSeq=1`, typed);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'STALE_EDIT', currentEditSeq: 2, revisionId: expect.any(String) },
    });
    const later = await editor.patch(`${story.path}?baseEditSeq=1`, { ...typed, summary: 'A longer summary' });
    expect(later.body.revisionId).toBe(refused.body.revisionId);
    const replaced = await editor.patch(story.path, { summary: 'Ours' });
    expect(replaced.body).toMatchObject({ summary: 'Ours', overwrote: { editSeq: 2 } });
    expect((await editor.patch(story.path, { summary: 'Ours, again' })).body).not.toHaveProperty('overwrote');
    const { items, nextCursor } = (await editor.get(`${story.path}/revisions`)).body;
    expect(nextCursor).toBeNull();
    expect(items).toMatchObject([
      { reason: 'overwritten', title: 'By the owner', summary: 'Mine', editSeq: 2 },
      { reason: 'refused', title: 'By the editor', summary: 'A longer summary', editSeq: 1 },
      { reason: 'overwritten', title: 'Weekly', summary: null, editSeq: 1 },
    ]);
    expect((await owner.get(`${story.path}/revisions`)).body.items).toHaveLength(2);
    const { caller } = await givenGrantee(api, story, 'contributor');
    expect(await caller.get(`${story.path}/revisions`)).toMatchObject({ status: 403 });
    expect(await api.as('stranger').get(`${story.path}/revisions`)).toMatchObject({
      status: 404,
      body: { code: 'STORY_NOT_FOUND' },
    });
    await editor.post(`${story.path}/publish`);
    await owner.patch(story.path, { title: 'Unpublished' });
    await editor.post(`${story.path}/versions/1/restore`);
    expect((await editor.get(`${story.path}/revisions`)).body.items[0]).toMatchObject({ title: 'Unpublished' });
  });

  it('are kept when they cannot be merged because both texts together are too long', async ({ api }) => {
    const many = (prefix: string) => Array.from({ length: 300 }, (_, index) => paragraph(`${prefix}${index}`, 'x'));
    const story = await givenStory(api, texts(['a', 'A']));
    await api.as('owner').patch(`${of(story)}?baseEditSeq=1`, { content: doc(paragraph('a', 'A'), ...many('o')) });
    const content = doc(paragraph('a', 'A'), ...many('e'));
    const refused = await api.as('editor').patch(`${of(story)}?baseEditSeq=1`, { content });
    expect(refused).toMatchObject({ status: 409, body: { code: 'STALE_EDIT', currentEditSeq: 2, conflicts: [] } });
    const kept = await api.as('editor').get(`${of(story)}/revisions/${refused.body.revisionId}`);
    expect(kept.body.content).toEqual(content);
  });

  it('are kept when the section was removed, or hidden from its author, meanwhile', async ({ api }) => {
    const { content, reader } = await givenProtectedText(api);
    const story = await givenStory(api, texts(['first', 'A']), content);
    const other = await reader('us', 'editor');
    await api.as('editor').delete(of(story));
    const typed = texts(['first', 'Still typing']);
    const gone = await other.caller.patch(of(story), { title: 'T', content: typed });
    expect(gone).toMatchObject({ status: 404, body: { code: 'STORY_SECTION_NOT_FOUND' } });
    expect((await other.caller.get(`${of(story)}/revisions/${gone.body.revisionId}`)).body).toMatchObject({
      title: 'T',
      content: typed,
    });
    const unknown = `${story.path}/sections/${idFrom('never')}`;
    expect((await other.caller.patch(unknown, { content: typed })).body).not.toHaveProperty('revisionId');

    await api.as('editor').put(`${of(story, 1)}/visibility`, { visibility: 'data_access' });
    const hidden = await other.caller.patch(of(story, 1), { content: texts(['z', 'Mine']) });
    expect(hidden).toMatchObject({ status: 403, body: { code: 'SECTION_HIDDEN' } });
    const kept = await other.caller.get(`${of(story, 1)}/revisions/${hidden.body.revisionId}`);
    expect(kept.body, 'nothing of the hidden section is in it').toMatchObject({
      title: null,
      content: texts(['z', 'Mine']),
    });
    expect((await other.caller.patch(of(story, 1), { title: 'T' })).body).not.toHaveProperty('revisionId');
  });
});

describe('ids of blocks', () => {
  it('stay unique in the story when two sections get the same one at the same time', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']), texts(['b', 'B']));
    for (let round = 0; round < 6; round += 1) {
      const id = `same-${round}`;
      const replies = await Promise.all([
        api.as('editor').patch(of(story, 0), { content: texts(['a', 'A'], [id, 'one']) }),
        api.as('owner').patch(of(story, 1), { content: texts(['b', 'B'], [id, 'two']) }),
        api.as('admin').post(`${story.path}/sections`, { content: texts([id, 'three']) }),
      ]);
      const sections: { content: { content: { attrs: { id: string } }[] } }[] = (await api.as('editor').get(story.path))
        .body.sections;
      const ids = sections.flatMap(({ content }) => content.content.map(({ attrs }) => attrs.id));
      expect(ids.filter((each) => each === id)).toHaveLength(1);
      for (const reply of replies.slice(0, 2).filter(({ status }) => status !== 200)) {
        expect(reply).toMatchObject({
          status: 400,
          body: {
            code: 'STORY_CONTENT_INVALID',
            errors: [{ pointer: '/content/content/1/attrs/id', code: 'BLOCK_ID_REPEATED' }],
            revisionId: expect.any(String),
          },
        });
      }
    }
  });
});

describe('a lock', () => {
  it('is ended by the tab that has it, or for all tabs of the person', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'A']));
    const lock = `${of(story)}/lock`;
    const first = (await editor.post(lock)).body.lockId;
    const second = (await editor.post(lock)).body.lockId;
    expect((await editor.delete(`${lock}?lockId=${first}`)).status).toBe(204);
    expect(await api.as('owner').patch(of(story), { title: 'x' })).toMatchObject({ status: 423 });
    expect((await editor.delete(`${lock}?lockId=${second}`)).status).toBe(204);
    expect((await api.as('owner').patch(of(story), { title: 'x' })).status).toBe(200);
    await editor.post(lock);
    expect((await editor.delete(lock)).status).toBe(204);
    expect((await api.as('owner').patch(of(story), { title: 'y' })).status).toBe(200);
  });
});

describe('presence', () => {
  it('of an API key does not count as reading, so that mails are sent', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    const { id, email } = (await api.as('owner').get('/api/auth/me')).body.user;
    const { key } = (await api.as('owner').post('/api/api-keys', { name: 'Editor', scope: 'read/write' })).body;
    const mailed = async (open: () => Promise<{ status: number }>) => {
      const content = `@[Owner](user:${id})`;
      await api.as('editor').post('/api/comments', { resourceType: 'story', resourceId: story.id, content });
      expect((await open()).status).toBe(200);
      const clock = clockOf(api);
      const worker = mailWorker(clock);
      await passMinutes(api, clock, worker, 10);
      return worker.sent.filter(({ to }) => to === email).length;
    };
    const presence = `${story.path}/presence`;
    expect(await mailed(() => api.as({ token: key }).post(presence))).toBe(1);
    expect(await mailed(() => api.as('owner').post(presence))).toBe(0);
  });
});
