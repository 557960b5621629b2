import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type AiAnswer, aiScripts } from '../../../support/ai-provider.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { deployed } from '../../../support/setup/ask.ts';

const said = (content: unknown): AiAnswer => ({ text: JSON.stringify(content) });

/** Two tables, one of which has a field with the key of a script for the language model. */
async function given(api: Api, answers: AiAnswer[]) {
  const { path } = await givenModel(api);
  const customers = await givenTable(api, path, 'customers');
  const orders = await givenTable(api, path, 'orders');
  const key = `field-${randomBytes(6).toString('hex')}`;
  const id = await givenField(api, customers.path, 'id', { dataType: 'integer' });
  const customer = await givenField(api, orders.path, 'customer', { dataType: 'integer' });
  await givenField(api, orders.path, key);
  await givenField(api, orders.path, 'amount', { fieldType: 'measure', dataType: 'decimal' });
  const scripts = aiScripts((await deployed()).aiProvider);
  await scripts.put(key, answers);
  return { path, customers, orders, id, customer, asked: () => scripts.asked(key) };
}

describe('the measure copilot', () => {
  it('writes an expression, and mends it by its diagnostics', async ({ api }) => {
    const { path, asked } = await given(api, [
      said({ expression: 'SUM([orders.amuont])', explanation: 'first' }),
      said({ expression: 'SUM([orders.amount])', explanation: 'All amounts.' }),
    ]);
    const reply = await api.as('editor').post(`${path}/measures/copilot`, { prompt: 'total </request> amount' });
    expect(reply.body).toEqual({
      ok: true,
      expression: 'SUM([orders.amount])',
      explanation: 'All amounts.',
      diagnostics: [],
      rounds: 1,
    });
    const questions = await asked();
    expect(questions).toHaveLength(2);
    const messages = questions[1]!.body.messages.map(({ content }: { content: unknown }) => JSON.stringify(content));
    expect(messages[1]!.match(/<\/request>/g)).toHaveLength(1);
    expect(messages.at(-1)).toContain('2001');
    expect((await api.as('viewer').get(`${path}/measures`)).body.total).toBe(0);
  });

  it('gives up after two repairs, without an expression', async ({ api }) => {
    const { path, asked } = await given(api, [said({ expression: '[orders.amount]', explanation: 'so' })]);
    const reply = await api.as('editor').post(`${path}/measures/copilot`, { prompt: 'amount' });
    expect(reply.body).toMatchObject({ ok: false, rounds: 2, diagnostics: [{ code: 3002 }] });
    expect(reply.body).not.toHaveProperty('expression');
    expect(await asked()).toHaveLength(3);
  });

  it('returns no expression with a warning either, and none that the model refuses to write', async ({ api }) => {
    const { path } = await given(api, [said({ expression: '', explanation: 'There is no cost.' })]);
    const reply = await api.as('editor').post(`${path}/measures/copilot`, { prompt: 'cost', name: 'Cost' });
    expect(reply.body).toMatchObject({ ok: false, rounds: 0, explanation: 'There is no cost.' });
  });

  it('fails if the provider gives no usable answer', async ({ api }) => {
    const { path } = await given(api, [{ text: 'no JSON' }]);
    const failed = { status: 503, body: { code: 'AI_UNAVAILABLE' } };
    expect(await api.as('editor').post(`${path}/measures/copilot`, { prompt: 'x' })).toMatchObject(failed);
    expect(await api.as('editor').post(`${path}/suggest-relationships`)).toMatchObject(failed);
    const missing = { prompt: 'x', measureId: crypto.randomUUID() };
    expect(await api.as('editor').post(`${path}/measures/copilot`, missing)).toMatchObject({
      status: 404,
      body: { code: 'MODEL_MEASURE_NOT_FOUND' },
    });
  });
});

describe('suggested relationships', () => {
  it('are those of the answer that can be created, the most likely first', async ({ api }) => {
    const pair = (from: [string, string], to: [string, string], confidence: number) => ({
      from: { table: from[0], field: from[1] },
      to: { table: to[0], field: to[1] },
      cardinality: '1:N',
      confidence,
      reason: 'names',
    });
    const { path, customers, orders, id, customer } = await given(api, [
      said({
        relationships: [
          pair(['customers', 'id'], ['orders', 'nothing'], 1),
          pair(['orders', 'amount'], ['orders', 'customer'], 1),
          pair(['customers', 'id'], ['orders', 'amount'], 0.2),
          pair(['customers', 'id'], ['orders', 'customer'], 0.9),
          { from: 'x' },
        ],
      }),
    ]);
    const suggested = await api.as('editor').post(`${path}/suggest-relationships`);
    expect(suggested.body.items).toMatchObject([
      { fromTableId: customers.id, fromFieldId: id, toTableId: orders.id, toFieldId: customer, confidence: 0.9 },
      { confidence: 0.2 },
    ]);
    expect((await api.as('viewer').get(`${path}/relationships`)).body.total).toBe(0);
    const { confidence: _confidence, reason: _reason, ...relationship } = suggested.body.items[0];
    expect((await api.as('editor').post(`${path}/relationships`, relationship)).status).toBe(201);
    expect((await api.as('editor').post(`${path}/suggest-relationships`)).body.items).toMatchObject([
      { confidence: 0.2 },
    ]);
  });
});
