import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtected } from '../../../support/given/protected.ts';
import { cardBlock, chartBlock, doc, givenGrantee, givenStory, paragraph } from '../../../support/given/stories.ts';

it('a text is saved by people who may not see what its live blocks show, and the blocks stay as they are', async ({
  api,
}) => {
  const { dataset } = await givenProtected(api);
  const query = await posted(api, '/api/saved-queries', { name: 'By hand', sql: 'SELECT name FROM people' });
  const draft = await givenCards(api, [card('names', chart({ source: { kind: 'dataset', id: dataset.id } }))]);
  const blocks = [
    chartBlock('rows', { source: { kind: 'dataset', id: dataset.id } }),
    chartBlock('sql', { source: { kind: 'savedQuery', id: query.id } }),
    cardBlock('card', draft.id, 'names'),
    cardBlock('gone', crypto.randomUUID(), 'names'),
  ];
  const story = await givenStory(api, doc(paragraph('a', 'Before'), ...blocks));
  const section = `${story.path}/sections/${story.sections[0]}`;
  const stored = (await api.as('editor').get(section)).body.content.content.slice(1);
  const { caller } = await givenGrantee(api, story, 'contributor');
  expect((await caller.get(draft.path)).status).toBe(404);
  for (const blockId of ['card', 'gone'])
    expect((await caller.post(`${story.path}/blocks/${blockId}/data`)).status, blockId).toBeGreaterThanOrEqual(403);
  const saved = await caller.patch(section, { content: doc(paragraph('a', 'An hour of work'), ...blocks) });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  expect((await api.as('editor').get(section)).body.content.content).toEqual([
    paragraph('a', 'An hour of work'),
    ...stored,
  ]);
});
