import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenBlend, givenShopAndDesk } from '../../../support/given/blend.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { posted } from '../../../support/given/model.ts';
import { givenShare, publish } from '../../../support/given/shares.ts';

/** 1,100 days up to 4 January 2026, whose amounts count up from 0, and a row without a day. */
const DAYS = `SELECT DATE '2023-01-01' + n::INTEGER AS day, n::INTEGER AS amount FROM range(1100) AS t(n)
  UNION ALL SELECT NULL, 7`;

const DAY = { column: 'day', grain: 'day', label: 'Day' };
const AMOUNT = { column: 'amount', aggregation: 'sum', label: 'Amount' };
const KPI = { mark: { type: 'kpi' } };

const ends = ({ rows, rowCount, truncated }: { rows: unknown[][]; rowCount: number; truncated: boolean }) => ({
  from: rows[0],
  to: rows.at(-1),
  rowCount,
  truncated,
});
const LATEST_1000 = { from: ['2023-04-11', '100'], to: ['2026-01-04', '1099'], rowCount: 1000, truncated: true };

describe('a number of a long history', () => {
  it('is the latest one wherever its card is read', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'days', sql: DAYS });
    const query = { source: { kind: 'dataset', id }, dimensions: [DAY], measures: [AMOUNT] };
    const {
      id: dashboardId,
      path,
      read,
    } = await givenCards(api, [
      card('daily', chart(query, KPI)),
      card('gauge', chart(query, { mark: { type: 'gauge' }, encoding: { text: { field: 'Amount' } } })),
      card('rising', chart({ ...query, sort: [{ column: 'Day' }] }, KPI)),
      card('line', chart(query, { mark: { type: 'line' }, encoding: { x: { field: 'Day' }, y: { field: 'Amount' } } })),
    ]);
    for (const each of ['daily', 'gauge', 'rising']) expect(ends(await read(each)), each).toEqual(LATEST_1000);
    expect(ends(await read('line'))).toMatchObject({ from: ['2023-01-01', '0'], to: ['2025-09-26', '999'] });

    const drawn = await api.as('editor').post(`${path}/cards/daily/image`, { width: 400, height: 240 });
    const texts = [...drawn.bytes.toString().matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(texts).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Amount · .*2026/),
        '1,099',
        expect.stringMatching(/^▲ \+0\.1% since .*2026/),
        expect.stringMatching(/^▲ \+49\.7% since .*2025/),
      ]),
    );

    // A file has all rows, from the first.
    const file = await api.as('editor').post(`${path}/export`, { format: 'csv', cardIds: ['daily'] });
    const lines = file.bytes.toString().trim().split('\r\n');
    expect(lines).toHaveLength(1102);
    expect([lines[1], lines.at(-2)]).toEqual(['2023-01-01,0', '2026-01-04,1099']);

    await publish(api, path);
    const { reader } = await givenShare(api, dashboardId);
    expect((await reader.rows('daily')).at(-1)).toEqual(['2026-01-04', '1099']);
    expect(await reader.rows('daily', { limit: 2 })).toEqual([
      ['2026-01-03', '1098'],
      ['2026-01-04', '1099'],
    ]);
  });

  it('is that of the last rows of a limit, unless its author has chosen the first', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'days', sql: DAYS });
    const { id: savedId } = await posted(api, '/api/saved-queries', {
      name: 'Days',
      sql: 'SELECT day, amount FROM days ORDER BY day',
      params: [],
    });
    const { fields, body } = await givenShopAndDesk(api);
    const blend = await givenBlend(api, body);
    const filters = [{ column: 'amount', op: 'lt', values: [10] }];
    const grouped = { dimensions: [DAY], measures: [AMOUNT], filters };
    const dataset = { source: { kind: 'dataset', id }, ...grouped };
    const saved = { source: { kind: 'savedQuery', id: savedId }, ...grouped };
    const kpi = (name: string, query: object) => card(name, chart(query, KPI));
    const { path, read } = await givenCards(api, [
      kpi('dataset', { ...dataset, limit: 3 }),
      kpi('saved', { ...saved, limit: 3 }),
      kpi('blend', {
        source: { kind: 'blend', id: blend.id },
        dimensions: [{ fieldId: fields.placed, grain: 'day', label: 'Day' }],
        measures: [{ fieldId: fields.amount, aggregation: 'sum', label: 'Amount' }],
        limit: 2,
      }),
      kpi('all', dataset),
      kpi('chosen', { ...dataset, limit: 2, sort: [{ column: 'Day' }] }),
      kpi('newest', { ...dataset, limit: 2, sort: [{ column: 'Day', direction: 'desc' }] }),
      kpi('statement', { source: { kind: 'savedQuery', id: savedId }, limit: 2 }),
    ]);
    const dates = async (name: string) => (await read(name)).rows.map(([day]: unknown[]) => day);
    // The last group is that without a day.
    const last = ['2023-01-09', '2023-01-10', null];
    expect(await dates('dataset')).toEqual(['2023-01-08', '2023-01-09', '2023-01-10']);
    expect(await dates('saved')).toEqual(['2023-01-08', '2023-01-09', '2023-01-10']);
    expect(await dates('blend')).toEqual(['2026-02-02', '2026-02-03']);
    expect((await dates('all')).slice(-3)).toEqual(last);
    expect(await dates('chosen')).toEqual(['2023-01-01', '2023-01-02']);
    expect(await dates('newest')).toEqual(['2023-01-10', '2023-01-09']);
    expect(await dates('statement')).toEqual(['2023-01-01', '2023-01-02']);
    for (const name of ['dataset', 'saved']) {
      const file = await api.as('editor').post(`${path}/export`, { format: 'csv', cardIds: [name] });
      const days = file.bytes.toString().trim().split('\r\n').slice(1);
      expect(days.map((line) => line.split(',')[0])).toEqual(['2023-01-08', '2023-01-09', '2023-01-10']);
    }
  });
});
