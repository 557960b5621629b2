import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

const STEPS = `SELECT * FROM (VALUES ('Visit', 1000), ('Basket', 400), ('Payment', 100)) t(step, people)`;

describe('cards with kinds of charts of their own', () => {
  it('are drawn with the values of their rows', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'steps', sql: STEPS });
    const query = {
      source: { kind: 'dataset', id },
      dimensions: [{ column: 'step', label: 'Step' }],
      measures: [{ column: 'people', aggregation: 'sum', label: 'People' }],
      sort: [{ column: 'People', direction: 'desc' }],
    };
    const { path } = await givenCards(api, [
      card(
        'funnel',
        chart(query, { mark: { type: 'funnel' }, encoding: { y: { field: 'Step' }, x: { field: 'People' } } }),
      ),
    ]);
    const drawn = await api.as('editor').post(`${path}/cards/funnel/image`, { width: 400, height: 240 });
    expect(drawn.status).toBe(200);
    const labels = [...drawn.bytes.toString().matchAll(/aria-label="(Step: [^"]*)" data-row="(\d)"/g)].map(
      ([, label, row]) => [row, label],
    );
    expect(labels).toEqual([
      ['0', 'Step: Visit; People: 1,000; Of the first: 100%'],
      ['1', 'Step: Basket; People: 400; Of the first: 40%; Of the one before: 40%'],
      ['2', 'Step: Payment; People: 100; Of the first: 10%; Of the one before: 25%'],
    ]);
  });
});
