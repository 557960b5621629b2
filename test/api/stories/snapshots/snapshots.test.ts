import { afterAll, beforeAll, describe, expect } from 'vitest';
import { snapshotStore } from '../../../../shared/domains/stories/snapshots/index.ts';
import { cleanUpDataset } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { type Api, it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { endDue } from '../../../support/given/clean-ups.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMember } from '../../../support/given/member.ts';
import { posted } from '../../../support/given/model.ts';
import { givenReader, SECRET_ROW, setAttributes } from '../../../support/given/protected.ts';
import { givenSnapshotStory, published } from '../../../support/given/snapshots.ts';
import { cardBlock, chartBlock, doc, type GivenStory, liveBlock } from '../../../support/given/stories.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

let server: TestDatabase;
beforeAll(async () => {
  server = await openDatabase();
});
afterAll(() => server.drop());

const DAY_MS = 24 * 60 * 60 * 1000;

const stock = (api: Api, n: number) =>
  givenDataset(api, { name: 'stock', sql: `SELECT * FROM (VALUES ('a', ${n}), ('b', 2)) AS t(k, n)` });

async function snapshotOf(api: Api, ...blocks: object[]): Promise<GivenStory> {
  const story = await posted(api, '/api/stories', {
    title: 'Stock',
    mode: 'snapshot',
    sections: [{ content: doc(...blocks) }],
  });
  const [section] = story.sections as { id: string }[];
  return { id: story.id, path: `/api/stories/${story.id}`, sections: [section!.id] };
}

const byKey = (id: string) => ({
  source: { kind: 'dataset', id },
  dimensions: [{ column: 'k' }],
  measures: [{ column: 'n', aggregation: 'sum', label: 'n' }],
});
const read = (api: Api, { path }: GivenStory, body: object = {}, view = 'published') =>
  api.as('editor').post(`${path}/blocks/stock/data?view=${view}`, body);

async function cleanUpDatasets(api: Api, datasetId: string) {
  const { name, s3 } = await dataBucket(api.endpoint);
  const now = () => new Date(Date.now() + 3 * DAY_MS);
  await cleanUpDataset({ table: api.table, objects: objectStore(name, s3), now }, api.workspaceId, datasetId);
}

const versionsOf = async (api: Api, datasetId: string) =>
  (await api.as('editor').get(`/api/datasets/${datasetId}/versions`)).body.items.map(
    ({ version }: { version: number }) => version,
  );

/** The publications of the workspace that keep versions of datasets. */
const holdsOf = ({ table, workspaceId }: Api) =>
  Array.fromAsync(itemsBelow(table, workspaceKey(workspaceId, 'STORY-HOLD', '')));

/** What is stored of the data of a story. */
const storedPins = async (api: Api, { id }: GivenStory) => [
  ...(await holdsOf(api)),
  ...(await Array.fromAsync(itemsBelow(api.table, workspaceKey(api.workspaceId, `STORY-VERSION#${id}`, '')))),
];

describe('a published story with the mode snapshot', () => {
  it('shows the rows of when it was published, also filtered and in detail, while its draft shows those of now', async ({
    api,
  }) => {
    const { id } = await stock(api, 1);
    const story = await snapshotOf(api, chartBlock('stock', byKey(id)));
    expect((await published(api.as('editor'), story)).warnings).toEqual([]);
    await stock(api, 100);
    const rows = [
      ['a', '1'],
      ['b', '2'],
    ];
    const shown = await read(api, story);
    expect(shown).toMatchObject({ status: 200, body: { snapshot: { isStored: true } } });
    expect(shown.body.rows.sort()).toEqual(rows);
    const filters = [{ fieldId: 'k', op: 'eq', values: ['a'] }];
    expect((await read(api, story, { filters })).body).toMatchObject({
      rows: [['a', '1']],
      snapshot: { isStored: false },
    });
    const detail = await read(api, story, { drill: [{ to: 'rows', values: { k: 'a' } }] });
    expect(JSON.stringify(detail.body.rows)).not.toContain('100');
    expect((await read(api, story, { image: { width: 300, height: 200 } })).body.image).toMatch(/^<svg/);
    const draft = await read(api, story, {}, 'draft');
    expect(draft.body).toMatchObject({ snapshot: null, rows: expect.arrayContaining([['a', '100']]) });
    expect((await published(api.as('editor'), story)).version).toBe(2);
    expect((await read(api, story)).body.rows).toContainEqual(['a', '100']);
    expect((await api.as('editor').post(`${story.path}/versions/1/restore`)).body).toMatchObject({ mode: 'snapshot' });
    expect((await read(api, story)).body.rows).toContainEqual(['a', '100']);
  });

  it('keeps the versions that it reads, until it is published again', async ({ api }) => {
    const { id } = await stock(api, 1);
    await api.as('editor').patch(`/api/datasets/${id}`, { retention: { versions: 1, days: 0 } });
    const story = await snapshotOf(api, chartBlock('stock', byKey(id)));
    await published(api.as('editor'), story);
    await stock(api, 100);
    await stock(api, 200);
    await cleanUpDatasets(api, id);
    expect(await versionsOf(api, id)).toEqual([3, 1]);
    const filters = [{ fieldId: 'k', op: 'eq', values: ['a'] }];
    expect((await read(api, story, { filters })).body.rows).toEqual([['a', '1']]);
    await published(api.as('editor'), story);
    await endDue(api, new Date());
    await cleanUpDatasets(api, id);
    expect(await versionsOf(api, id)).toEqual([3]);
    expect((await read(api, story)).body.rows).toContainEqual(['a', '200']);
  });

  it('falls back to the stored rows when the workspace keeps too many versions', async ({ api }) => {
    const { id } = await stock(api, 1);
    const story = await snapshotOf(api, chartBlock('stock', byKey(id)));
    await published(api.as('editor'), story);
    const datasets = Array.from({ length: 200 }, () => ({ id: crypto.randomUUID(), name: 'x', version: 0 }));
    const later = { workspaceId: api.workspaceId, storyId: crypto.randomUUID(), pinsId: newId() };
    await snapshotStore(api.table).begin(later, new Date(), datasets);
    expect((await read(api, story)).body).toMatchObject({ snapshot: { isStored: true } });
    const filters = [{ fieldId: 'k', op: 'eq', values: ['a'] }];
    const filtered = await read(api, story, { filters });
    expect(filtered.body).toMatchObject({ rowCount: 2, ignoredFilters: ['k'], snapshot: { isStored: true } });
    const drilled = await read(api, story, { drill: [{ to: 'rows', values: { k: 'a' } }] });
    expect(drilled).toMatchObject({ status: 409, body: { code: 'STORY_BLOCK_NOT_KEPT' } });
  });

  it('has no rows of a block that could not be read, and says so when it is published', async ({ api }) => {
    const board = await givenCards(api, [card('gone', chart({ source: { kind: 'metric', id: crypto.randomUUID() } }))]);
    const story = await snapshotOf(
      api,
      cardBlock('stock', board.id, 'gone'),
      liveBlock('slot', { kind: 'slot', label: 'x' }),
    );
    const reply = await published(api.as('editor'), story);
    expect(reply.warnings).toMatchObject([{ code: 'ROWS_NOT_KEPT', blockId: 'stock', sectionId: story.sections[0] }]);
    expect(await read(api, story)).toMatchObject({ status: 409, body: { code: 'STORY_BLOCK_NOT_KEPT' } });
  });

  it('shows less after a policy has become narrower, or a reader has lost attributes', async ({ api }) => {
    const story = await givenSnapshotStory(api, server);
    const us = { region: 'us' };
    const by = await givenReader(api, { role: 'editor', attributes: us });
    await published(by.caller, story);
    const reader = await givenReader(api, { role: 'viewer', attributes: us });
    const names = async (block: string) => {
      const { status, body } = await reader.caller.post(`${story.path}/blocks/${block}/data`);
      return { status, text: JSON.stringify(body), code: body.code, rows: body.rows };
    };
    expect((await names('dataset-name')).rows).toEqual([[SECRET_ROW]]);
    expect((await names('database-name')).rows).toEqual([[SECRET_ROW]]);
    await setAttributes(api, reader.userId, { region: 'eu' });
    expect((await names('dataset-name')).rows).toEqual([['Ann'], ['Bob'], ['Cid']]);
    expect(await names('database-name')).toMatchObject({ status: 403, code: 'SNAPSHOT_OTHER_RIGHTS' });
    await setAttributes(api, reader.userId, us);
    const narrow = { filterExpression: '[region] IN user.attr("region") AND [region] = "nowhere"' };
    for (const [model, policy] of [
      [story.modelPath, story.policies.dataset],
      [story.desksPath, story.policies.desks],
      [story.policies.databaseModel, story.policies.database],
    ]) {
      const changed = await api.as('owner').put(`${model}/rls/${policy}`, narrow);
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    }
    for (const kind of ['dataset', 'model', 'savedQuery', 'card', 'blend']) {
      const found = await names(`${kind}-name`);
      expect(found.rows, kind).toEqual([]);
      expect(found.text).not.toContain(SECRET_ROW);
    }
    expect(await names('database-name')).toMatchObject({ status: 403, code: 'SNAPSHOT_OTHER_RIGHTS' });
  });

  it('keeps the rows of a blend, each side under its own rights of now', async ({ api }) => {
    const story = await givenSnapshotStory(api, server);
    const us = { region: 'us' };
    const by = await givenReader(api, { role: 'editor', attributes: us });
    expect(
      (await published(by.caller, story)).warnings.map(({ blockId }: { blockId?: string }) => blockId),
    ).not.toContain('blend-name');
    const reader = await givenReader(api, { role: 'viewer', attributes: us });
    const names = async () => (await reader.caller.post(`${story.path}/blocks/blend-name/data`)).body;
    expect(await names()).toMatchObject({ rows: [[SECRET_ROW, SECRET_ROW]], snapshot: { isStored: true } });
    const keys = [{ left: 'region', right: 'region' }];
    const changed = await api.as('editor').put(story.blendPath, { ...story.blend, keys });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(await names()).toMatchObject({ rows: [[SECRET_ROW, SECRET_ROW]], snapshot: { isStored: true } });
    const narrow = { filterExpression: '[region] IN user.attr("region") AND [region] = "nowhere"' };
    expect((await api.as('owner').put(`${story.desksPath}/rls/${story.policies.desks}`, narrow)).status).toBe(200);
    expect(await names()).toMatchObject({ rows: [[SECRET_ROW, null]], snapshot: { isStored: false } });
    expect((await api.as('owner').put(`${story.modelPath}/rls/${story.policies.dataset}`, narrow)).status).toBe(200);
    expect(await names()).toMatchObject({ rows: [], snapshot: { isStored: false } });
  });

  it('is hidden with its dashboard, and says whose rows are shown', async ({ api }) => {
    const story = await givenSnapshotStory(api, server);
    const by = await givenReader(api, { role: 'editor', attributes: { region: 'eu' } });
    await published(by.caller, story);
    const same = await givenReader(api, { role: 'viewer', attributes: { region: 'eu' } });
    const shown = await same.caller.post(`${story.path}/blocks/database-name/data`);
    expect(shown.body.warnings).toEqual([expect.stringMatching(/^These rows are as .+ saw them/)]);
    const { caller } = await givenMember(api).then(({ token }) => ({ caller: api.as({ token }) }));
    const board = (await api.as('editor').get('/api/dashboards')).body.items[0];
    expect((await api.as('owner').delete(`/api/dashboards/${board.id}`)).status).toBe(204);
    expect((await caller.post(`${story.path}/blocks/card-name/data`)).status).toBe(404);
  });
  it('keeps the data of one publication, whatever crashes or runs at the same time', async ({ api }) => {
    const { id } = await stock(api, 1);
    const story = await snapshotOf(api, chartBlock('stock', byKey(id)));
    const replies = await Promise.all([1, 2, 3].map(() => api.as('editor').post(`${story.path}/publish`)));
    for (const reply of replies) expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    // A request that has crashed before it published.
    const crashed = { workspaceId: api.workspaceId, storyId: story.id, pinsId: newId() };
    await snapshotStore(api.table).begin(crashed, new Date(), [{ id, name: 'stock', version: 1 }]);
    await endDue(api, new Date(Date.now() + 11 * 60_000));
    const holds = await holdsOf(api);
    expect(holds).toHaveLength(1);
    const shown = await read(api, story);
    expect(shown).toMatchObject({ status: 200, body: { rowCount: 2, snapshot: { isStored: true } } });
    const filters = [{ fieldId: 'k', op: 'eq', values: ['a'] }];
    expect((await read(api, story, { filters })).body).toMatchObject({
      rows: [['a', '1']],
      snapshot: { isStored: false },
    });
  });

  it('leaves nothing behind when the story is deleted for good', async ({ api }) => {
    const { id } = await stock(api, 1);
    await api.as('editor').patch(`/api/datasets/${id}`, { retention: { versions: 1, days: 0 } });
    const story = await snapshotOf(api, chartBlock('stock', byKey(id)));
    await published(api.as('editor'), story);
    expect((await storedPins(api, story)).length).toBeGreaterThan(3);
    await stock(api, 2);
    await api.as('editor').delete(story.path);
    await endDue(api, new Date(Date.now() + 31 * DAY_MS));
    await cleanUpDatasets(api, id);
    expect(await versionsOf(api, id)).toEqual([2]);
    expect(await storedPins(api, story)).toEqual([]);
  });
});
