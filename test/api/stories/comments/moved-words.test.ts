import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenProtectedText } from '../../../support/given/protected-stories.ts';
import { doc, givenStory, paragraph, texts } from '../../../support/given/stories.ts';

const QUOTE = 'sales have grown in all regions of the north';

describe('the comment of a reader on words that move into a section that is hidden from the reader', () => {
  it('is still shown to its author, with the quote as it was written and without the replies of others', async ({
    api,
  }) => {
    const editor = api.as('editor');
    const { block, reader } = await givenProtectedText(api);
    const secret = (words: string) => doc(paragraph('s', words), block);
    const story = await givenStory(api, texts(['a', `This week ${QUOTE}.`]), secret('It was 40'));
    const [open, restricted] = story.sections.map((id) => `${story.path}/sections/${id}`) as [string, string];
    expect((await editor.put(`${restricted}/visibility`, { visibility: 'data_access' })).status).toBe(200);
    const [author, other] = [await reader('us'), await reader('us')];
    for (const { userId } of [author, other])
      await api.as('owner').put(`${story.path}/access/user/${userId}`, { permission: 'commenter' });
    const at = { resourceType: 'story', resourceId: story.id };
    const context = { kind: 'text', sectionId: story.sections[0], blockId: 'a', quote: { exact: QUOTE } };
    const made = await author.caller.post('/api/comments', { ...at, context, content: 'Is this right?' });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const comment = `/api/comments/${made.body.id}`;
    const list = `/api/comments/story/${story.id}`;
    expect((await other.caller.get(list)).body).toMatchObject({ total: 1 });

    expect((await editor.patch(open, { content: texts(['a', 'This week.']) })).status).toBe(200);
    const moved = secret(`It was 40. HIDDEN: ${QUOTE}, HIDDEN.`);
    expect((await editor.patch(restricted, { content: moved })).status).toBe(200);
    const answered = await editor.post('/api/comments', { ...at, parentId: made.body.id, content: 'HIDDEN: 41' });
    expect(answered.status, JSON.stringify(answered.body)).toBe(201);
    expect((await editor.get(list)).body.items).toMatchObject([
      { context: { sectionId: story.sections[1] }, anchor: { state: 'moved' }, replyCount: 1 },
    ]);

    const seen = (await author.caller.get(list)).body;
    expect(seen, JSON.stringify(seen)).toMatchObject({
      total: 1,
      counts: { open: 1, orphaned: 1 },
      items: [{ content: 'Is this right?', context, anchor: { state: 'orphaned' }, replyCount: 0, replies: [] }],
      parts: [{ type: 'section', id: story.sections[0], open: 1 }],
    });
    expect(JSON.stringify(seen)).not.toContain('HIDDEN');
    expect((await author.caller.get(`/api/comments/section/${story.id}:${story.sections[1]}`)).body.total).toBe(0);
    expect((await other.caller.get(list)).body).toMatchObject({ total: 0, items: [] });
    expect(await other.caller.delete(comment)).toMatchObject({ status: 404, body: { code: 'COMMENT_NOT_FOUND' } });

    const elsewhere = { context: { kind: 'section', sectionId: story.sections[0] } };
    expect(await author.caller.put(comment, elsewhere), 'replies would move along').toMatchObject({ status: 403 });
    expect(await author.caller.put(comment, { content: 'Is it?' })).toMatchObject({
      status: 200,
      body: { content: 'Is it?', replyCount: 0 },
    });
    expect(JSON.stringify((await author.caller.get(list)).body)).not.toContain('HIDDEN');
    expect((await author.caller.delete(comment)).status).toBe(204);
    expect(JSON.stringify((await author.caller.get(list)).body)).not.toContain('HIDDEN');
  });
});
