import { expect } from 'vitest';
import type { Api, Caller } from '../api.ts';
import type { TestDatabase } from '../postgres-database.ts';
import { givenBlend } from './blend.ts';
import { card, chart } from './cards.ts';
import { givenCatalogue } from './catalogue.ts';
import { givenDashboard } from './dashboard.ts';
import { givenMetric } from './metric.ts';
import { givenField, givenModel, posted } from './model.ts';
import { givenLabel, givenPolicy, givenProtected, givenReader, SECRET_COLUMN, SECRET_ROW } from './protected.ts';
import { cardBlock, chartBlock, doc, type GivenStory } from './stories.ts';

/** Rows that come after a story was published. */
export const LATER_ROW = 'LATER-ROW-9c1e';

const STAFF = `DROP TABLE IF EXISTS staff; CREATE TABLE staff (id int, region text, name text, salary text);
  INSERT INTO staff VALUES (1, 'eu', 'Ann', '10'), (2, 'eu', 'Bob', '20'), (3, 'eu', 'Cid', '${SECRET_COLUMN}'),
    (4, 'us', '${SECRET_ROW}', '40'), (5, 'us', '${SECRET_ROW}', '50')`;

/** The same rows in a database, with the same policy and label. */
async function givenStaff(api: Api, server: TestDatabase) {
  await server.run(STAFF);
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const source = { name: `staff ${crypto.randomUUID()}`, type: 'postgres', config, secrets: { password } };
  const sourceId: string = (await api.as('owner').post('/api/data-sources', source)).body.id;
  const text = ['text', 'string'] as const;
  await givenCatalogue(api, sourceId, {
    staff: { id: ['integer', 'integer'], region: text, name: text, salary: text },
  });
  const model = await givenModel(api, { sourceId, name: `Staff ${crypto.randomUUID()}` });
  const where = { sourceSchema: 'public', sourceTable: 'staff', alias: 'staff' };
  const { id: tableId } = await posted(api, `${model.path}/tables`, where);
  const path = `${model.path}/tables/${tableId}`;
  await givenField(api, path, 'region');
  const name = await givenField(api, path, 'name');
  const salary = await givenField(api, path, 'salary');
  await givenLabel(api, path, salary, 'Private');
  return { model, name, salary, policy: await givenProtecting(api, model.path, tableId) };
}

/** Everyone sees the rows of their region, admins all rows. */
async function givenProtecting(api: Api, model: string, tableId: string) {
  await givenPolicy(api, model, { tableId, filterExpression: 'TRUE', appliesTo: [{ type: 'role', id: 'admin' }] });
  return givenPolicy(api, model, { tableId });
}

export const KINDS = ['dataset', 'model', 'savedQuery', 'metric', 'card', 'blend', 'database'] as const;
export type Kind = (typeof KINDS)[number];

export interface SnapshotStory extends GivenStory {
  modelPath: string;
  policies: { dataset: string; desks: string; database: string; databaseModel: string };
  desksPath: string;
  blendPath: string;
  blend: object;
}

/** A story in the mode `snapshot` with the names and the salaries of protected people, from each kind of source. */
export async function givenSnapshotStory(api: Api, server: TestDatabase): Promise<SnapshotStory> {
  const { dataset, model, table, field, policy } = await givenProtected(api);
  await givenPolicy(api, model.path, {
    tableId: table.id,
    filterExpression: 'TRUE',
    appliesTo: [{ type: 'role', id: 'admin' }],
  });
  // The same people in another model, for blends with protected rows on both sides.
  const desks = await givenProtected(api, { name: 'desks' });
  await givenPolicy(api, desks.model.path, {
    tableId: desks.table.id,
    filterExpression: 'TRUE',
    appliesTo: [{ type: 'role', id: 'admin' }],
  });
  const blendBody = {
    name: 'People at desks',
    ...{ leftTableId: table.id, leftAlias: 'people', rightTableId: desks.table.id, rightAlias: 'desks' },
    keys: [{ left: 'id', right: 'id' }],
  };
  const blend = await givenBlend(api, blendBody);
  const staff = await givenStaff(api, server);
  // Definitions are checked with the rights of their authors.
  const author = await givenReader(api, { role: 'admin', attributes: { sensitivityLabels: ['Private'] } });
  const made = async (path: string, body: object) => {
    const reply = await author.caller.post(path, body);
    expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBe(201);
    return reply.body as { id: string };
  };
  const saved = (column: string) =>
    made('/api/saved-queries', { name: `All ${column}`, sql: `SELECT ${column} FROM people ORDER BY 1` });
  const [names, salaries] = [await saved('name'), await saved('salary')];
  const count = await posted(api, `${model.path}/measures`, { name: 'People', expression: 'COUNT([people.id])' });
  const metric = await givenMetric(api, {
    ...{ name: 'People', modelId: model.id, measureId: count.id, timeFieldId: field.day, grain: 'year' },
  });
  const by = (kind: string, id: string, member: object) => ({ source: { kind, id }, dimensions: [member] });
  const board = await givenDashboard(api);
  for (const column of ['name', 'salary'] as const)
    await made(`${board.path}/cards`, card(column, chart(by('model', model.id, { fieldId: field[column] }))));
  await api.as('owner').post(`${board.path}/publish`, { override: true, overrideReason: 'Read by others' });
  const blocks = [
    chartBlock('dataset-name', by('dataset', dataset.id, { column: 'name' })),
    chartBlock('dataset-salary', by('dataset', dataset.id, { column: 'salary' })),
    chartBlock('model-name', by('model', model.id, { fieldId: field.name })),
    chartBlock('model-salary', by('model', model.id, { fieldId: field.salary })),
    chartBlock('savedQuery-name', { source: { kind: 'savedQuery', id: names.id } }),
    chartBlock('savedQuery-salary', { source: { kind: 'savedQuery', id: salaries.id } }),
    chartBlock('metric-name', { source: { kind: 'metric', id: metric.id }, grain: 'year' }),
    cardBlock('card-name', board.id, 'name'),
    cardBlock('card-salary', board.id, 'salary'),
    chartBlock('blend-name', {
      source: { kind: 'blend', id: blend.id },
      dimensions: [{ fieldId: field.name }, { fieldId: desks.field.name }],
    }),
    chartBlock('blend-salary', by('blend', blend.id, { fieldId: desks.field.salary })),
    chartBlock('database-name', by('model', staff.model.id, { fieldId: staff.name })),
    chartBlock('database-salary', by('model', staff.model.id, { fieldId: staff.salary })),
  ];
  const value = { id: 'count', source: { metricId: metric.id, asOf: '2024-12-31' }, written: '0' };
  const text = { type: 'paragraph', attrs: { id: 'text' }, content: [{ type: 'value', attrs: value }] };
  const story = await posted(api, '/api/stories', {
    title: 'People',
    mode: 'snapshot',
    sections: [{ content: doc(...blocks, text) }],
  });
  const [section] = story.sections as { id: string }[];
  return {
    id: story.id,
    path: `/api/stories/${story.id}`,
    sections: [section!.id],
    modelPath: model.path,
    desksPath: desks.model.path,
    blendPath: blend.path,
    blend: blendBody,
    policies: {
      dataset: policy.id,
      desks: desks.policy.id,
      database: staff.policy.id,
      databaseModel: staff.model.path,
    },
  };
}

export async function published(caller: Caller, { path }: GivenStory) {
  const reply = await caller.post(`${path}/publish`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}
