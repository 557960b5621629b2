import { describe, expect } from 'vitest';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import { it } from '../../../support/api.ts';
import { issuesOf } from '../../../support/given/model.ts';
import { doc, givenGrantee, givenStory, paragraph, texts } from '../../../support/given/stories.ts';

const section = (story: { path: string; sections: string[] }, index = 0) =>
  `${story.path}/sections/${story.sections[index]}`;

describe('sections', () => {
  it('are added at their place, reordered and removed; the text of a removed one is kept', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'A']), texts(['b', 'B']));
    const add = (body: object, options = {}) => editor.post(`${story.path}/sections`, body, options);
    const [first, second] = story.sections as [string, string];
    const key = { headers: { 'idempotency-key': 'same' } };
    const middle = await add({ title: 'Middle', afterSectionId: first }, key);
    expect(middle).toMatchObject({ status: 201, body: { ordinal: 1, title: 'Middle' } });
    expect((await add({ title: 'Middle', afterSectionId: first }, key)).body.id).toBe(middle.body.id);
    const start = await add({ atStart: true, content: texts(['c', 'C']) });
    expect(start.body.ordinal).toBe(0);
    const order = async () => (await editor.get(story.path)).body.sections.map(({ id }: { id: string }) => id);
    expect(await order()).toEqual([start.body.id, first, middle.body.id, second]);

    expect(issuesOf(await add({ afterSectionId: idFrom('x') }))).toEqual(['/afterSectionId UNKNOWN']);
    expect(issuesOf(await add({ afterSectionId: first, atStart: true }))).toEqual(['/afterSectionId CONFLICT']);
    expect(await add({ content: texts(['a', 'twice']) })).toMatchObject({
      status: 400,
      body: {
        code: 'STORY_CONTENT_INVALID',
        errors: [{ pointer: '/content/content/0/attrs/id', code: 'BLOCK_ID_REPEATED' }],
      },
    });

    const wanted = [second, first, middle.body.id, start.body.id];
    expect((await editor.post(`${story.path}/sections/reorder`, { order: wanted })).status).toBe(204);
    expect(await order()).toEqual(wanted);
    const wrong = await editor.post(`${story.path}/sections/reorder`, { order: [second, second, idFrom('x')] });
    expect(
      issuesOf(wrong)
        .map((issue) => issue.split(' ')[1])
        .sort(),
    ).toEqual(['DUPLICATE', 'REQUIRED', 'REQUIRED', 'REQUIRED', 'UNKNOWN']);
    expect((await editor.get(section(story))).body).toMatchObject({ editSeq: 1, revision: 1, ordinal: 1 });

    expect((await editor.delete(section(story))).status).toBe(204);
    expect(await editor.get(section(story))).toMatchObject({ status: 404, body: { code: 'STORY_SECTION_NOT_FOUND' } });
    const { items } = (await editor.get(`${section(story)}/revisions`)).body;
    expect(items).toMatchObject([{ reason: 'removed', title: 'Section 1', editSeq: 1 }]);
    const kept = await editor.get(`${section(story)}/revisions/${items[0].id}`);
    expect(kept.body.content).toEqual(texts(['a', 'A']));
    expect(await editor.get(`${section(story)}/revisions/${idFrom('x')}`)).toMatchObject({
      body: { code: 'STORY_REVISION_NOT_FOUND' },
    });
  });

  it('merge edits of different blocks, and keep both texts where the same block was changed', async ({ api }) => {
    const editor = api.as('editor');
    const owner = api.as('owner');
    const story = await givenStory(api, texts(['a', 'A'], ['b', 'B'], ['c', 'C']));
    const path = section(story);
    const first = await editor.patch(`${path}?baseEditSeq=1`, { content: texts(['a', 'A2'], ['b', 'B'], ['c', 'C']) });
    expect(first).toMatchObject({ status: 200, body: { editSeq: 2, revision: 2 } });
    expect(first.body).not.toHaveProperty('merged');
    const second = await owner.patch(`${path}?baseEditSeq=1`, {
      content: texts(['a', 'A'], ['b', 'B'], ['d', 'new'], ['c', 'C2']),
    });
    expect(second.body).toMatchObject({ editSeq: 3, merged: true, mergedFrom: 1 });
    expect(second.body.content).toEqual(texts(['a', 'A2'], ['b', 'B'], ['d', 'new'], ['c', 'C2']));

    const mine = texts(['a', 'mine'], ['b', 'B'], ['c', 'C']);
    const stale = await owner.patch(`${path}?baseEditSeq=1`, { content: mine });
    expect(stale).toMatchObject({
      status: 409,
      body: {
        code: 'STALE_EDIT',
        currentEditSeq: 3,
        current: { content: second.body.content },
        conflicts: [
          { blockId: 'a', base: paragraph('a', 'A'), theirs: paragraph('a', 'A2'), mine: paragraph('a', 'mine') },
        ],
      },
    });
    const again = await owner.patch(`${path}?baseEditSeq=1`, { content: mine });
    expect(again.body.revisionId, 'the same text is kept once').toBe(stale.body.revisionId);
    expect((await owner.get(`${path}/revisions/${stale.body.revisionId}`)).body).toMatchObject({
      reason: 'refused',
      editSeq: 1,
      content: mine,
    });
    expect(
      await editor.get(`${path}/revisions/${stale.body.revisionId}`),
      'a refused text is its author’s',
    ).toMatchObject({
      status: 404,
    });
    const refused = (await editor.get(`${path}/revisions`)).body.items.filter(
      ({ reason }: { reason: string }) => reason === 'refused',
    );
    expect(refused).toEqual([]);
    expect(await owner.patch(`${path}?baseEditSeq=99`, { content: mine })).toMatchObject({
      status: 409,
      body: { code: 'STALE_EDIT', conflicts: [] },
    });

    const replaced = await editor.patch(path, { content: texts(['z', 'all']) });
    expect(replaced.body).toMatchObject({ editSeq: 4, overwrote: { editSeq: 3, by: second.body.editedBy } });
    const kept = await owner.get(`${path}/revisions/${replaced.body.overwrote.revisionId}`);
    expect(kept.body).toMatchObject({ reason: 'overwritten', content: second.body.content });
    expect(await editor.patch(path, { title: 'x' }, { headers: { 'if-match': '"1"' } })).toMatchObject({ status: 412 });
    const invalid = doc({ type: 'paragraph', attrs: { id: 'z' }, content: [{ type: 'iframe' }] });
    expect(await editor.patch(path, { content: invalid })).toMatchObject({ body: { code: 'STORY_CONTENT_INVALID' } });
    expect((await editor.get(path)).body).toMatchObject({ editSeq: 4, content: texts(['z', 'all']) });
    expect((await editor.patch(path, { status: 'in_review' })).body).toMatchObject({ status: 'in_review', editSeq: 4 });
    const stalest = { headers: { 'if-match': '"99"' } };
    const refusals = [
      await editor.delete(path, stalest),
      await editor.put(`${path}/editors`, { userIds: [] }, stalest),
      await editor.put(`${path}/visibility`, { visibility: 'data_access' }, stalest),
      await editor.patch(`${path}/work`, { status: 'done' }, stalest),
    ];
    for (const reply of refusals) expect(reply).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    const cursor = await editor.get(`${story.path}/access?cursor=nonsense`);
    expect(cursor).toMatchObject({ status: 400, body: { code: 'CURSOR_INVALID' } });
  });

  it('lose no text when many people save at the same time', async ({ api }) => {
    const story = await givenStory(api, texts(['base', 'base']));
    const path = section(story);
    const people = [api.as('editor'), api.as('owner'), api.as('admin')];
    const ids = Array.from({ length: 24 }, (_, index) => `n${index}`);
    const replies = await Promise.all(
      ids.map((id, index) =>
        people[index % 3]!.patch(`${path}?baseEditSeq=1`, { content: texts(['base', 'base'], [id, `text ${id}`]) }),
      ),
    );
    const { content } = (await api.as('editor').get(path)).body;
    const stored = new Set(content.content.map(({ attrs }: { attrs: { id: string } }) => attrs.id));
    for (const [index, reply] of replies.entries()) {
      const isStored = reply.status === 200 && stored.has(ids[index]);
      expect(isStored || typeof reply.body.revisionId === 'string', JSON.stringify(reply.body)).toBe(true);
    }
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(1);
  });

  it('notify the person whom they are assigned to', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    const { userId } = await givenGrantee(api, story, 'contributor');
    const work = `${section(story)}/work`;
    expect((await api.as('editor').patch(work, { assigneeId: userId })).status).toBe(200);
    expect(await api.as('editor').patch(work, { assigneeId: idFrom('x') })).toMatchObject({
      body: { code: 'MEMBER_NOT_FOUND', errors: [{ pointer: '/assigneeId' }] },
    });
    expect(await api.as('editor').put(`${section(story)}/editors`, { userIds: [idFrom('x')] })).toMatchObject({
      body: { code: 'MEMBER_NOT_FOUND', errors: [{ pointer: '/userIds/0' }] },
    });
  });
});
