import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type AiAnswer, aiScripts } from '../../../support/ai-provider.ts';
import { type Api, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { textCard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { givenPolicy, givenProtected } from '../../../support/given/protected.ts';
import { givenShop } from '../../../support/given/shop.ts';
import { deployed } from '../../../support/setup/ask.ts';

/** A card of revenue by region whose title has the key of a script for the language model. */
async function given(api: Api, answers: AiAnswer[]) {
  const shop = await givenShop(api);
  const { id: modelId, fields, revenue } = shop;
  const title = `revenue-${randomBytes(6).toString('hex')}`;
  const query = {
    source: { kind: 'model', id: modelId },
    dimensions: [{ fieldId: fields.region, label: 'Region' }],
    measures: [{ measureId: revenue }],
  };
  const cards = await givenCards(api, [card('regions', chart(query), { title }), textCard('text')]);
  const scripts = aiScripts((await deployed()).aiProvider);
  await scripts.put(title, answers);
  const summarize = (cardId = 'regions', caller: 'editor' | 'viewer' | 'stranger' = 'editor') =>
    api.as(caller).post(`${cards.path}/cards/${cardId}/summarize`);
  return { ...cards, shop, fields, summarize, asked: () => scripts.asked(title) };
}

describe('the summary of a card', () => {
  it('is stored with the card, shown with its rows, stale when they differ, and cleared', async ({ api }) => {
    const text = 'North leads with 30.50, South has 5.25.';
    const { path, read, fields, summarize, asked } = await given(api, [{ text }]);
    expect((await read('regions')).aiSummary).toBeNull();
    const made = await summarize();
    expect(made).toMatchObject({
      status: 200,
      body: { cardId: 'regions', aiSummary: { text, model: expect.stringMatching(/./), isStale: false } },
    });
    const [question] = await asked();
    expect(JSON.stringify(question!.body)).toContain('30.50');
    expect((await read('regions')).aiSummary).toEqual(made.body.aiSummary);
    const filters = [{ fieldId: fields.region, op: 'eq', values: ['North'] }];
    expect((await read('regions', { filters })).aiSummary).toMatchObject({ text, isStale: true });
    expect((await api.as('editor').get(path)).body.cards[0]).not.toHaveProperty('aiSummary');

    const clear = () => api.as('editor').delete(`${path}/cards/regions/summarize`);
    expect([(await clear()).status, (await clear()).status]).toEqual([204, 204]);
    expect((await read('regions')).aiSummary).toBeNull();
  });

  it('contains only numbers of the rows: others are sent back once, then rejected', async ({ api }) => {
    const good = { text: 'North leads with 30.5.' };
    const wrong = { text: 'Together they made 36.75.' };
    const { read, summarize, asked } = await given(api, [wrong, good, wrong, wrong, { status: 400 }]);
    expect((await summarize()).body.aiSummary.text).toBe(good.text);
    const [, second] = await asked();
    expect(JSON.stringify(second!.body.messages)).toContain('not in the rows: 36.75');
    expect(await summarize()).toMatchObject({ status: 502, body: { code: 'AI_ANSWER_REJECTED' } });
    expect(await summarize()).toMatchObject({ status: 503, body: { code: 'AI_UNAVAILABLE' } });
    expect((await read('regions')).aiSummary.text).toBe(good.text);
  });

  it('is for editors, and for cards with rows', async ({ api }) => {
    const { path, summarize, asked } = await given(api, [{ text: 'North leads.' }]);
    const of = async (cardId: string, caller?: 'viewer' | 'stranger') => {
      const reply = await summarize(cardId, caller);
      return [reply.status, reply.body.code];
    };
    expect(await of('text')).toEqual([409, 'CARD_WITHOUT_ROWS']);
    await posted(api, `${path}/cards`, card('gone', chart({ source: { kind: 'model', id: crypto.randomUUID() } })));
    expect(await of('gone')).toEqual([422, 'CARD_UNREADABLE']);
    expect(await of('nope')).toEqual([404, 'DASHBOARD_CARD_NOT_FOUND']);
    expect(await of('regions', 'viewer')).toEqual([403, 'FORBIDDEN']);
    expect(await of('regions', 'stranger')).toEqual([404, 'DASHBOARD_NOT_FOUND']);
    const clear = async (cardId: string, caller: 'editor' | 'stranger') => {
      const reply = await api.as(caller).delete(`${path}/cards/${cardId}/summarize`);
      return [reply.status, reply.body.code];
    };
    expect(await clear('nope', 'editor')).toEqual([404, 'DASHBOARD_CARD_NOT_FOUND']);
    expect(await clear('regions', 'stranger')).toEqual([404, 'DASHBOARD_NOT_FOUND']);
    expect(await asked()).toEqual([]);
  });

  it('is neither written nor shown while the rows are protected', async ({ api }) => {
    const { model, field } = await givenProtected(api);
    const query = { source: { kind: 'model', id: model.id }, dimensions: [{ fieldId: field.name, label: 'Name' }] };
    const { path } = await givenCards(api, [card('names', chart(query))]);
    expect(await api.as('admin').post(`${path}/cards/names/summarize`)).toMatchObject({
      status: 403,
      body: {
        code: 'AI_ROWS_PROTECTED',
        errors: [{ code: 'ROW_RIGHTS', message: 'the card "names" reads the protected table people' }],
      },
    });

    const { path: cards, shop, read, summarize } = await given(api, [{ text: 'North leads.' }]);
    await summarize();
    expect((await read('regions')).aiSummary).not.toBeNull();
    const { chartSpec } = (await api.as('editor').get(`${cards}/cards`)).body.items[0];
    const other = { ...chartSpec, query: { ...chartSpec.query, measures: [] } };
    await api.as('editor').put(`${cards}/cards/regions`, { chartSpec: other });
    expect((await read('regions')).aiSummary, 'it is about another query').toBeNull();
    await api.as('editor').put(`${cards}/cards/regions`, { chartSpec });
    expect((await read('regions')).aiSummary).not.toBeNull();
    await givenPolicy(api, shop.path, { tableId: shop.customers.id, filterExpression: '[customers.name] IS NOT NULL' });
    expect(await read('regions')).toMatchObject({ rowCount: 2, aiSummary: null });
  });
});
