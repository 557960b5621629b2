import { describe, expect } from 'vitest';
import { notificationReader } from '../../../../shared/domains/delivery/notifications/index.ts';
import { readMembers } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { issuesOf } from '../../../support/given/model.ts';
import { givenProtectedText } from '../../../support/given/protected-stories.ts';
import { type GivenStory, givenGrantee, givenStory, texts } from '../../../support/given/stories.ts';

const WORDS = 'Revenue grew by five percent in the north, and by nine percent in the south.';

const of = ({ path, sections }: GivenStory, index = 0) => `${path}/sections/${sections[index]}`;

interface Quoted {
  exact: string;
  replacement?: string;
  blockId?: string;
  sectionId?: string;
}

/** Writes a comment on words of the first section; a suggestion with a replacement. */
function quote(caller: Caller, story: GivenStory, { exact, replacement, blockId = 'a', sectionId }: Quoted) {
  const about = { sectionId: sectionId ?? story.sections[0], blockId, quote: { exact } };
  const context =
    replacement === undefined ? { kind: 'text', ...about } : { kind: 'suggestion', ...about, replacement };
  return caller.post('/api/comments', { resourceType: 'story', resourceId: story.id, content: 'See', context });
}

const suggest = async (caller: Caller, story: GivenStory, quoted: Quoted): Promise<string> => {
  const made = await quote(caller, story, quoted);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
};

const threadOf = async (caller: Caller, story: GivenStory, id: string) =>
  (await caller.get(`/api/comments/story/${story.id}`)).body.items.find((each: { id: string }) => each.id === id);

const accept = (caller: Caller, story: GivenStory, id: string) => caller.post(`${of(story)}/suggestions/${id}/accept`);
const acceptAll = (caller: Caller, story: GivenStory, ...commentIds: string[]) =>
  caller.post(`${of(story)}/suggestions/accept`, { commentIds });
const reject = (caller: Caller, story: GivenStory, id: string) => caller.post(`${of(story)}/suggestions/${id}/reject`);

const textOf = async (api: Api, story: GivenStory) => (await api.as('editor').get(of(story))).body.content;

describe('words that comments quote', () => {
  it('are completed, followed when they move or change, and lost and found with their text', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(
      api,
      texts(['a', WORDS], ['b', 'Another block about costs.']),
      texts(['c', 'Other']),
    );
    const made = await quote(editor, story, { exact: 'nine percent in the south' });
    expect(made.body).toMatchObject({
      context: {
        quote: { exact: 'nine percent in the south', prefix: expect.stringMatching(/and by $/), suffix: '.' },
      },
      anchor: { state: 'anchored', score: 1, text: 'nine percent in the south' },
    });
    const { id } = made.body;
    await editor.patch(of(story), { content: texts(['new', 'First.'], ['a', `Summary: ${WORDS}`], ['b', 'Costs.']) });
    expect(await threadOf(editor, story, id)).toMatchObject({ anchor: { state: 'anchored' } });
    await editor.patch(of(story), { content: texts(['a', WORDS.replace('nine percent', 'ten percent')]) });
    expect(await threadOf(editor, story, id)).toMatchObject({
      anchor: { state: 'moved', text: 'ten percent in the south' },
      context: { quote: { exact: 'ten percent in the south' } },
    });
    await editor.put(`/api/comments/${id}`, { isResolved: true });
    await editor.patch(of(story), { content: texts(['a', 'Nothing of that.']) });
    expect(await threadOf(editor, story, id)).toMatchObject({
      anchor: { state: 'orphaned', text: null },
      context: { quote: { exact: 'ten percent in the south' } },
      resolution: 'resolved',
    });
    const back = WORDS.replace('nine percent', 'ten percent');
    await editor.patch(of(story, 1), { content: texts(['c', 'Other'], ['d', back]) });
    expect(await threadOf(editor, story, id)).toMatchObject({
      anchor: { state: 'moved', text: 'ten percent in the south' },
      context: { sectionId: story.sections[1], blockId: 'd' },
    });
    await editor.delete(of(story, 1));
    expect(await threadOf(editor, story, id)).toMatchObject({ anchor: { state: 'orphaned' } });
    const added = await editor.post(`${story.path}/sections`, { content: texts(['e', back]) });
    expect(await threadOf(editor, story, id)).toMatchObject({ context: { sectionId: added.body.id, blockId: 'e' } });
  });

  it('must be in the block, and only once', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'One percent and one percent.']));
    const refused = [
      await quote(editor, story, { exact: 'two percent' }),
      await quote(editor, story, { exact: 'percent' }),
      await quote(editor, story, { exact: 'One', blockId: 'z' }),
      await quote(editor, story, { exact: 'One', sectionId: idFrom('x') }),
    ];
    expect(refused.map((reply) => issuesOf(reply)[0])).toEqual([
      '/context/quote/exact QUOTE_GONE',
      '/context/quote QUOTE_AMBIGUOUS',
      '/context/blockId UNKNOWN_PART',
      '/context/sectionId UNKNOWN_PART',
    ]);
    const about = { sectionId: story.sections[0], blockId: 'a', quote: { exact: 'percent', prefix: 'and one ' } };
    const made = await editor.post('/api/comments', {
      ...{ resourceType: 'story', resourceId: story.id, content: 'This one' },
      context: { kind: 'text', ...about },
    });
    expect(made.body.context.quote).toEqual({ exact: 'percent', prefix: 'One percent and one ', suffix: '.' });
    const block = await editor.post('/api/comments', {
      ...{
        resourceType: 'story',
        resourceId: story.id,
        content: 'All of it',
        context: { kind: 'block', blockId: 'a' },
      },
    });
    expect(block.body).toMatchObject({ context: { kind: 'block', blockId: 'a', sectionId: story.sections[0] } });
  });

  it('show readers of the published version nothing of the draft', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', WORDS]));
    await editor.post(`${story.path}/publish`);
    const reader = await givenGrantee(api, story);
    const kept = await suggest(editor, story, { exact: 'nine percent in the south' });
    await editor.patch(of(story), { content: texts(['a', `The secret merger. ${WORDS}`]) });
    const drafted = await suggest(editor, story, { exact: 'The secret merger' });
    const own = await quote(reader.caller, story, { exact: 'five percent in the north' });
    expect(own.body).toMatchObject({
      context: { quote: { prefix: 'Revenue grew by ' } },
      anchor: { state: 'anchored' },
    });
    expect(await threadOf(reader.caller, story, drafted)).toBeUndefined();
    expect((await threadOf(reader.caller, story, kept)).context.quote.prefix).not.toContain('merger');
    expect((await threadOf(editor, story, own.body.id)).context.quote.prefix).toContain('merger');
    await editor.patch(of(story), { content: texts(['a', 'Rewritten.']) });
    expect(await threadOf(reader.caller, story, own.body.id)).toMatchObject({ anchor: { state: 'anchored' } });
    expect(await threadOf(editor, story, own.body.id)).toMatchObject({ anchor: { state: 'orphaned' } });
  });

  it('are not quoted from a draft section to which they have moved', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', WORDS]));
    await editor.post(`${story.path}/publish`);
    const reader = await givenGrantee(api, story);
    await editor.patch(of(story), { content: texts(['b', 'Other.']) });
    const content = texts(['a', `${WORDS.slice(0, -1)}, before the secret merger.`]);
    const added = await editor.post(`${story.path}/sections`, { title: 'Draft', content });
    expect(added.status).toBe(201);
    const own = await quote(reader.caller, story, { exact: 'nine percent in the south' });
    expect(own).toMatchObject({
      status: 201,
      body: { context: { sectionId: story.sections[0], quote: { suffix: '.' } }, anchor: { text: null } },
    });
    const { context } = await threadOf(editor, story, own.body.id);
    expect(context).toMatchObject({ sectionId: added.body.id, quote: { suffix: ', before the secret merger.' } });
  });
});

describe('suggestions', () => {
  it('are accepted once, notify their author, and leave other quotes in place', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', WORDS]));
    const author = await givenGrantee(api, story, 'commenter');
    const [id, other] = [
      await suggest(author.caller, story, { exact: 'five percent', replacement: 'a twentieth' }),
      await suggest(editor, story, { exact: 'nine percent in the south' }),
    ];
    expect(await accept(author.caller, story, id)).toMatchObject({ status: 403 });
    const accepted = await accept(editor, story, id);
    const content = texts(['a', WORDS.replace('five percent', 'a twentieth')]);
    expect(accepted).toMatchObject({
      status: 200,
      body: { commentId: id, resolution: 'accepted', section: { editSeq: 2, content } },
    });
    const again = await accept(api.as('owner'), story, id);
    expect(again.body).toEqual(accepted.body);
    expect(await threadOf(editor, story, id)).toMatchObject({
      resolution: 'accepted',
      resolvedAt: accepted.body.resolvedAt,
      context: { replacement: 'a twentieth', quote: { exact: 'five percent' } },
    });
    expect(await threadOf(editor, story, other)).toMatchObject({ anchor: { state: 'anchored' } });
    const member = (await readMembers(api.table, api.workspaceId, [author.userId])).get(author.userId)!;
    const { items } = await notificationReader(api.table).list(member, { limit: 10 });
    expect(items.map(({ kind }) => kind)).toContain('story-suggestion-accepted');
    expect(items.filter(({ kind }) => kind === 'story-suggestion-accepted')).toHaveLength(1);
    const { items: log } = (await editor.get(`${story.path}/activity`)).body;
    expect(log[0]).toMatchObject({ action: 'suggestion_accepted', sectionId: story.sections[0] });
    expect(await reject(editor, story, id)).toMatchObject({ status: 409, body: { code: 'SUGGESTION_ACCEPTED' } });
  });

  it('are accepted by one of many who try at the same time, with one edit', async ({ api }) => {
    const story = await givenStory(api, texts(['a', WORDS]));
    const id = await suggest(api.as('editor'), story, { exact: 'five percent', replacement: '5 %' });
    const people = [api.as('editor'), api.as('owner'), api.as('admin')];
    const replies = await Promise.all(Array.from({ length: 9 }, (_, each) => accept(people[each % 3]!, story, id)));
    for (const { status, body } of replies) expect([status, body.section.editSeq]).toEqual([200, 2]);
  });

  it('are accepted together, all or none, in their order', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', WORDS], ['b', 'Costs fell as well.']));
    const first = await suggest(editor, story, { exact: 'five percent', replacement: 'a lot' });
    const second = await suggest(editor, story, { exact: 'nine percent', replacement: '' });
    const third = await suggest(editor, story, { exact: 'Costs', replacement: 'Prices', blockId: 'b' });
    const overlapping = await suggest(editor, story, { exact: 'by five percent in', replacement: 'in' });
    const none = await acceptAll(editor, story, first, overlapping, third);
    expect(none).toMatchObject({ status: 409, body: { commentId: overlapping } });
    expect(await textOf(api, story)).toEqual(texts(['a', WORDS], ['b', 'Costs fell as well.']));
    expect(await threadOf(editor, story, first)).toMatchObject({ resolution: null });
    const all = await acceptAll(editor, story, third, second, first);
    const words = WORDS.replace('five percent', 'a lot').replace('nine percent', '');
    expect(all).toMatchObject({
      status: 200,
      body: { section: { editSeq: 2, content: texts(['a', words], ['b', 'Prices fell as well.']) } },
    });
    expect(all.body.items.map(({ commentId }: { commentId: string }) => commentId)).toEqual([third, second, first]);
    expect((await acceptAll(editor, story, third, second, first)).body).toEqual(all.body);
  });

  it('never overwrite words that have changed or are gone', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', WORDS]));
    const id = await suggest(editor, story, { exact: 'nine percent in the south', replacement: 'X' });
    await editor.patch(of(story), { content: texts(['a', WORDS.replace('nine percent', 'ten percent')]) });
    for (const reply of [await accept(editor, story, id), await acceptAll(editor, story, id)])
      expect(reply).toMatchObject({
        status: 409,
        body: { code: 'SUGGESTION_STALE', commentId: id, current: 'ten percent in the south' },
      });
    await editor.patch(of(story), { content: texts(['a', 'Nothing of that.']) });
    for (const reply of [await accept(editor, story, id), await acceptAll(editor, story, id)])
      expect(reply).toMatchObject({ status: 409, body: { code: 'QUOTE_GONE', commentId: id } });
    expect(await textOf(api, story)).toEqual(texts(['a', 'Nothing of that.']));
    await editor.patch(of(story), { content: texts(['a', WORDS]) });
    expect(await accept(editor, story, id), 'the words are back').toMatchObject({ status: 200 });
  });

  it('are rejected without a change of the text, also while another person edits', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', WORDS]));
    const id = await suggest(editor, story, { exact: 'five percent', replacement: 'X' });
    await api.as('owner').post(`${of(story)}/lock`);
    const rejected = await reject(editor, story, id);
    expect(rejected).toMatchObject({ status: 200, body: { commentId: id, resolution: 'rejected' } });
    expect((await reject(editor, story, id)).body).toEqual(rejected.body);
    expect(await textOf(api, story)).toEqual(texts(['a', WORDS]));
    expect(await threadOf(editor, story, id)).toMatchObject({ resolution: 'rejected' });
  });

  it('are bound by everything that binds an edit of the section', async ({ api }) => {
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const { content, reader } = await givenProtectedText(api, WORDS);
    const story = await givenStory(api, content);
    const id = await suggest(editor, story, { exact: 'five percent', replacement: 'X' });
    const big = 'y'.repeat(10_000);
    const ways = { accept, acceptAll: (caller: Caller, at: GivenStory, each: string) => acceptAll(caller, at, each) };
    const expectAll = async (caller: Caller, code: string, status: number, of = story, ids = id) => {
      for (const [name, send] of Object.entries(ways))
        expect(await send(caller, of, ids), name).toMatchObject({ status, body: { code } });
    };
    const missing = { ...story, sections: [idFrom('x')] };
    for (const [name, send] of Object.entries({ ...ways, reject })) {
      expect(await send(api.as('stranger'), story, id), name).toMatchObject({ body: { code: 'STORY_NOT_FOUND' } });
      expect(await send(editor, missing, id), name).toMatchObject({ body: { code: 'STORY_SECTION_NOT_FOUND' } });
      expect(await send(editor, story, idFrom('x')), name).toMatchObject({ body: { code: 'COMMENT_NOT_FOUND' } });
    }
    await owner.post(`${of(story)}/lock`);
    await expectAll(editor, 'SECTION_LOCKED', 423);
    await owner.delete(`${of(story)}/lock`);
    await editor.post(`${of(story)}/read-only`, { locked: true });
    await expectAll(editor, 'SECTION_READ_ONLY', 423);
    await editor.post(`${of(story)}/read-only`, { locked: false });
    const only = await givenGrantee(api, story, 'contributor');
    await editor.put(`${of(story)}/editors`, { userIds: [only.userId] });
    await expectAll(editor, 'SECTION_EDITORS', 403);
    await editor.put(`${of(story)}/editors`, { userIds: [] });
    await only.caller.post(`${of(story)}/lock`);
    await owner.delete(`${of(story)}/lock?force=true`);
    await expectAll(only.caller, 'LOCK_LOST', 409);
    await editor.put(`${of(story)}/visibility`, { visibility: 'data_access' });
    const other = await reader('us', 'editor');
    await expectAll(other.caller, 'SECTION_HIDDEN', 403);
    expect(await reject(other.caller, story, id)).toMatchObject({ body: { code: 'SECTION_HIDDEN' } });

    const full = await givenStory(api, texts(['a', WORDS], ...fill(25, 10_200)));
    const long = await suggest(editor, full, { exact: 'five percent', replacement: big });
    await expectAll(editor, 'STORY_TOO_LARGE', 409, full, long);
    await editor.post(`${story.path}/archive`, { archived: true });
    await expectAll(editor, 'STORY_ARCHIVED', 409);
    expect(await reject(editor, story, id)).toMatchObject({ body: { code: 'STORY_ARCHIVED' } });
    expect((await editor.get(of(full))).body).toMatchObject({ editSeq: 1 });
  });
});

/** Paragraphs that together almost fill a section. */
const fill = (count: number, length: number) =>
  Array.from({ length: count }, (_, index): [string, string] => [`f${index}`, 'x'.repeat(length)]);
