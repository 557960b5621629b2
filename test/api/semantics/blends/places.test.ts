import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { ALERTS, givenAlert } from '../../../support/given/alerts.ts';
import { givenBlend, givenShopAndDesk } from '../../../support/given/blend.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, issuesOf, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';
import { chartBlock, doc, givenStory } from '../../../support/given/stories.ts';

describe('a blend is shown', () => {
  it('in reports, stories, files and alerts, each with the rows of its reader', async ({ api }) => {
    const { body, fields, desk, cases } = await givenShopAndDesk(api);
    const blend = await givenBlend(api, body);
    const query = {
      source: { kind: 'blend', id: blend.id },
      dimensions: [{ fieldId: fields.customer, label: 'Customer' }],
      measures: [
        { fieldId: fields.amount, aggregation: 'sum', label: 'Amount' },
        { fieldId: fields.minutes, aggregation: 'sum', label: 'Minutes' },
      ],
      joinType: 'inner',
    };
    const { id, path } = await givenCards(api, [card('customers', chart(query), { title: 'Customers' })]);
    const story = await givenStory(api, doc(chartBlock('customers', query)));
    const report = await posted(api, '/api/reports', {
      name: 'Customers',
      layout: {
        blocks: [
          {
            ...{ id: 'customers', type: 'table', title: 'Customers', chartSpec: chart(query) },
            bindings: [{ parameter: 'who', fieldId: fields.who }],
          },
        ],
      },
      parameters: [{ name: 'who', type: 'text' }],
    });
    const condition = {
      ...{ kind: 'field', source: { kind: 'blend', id: blend.id }, column: fields.minutes, reduce: 'sum' },
      ...{ operator: 'gt', threshold: 10 },
    };
    const alert = await givenAlert(api, { condition });
    const { source: _source, ...asked } = query;
    const grouped = {
      ...condition,
      source: { kind: 'blend', id: blend.id, query: asked },
      ...{ column: 'Minutes', reduce: 'max', threshold: 6 },
    };
    const onQuery = await givenAlert(api, { condition: grouped });

    await givenPolicy(api, desk.path, { tableId: cases.id, filterExpression: '[who] = user.attr("who")' });
    const reader = await givenReader(api, { attributes: { who: 'ada' } });
    const { caller } = reader;
    const own = [['ada', '10.00', '7']];
    const inCard = await caller.post(`${path}/cards/customers/data`, {});
    expect(inCard.body.rows, JSON.stringify(inCard.body)).toEqual(own);
    const inStory = await caller.post(`${story.path}/blocks/customers/data`, {});
    expect(inStory.body.rows, JSON.stringify(inStory.body)).toEqual(own);
    const data = (parameters: object[]) =>
      caller.post(`/api/reports/${report.id}/blocks/customers/data`, { parameters });
    expect((await data([])).body.rows).toEqual(own);
    expect((await data([{ name: 'who', value: 'bob' }])).body.rows).toEqual([]);

    const exported = (format: string) =>
      caller.post(`${path}/export`, { format, cardIds: ['customers'] }, { headers: { accept: '*/*' } });
    const csv = await exported('csv');
    expect(csv.bytes.toString()).toBe('Customer,Amount,Minutes\r\nada,10.00,7\r\n');
    const pdf = await exported('pdf');
    expect([pdf.status, pdf.headers.get('x-failed-cards')]).toEqual([200, '0']);

    const preview = async (of: object, who = caller) => {
      const reply = await who.post(`${ALERTS}/preview`, { condition: of, last: 1 });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return JSON.stringify(reply.body);
    };
    expect(await preview(condition)).toContain('"value":7');
    expect(await preview(grouped)).toContain('"value":7');
    expect(await preview(condition, api.as('owner'))).toContain(`"value":null`);
    const wrong = await caller.post(ALERTS, {
      name: 'Wrong',
      condition: { ...condition, column: fields.who, reduce: 'sum' },
    });
    expect(wrong.status).toBe(400);
    const gone = { ...condition, source: { kind: 'blend', id: '01a2287c-0000-7000-8000-000000000000' } };
    const missing = await caller.post(ALERTS, { name: 'Gone', condition: gone });
    expect(missing.status, JSON.stringify(missing.body)).toBeGreaterThanOrEqual(400);
    expect(missing.status).toBeLessThan(500);
    expect(JSON.stringify([missing.body.code, ...issuesOf(missing)])).toContain('BLEND_NOT_FOUND');

    const used = await api.as('editor').delete(blend.path);
    expect([used.status, used.body.code]).toEqual([409, 'REFERENCED']);
    const names = (found: { type: string; id: string }[]) => found.map((each) => `${each.type} ${each.id}`).sort();
    const everything = [
      `alert ${alert.id}`,
      `alert ${onQuery.id}`,
      `dashboard ${id}`,
      `report ${report.id}`,
      `story ${story.id}`,
    ];
    expect(names(used.body.referencedBy)).toEqual(everything);
    expect(names((await api.as('editor').get(blend.path)).body.usedBy)).toEqual(everything);
    // A viewer sees neither drafts nor the alerts of others.
    const viewer = await givenReader(api, { role: 'viewer' });
    expect((await viewer.caller.get(blend.path)).body.usedBy).toEqual([]);
  });

  it('in a dashboard of another workspace by the names of what it joins', async ({ api }) => {
    const { body, fields } = await givenShopAndDesk(api);
    const blend = await givenBlend(api, body);
    const query = { source: { kind: 'blend', id: blend.id }, dimensions: [{ fieldId: fields.who }] };
    const { path } = await givenCards(api, [card('people', chart(query))]);
    const { body: yaml } = await api.as('editor').get(`${path}/file`);
    for (const [kind, name] of [
      ['blend', 'Orders with cases'],
      ['model', 'Desk'],
      ['model', 'Shop'],
    ])
      expect(yaml).toMatch(new RegExp(`kind: ${kind}\\n\\s+id: .*\\n\\s+name: ${name}`));
    const imported = await api.as('editor').put(`${path}/file`, { yaml });
    expect(imported.status, JSON.stringify(imported.body)).toBe(200);
  });

  it('in a file with at most 5,000 groups, which says so', async ({ api }) => {
    const side = async (name: string) => {
      await givenDataset(api, { name, sql: 'SELECT i::BIGINT AS id FROM range(5001) AS t(i)' });
      const table = await givenTable(api, (await givenModel(api, { name })).path, name);
      return { id: table.id, field: await givenField(api, table.path, 'id', { dataType: 'integer' }) };
    };
    const [one, other] = [await side('one_side'), await side('other_side')];
    const blend = await givenBlend(api, {
      name: 'Many groups',
      ...{ leftTableId: one.id, leftAlias: 'one', rightTableId: other.id, rightAlias: 'other' },
      keys: [{ left: 'id', right: 'id' }],
    });
    const query = {
      source: { kind: 'blend', id: blend.id },
      dimensions: [{ fieldId: one.field, label: 'Id' }],
      measures: [{ fieldId: other.field, aggregation: 'count', label: 'Count' }],
    };
    const { path, read } = await givenCards(api, [
      card('all', chart(query)),
      card('chosen', chart({ ...query, limit: 2 })),
      card('filtered', chart({ ...query, filters: [{ fieldId: one.field, op: 'lt', values: [5_000] }] })),
    ]);
    expect(await read('all')).toMatchObject({ rowCount: 1_000, truncated: true });
    const file = async (cardId: string, format = 'csv') => {
      const request = { format, cardIds: [cardId] };
      const reply = await api.as('editor').post(`${path}/export`, request, { headers: { accept: '*/*' } });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return { lines: reply.bytes.toString().split('\r\n'), isTruncated: reply.headers.get('x-truncated') };
    };
    const { lines, isTruncated } = await file('all');
    expect([lines.length, lines[1], lines[5_000]]).toEqual([5_003, '0,1', '4999,1']);
    expect(lines[5_001]).toContain('5,000 of a card on a blend');
    expect(isTruncated).toBe('true');
    expect((await file('chosen')).lines).toEqual(['Id,Count', '0,1', '1,1', '']);
    expect(await file('filtered')).toMatchObject({ lines: { length: 5_002 }, isTruncated: 'false' });
    expect((await file('all', 'xlsx')).isTruncated).toBe('true');
  });
});
