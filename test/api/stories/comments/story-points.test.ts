import { describe, expect } from 'vitest';
import { type Caller, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { issuesOf } from '../../../support/given/model.ts';
import { givenProtected } from '../../../support/given/protected.ts';
import { cardBlock, chartBlock, doc, givenStory, liveBlock, paragraph } from '../../../support/given/stories.ts';

const row = { region: 'eu', amount: 1 };

describe('a comment on a story', () => {
  it('can be about a mark of a live block, whose values are shown while everyone may see its rows', async ({ api }) => {
    const staff = await givenProtected(api);
    const { id } = await givenDataset(api, { name: 'open', sql: "SELECT 'eu' AS region, 1 AS amount" });
    const source = { kind: 'dataset', id };
    const query = { source, dimensions: [{ column: 'region' }] };
    const board = await givenCards(api, [card('open', chart(query))]);
    const slot = liveBlock('slot', { kind: 'slot', label: 'Later' });
    const story = await givenStory(
      api,
      doc(paragraph('p', 'Text'), chartBlock('own', query), cardBlock('card', board.id, 'open'), slot),
    );
    await api.as('editor').post(`${story.path}/publish`);
    const on = (context: object) => ({ resourceType: 'story', resourceId: story.id, content: 'Why?', context });
    const mark = (blockId: string) => on({ kind: 'point', blockId, row });
    for (const blockId of ['p', 'slot'])
      expect(issuesOf(await api.as('editor').post('/api/comments', mark(blockId)))).toEqual([
        '/context/kind NOT_APPLICABLE',
      ]);
    for (const blockId of ['own', 'card'])
      expect(await api.as('viewer').post('/api/comments', mark(blockId)), blockId).toMatchObject({
        status: 201,
        body: { context: { kind: 'point', blockId, row }, warning: null },
      });
    const contexts = async (caller: Caller) =>
      (await caller.get(`/api/comments/story/${story.id}`)).body.items.map(
        ({ context }: { context: { row: unknown } }) => context.row,
      );
    for (const who of ['editor', 'viewer'] as const) expect(await contexts(api.as(who))).toEqual([row, row]);

    // Another chart may show what not everyone may see.
    const other = { source: { kind: 'dataset', id: staff.dataset.id }, dimensions: [{ column: 'name' }] };
    const changed = doc(paragraph('p', 'Text'), chartBlock('own', other), cardBlock('card', board.id, 'open'), slot);
    const section = `${story.path}/sections/${story.sections[0]}`;
    expect((await api.as('editor').patch(section, { content: changed })).status).toBe(200);
    expect(await contexts(api.as('editor'))).toEqual([null, row]);
    expect(await contexts(api.as('viewer')), 'the published chart is as it was').toEqual([row, row]);
    const warned = await api.as('editor').post('/api/comments', mark('own'));
    expect(warned).toMatchObject({ status: 201, body: { context: { row: null }, warning: 'PROTECTED_SOURCE' } });
  });

  it('says if its words or section stand next to protected rows', async ({ api }) => {
    const staff = await givenProtected(api);
    const query = { source: { kind: 'dataset', id: staff.dataset.id }, dimensions: [{ column: 'name' }] };
    const story = await givenStory(
      api,
      doc(paragraph('p', 'It was forty.'), chartBlock('names', query)),
      doc(paragraph('q', 'The weather was fine.')),
    );
    const [close, open] = story.sections;
    const written = async (context: object) => {
      const body = { resourceType: 'story', resourceId: story.id, content: 'Why?', context };
      const reply = await api.as('editor').post('/api/comments', body);
      expect(reply.status, JSON.stringify(reply.body)).toBe(201);
      return reply.body.warning;
    };
    const quote = (sectionId: string | undefined, blockId: string, exact: string) => ({
      ...{ kind: 'text', sectionId, blockId, quote: { exact } },
    });
    expect(await written(quote(close, 'p', 'forty'))).toBe('PROTECTED_SOURCE');
    expect(await written({ kind: 'section', sectionId: close })).toBe('PROTECTED_SOURCE');
    expect(await written({ kind: 'block', blockId: 'names' })).toBe('PROTECTED_SOURCE');
    expect(await written(quote(open, 'q', 'weather'))).toBeNull();
    expect(await written({ kind: 'object' })).toBeNull();
    const list = `/api/comments/section/${story.id}:${close}`;
    expect((await api.as('editor').get(list)).body).toMatchObject({ warning: 'PROTECTED_SOURCE' });
  });
});
