import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { givenModel } from '../../../support/given/model.ts';
import { givenShare, publish } from '../../../support/given/shares.ts';
import { doc, givenStory, valueParagraph } from '../../../support/given/stories.ts';
import { withoutAiKey } from '../../../support/without-ai-key.ts';

it('answers nothing by a language model while the deployment has no key for its provider', async ({
  api,
  onTestFinished,
}) => {
  const { path } = await givenModel(api);
  const { id: datasetId } = await givenDataset(api, { name: 'visits', sql: 'SELECT 1 AS n' });
  const cards = await givenCards(api, [
    card('visits', chart({ source: { kind: 'dataset', id: datasetId }, dimensions: [{ column: 'n' }] })),
  ]);
  await publish(api, cards.path);
  const share = await givenShare(api, cards.id);
  await api.as('owner').put(`/api/shares/${share.id}/ai`, { allowAi: true });
  const { definition } = await givenSalesModel(api, 'Figures');
  const metric = await givenMetric(api, definition);
  const story = await givenStory(api, doc(valueParagraph('p', 'v', '1', 'It is ', metric.id)));
  await withoutAiKey(api, onTestFinished);
  for (const reply of [
    await api.as('editor').post(`${path}/measures/copilot`, { prompt: 'Revenue' }),
    await api.as('editor').post(`${path}/suggest-relationships`),
    await api.as('editor').post(`${cards.path}/cards/visits/summarize`),
    await share.reader.post('ask', { message: 'How many?' }),
    await api.as('editor').post('/api/stories/ai/outline', { goal: 'Sales' }),
    await api.as('editor').post(`${story.path}/ai/next`),
    await api.as('editor').post(`${story.path}/ai/rewrite`, { text: 'Sales', action: 'fix' }),
    await api.as('editor').post(`${story.path}/sections/${story.sections[0]}/ai/refresh`, {
      paragraphs: [{ blockId: 'p', text: 'It is {{v}}.' }],
      changes: [{ valueId: 'v', from: '1', to: '2' }],
    }),
  ]) {
    expect(reply).toMatchObject({ status: 503, body: { code: 'AI_NOT_CONFIGURED' } });
  }
  // What did not reach the provider does not count.
  expect((await api.as('owner').get('/api/shares')).body.items[0].aiUsedThisHour).toBe(0);
});
