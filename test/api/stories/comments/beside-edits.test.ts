import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { doc, givenGrantee, givenStory, paragraph, texts } from '../../../support/given/stories.ts';

const WORDS = ['Revenue grew in the north.', 'Costs fell in the south.', 'Churn stayed where it was.'];
const given = WORDS.map((words, index): [string, string] => [`b${index}`, words]);

interface Thread {
  id: string;
  content: string;
  resolvedAt: string | null;
  anchor: { state: string; text: string | null } | null;
}

describe('comments beside edits', () => {
  it('change neither the text nor its number of edits, and are the same after the page is loaded again', async ({
    api,
  }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(...given));
    const section = `${story.path}/sections/${story.sections[0]}`;
    const before = (await editor.get(section)).body;
    const { caller } = await givenGrantee(api, story, 'commenter');
    const about = { sectionId: story.sections[0], blockId: 'b1' };
    const contexts = [
      { kind: 'block', blockId: 'b1' },
      { kind: 'text', ...about, quote: { exact: 'Costs fell' } },
      { kind: 'suggestion', ...about, quote: { exact: 'in the south' }, replacement: 'everywhere' },
    ];
    for (const context of contexts) {
      const made = await caller.post('/api/comments', {
        ...{ resourceType: 'story', resourceId: story.id, content: context.kind, context },
      });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
    }
    expect((await editor.get(section)).body).toEqual(before);
    const read = async () => (await caller.get(`/api/comments/story/${story.id}`)).body.items as Thread[];
    const first = await read();
    expect(first.map(({ anchor }) => anchor?.text)).toEqual([null, 'Costs fell', 'in the south']);
    expect(await read()).toEqual(first);
  });

  it('are all kept, on their words, while others save the text again and again', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(...given));
    const section = `${story.path}/sections/${story.sections[0]}`;
    const people = await Promise.all([1, 2, 3].map(() => givenGrantee(api, story, 'commenter')));
    const comments = people.flatMap(({ caller }, person) =>
      WORDS.map(
        (words, block) => () =>
          caller.post('/api/comments', {
            ...{ resourceType: 'story', resourceId: story.id, content: `${person}.${block}` },
            context: {
              kind: 'text',
              ...{ sectionId: story.sections[0], blockId: `b${block}`, quote: { exact: words.slice(0, -1) } },
            },
          }),
      ),
    );
    const saved = async (turn: number) => {
      // An old draft without a base overwrites what others have typed, but no comments.
      const content = doc(
        ...given.map(([id, words]) => paragraph(id, words)),
        paragraph(`new-${turn}`, `Turn ${turn}.`),
      );
      return (turn % 2 === 0 ? editor : api.as('owner')).patch(section, { content });
    };
    const replies = await Promise.all(comments.flatMap((comment, turn) => [comment(), saved(turn)]));
    for (const { status, body } of replies) expect([200, 201], JSON.stringify(body)).toContain(status);
    const { items } = (await editor.get(`/api/comments/story/${story.id}`)).body as { items: Thread[] };
    const expected = people.flatMap((_, person) =>
      WORDS.map((words, block) => [`${person}.${block}`, words.slice(0, -1)]),
    );
    expect(items.map(({ content, anchor }) => [content, anchor?.text]).sort()).toEqual(expected.sort());
  });

  it('return to their words, each to its own, when a deletion is undone', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(...given));
    const section = `${story.path}/sections/${story.sections[0]}`;
    for (const [blockId, words] of given) {
      const quote = { exact: words.slice(0, 10) };
      const context = { kind: 'text', sectionId: story.sections[0], blockId, quote };
      const about = { resourceType: 'story', resourceId: story.id, content: blockId, context };
      expect((await editor.post('/api/comments', about)).status).toBe(201);
    }
    const places = async () =>
      (
        (await editor.get(`/api/comments/story/${story.id}`)).body.items as (Thread & {
          context: { blockId: string };
        })[]
      ).map(({ content, context, anchor, resolvedAt }) => [content, context.blockId, anchor?.state, resolvedAt]);
    expect((await editor.patch(section, { content: texts(['other', 'All is new.']) })).status).toBe(200);
    expect(await places()).toEqual(given.map(([id]) => [id, id, 'orphaned', null]));
    expect((await editor.get(`/api/comments/story/${story.id}?state=orphaned`)).body.total).toBe(3);
    expect((await editor.patch(section, { content: texts(...given) })).status).toBe(200);
    expect(await places()).toEqual(given.map(([id]) => [id, id, 'anchored', null]));
  });

  it('keep their place when an accepted suggestion strikes the words beside or around theirs', async ({ api }) => {
    const editor = api.as('editor');
    const words = 'Revenue grew by five percent in the north and by nine percent in the south.';
    const story = await givenStory(api, texts(['a', words]));
    const written = async (exact: string, more: object = { kind: 'text' }) => {
      const context = { sectionId: story.sections[0], blockId: 'a', quote: { exact }, ...more };
      const about = { resourceType: 'story', resourceId: story.id, content: exact, context };
      return (await editor.post('/api/comments', about)).body.id as string;
    };
    const beside = await written('nine percent in the south');
    const within = await written('five percent');
    const struck = { kind: 'suggestion', replacement: '' };
    const id = await written(' by five percent in the north and', struck);
    const accepted = await editor.post(`${story.path}/sections/${story.sections[0]}/suggestions/${id}/accept`);
    expect(accepted.body.section.content).toEqual(texts(['a', 'Revenue grew by nine percent in the south.']));
    const { items } = (await editor.get(`/api/comments/story/${story.id}?state=all`)).body as { items: Thread[] };
    const anchorOf = (thread: string) => items.find((each) => each.id === thread)?.anchor;
    expect(anchorOf(beside)).toMatchObject({ state: 'anchored', text: 'nine percent in the south' });
    expect(anchorOf(within), 'it stays as an orphan, with its words').toMatchObject({ state: 'orphaned' });
  });
});
