import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenModel } from '../../../support/given/model.ts';
import { givenShare, publish } from '../../../support/given/shares.ts';
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
  await withoutAiKey(api, onTestFinished);
  for (const reply of [
    await api.as('editor').post(`${path}/measures/copilot`, { prompt: 'Revenue' }),
    await api.as('editor').post(`${path}/suggest-relationships`),
    await api.as('editor').post(`${cards.path}/cards/visits/summarize`),
    await share.reader.post('ask', { message: 'How many?' }),
  ]) {
    expect(reply).toMatchObject({ status: 503, body: { code: 'AI_NOT_CONFIGURED' } });
  }
  // What did not reach the provider does not count.
  expect((await api.as('owner').get('/api/shares')).body.items[0].aiUsedThisHour).toBe(0);
});
