import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import type { Reply } from '../../../support/conformance.ts';
import { card, chart } from '../../../support/given/cards.ts';
import { givenDashboard, POSITION, textCard } from '../../../support/given/dashboard.ts';
import { givenSalesModel } from '../../../support/given/metric.ts';
import { givenModel, issuesOf, posted } from '../../../support/given/model.ts';

const YAML = 'application/yaml';
const TOKENS = { palette: ['#1f77b4'], fonts: { heading: 'serif', body: 'sans' }, radius: 8, dark: false };

interface Options {
  actor?: 'editor' | 'viewer' | 'stranger';
  dryRun?: boolean;
  headers?: Record<string, string>;
}

/** As `curl --data-binary` sends a file. */
const imported = (
  api: Api,
  path: string,
  text: string,
  { actor = 'editor', dryRun, headers }: Options = {},
): Promise<Reply> =>
  api.as(actor).send('PUT', `${path}/file${dryRun ? '?dryRun=true' : ''}`, {
    text,
    headers: { 'content-type': YAML, ...headers },
  });

const exported = async (api: Api, path: string): Promise<{ text: string; etag: string }> => {
  const reply = await api.as('editor').get(`${path}/file`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, YAML]);
  return { text: reply.body, etag: reply.headers.get('etag')! };
};

/** What an import changes, without the kinds that stay. */
const changesOf = ({ body }: Reply) =>
  Object.fromEntries(
    ['pages', 'cards', 'filters'].flatMap((kind) => {
      const { total, ...lists } = body[kind];
      const kept = Object.entries(lists).filter(([, list]) => (list as unknown[]).length > 0);
      return total === 0 ? [] : [[kind, Object.fromEntries(kept)]];
    }),
  );

/** Every kind of part and of source. */
async function givenRichDashboard(api: Api) {
  const sales = await givenSalesModel(api);
  const metric = await posted(api, '/api/metrics', sales.definition);
  const saved = await posted(api, '/api/saved-queries', { name: 'All sales', sql: 'SELECT * FROM sales' });
  const { id: themeId } = (await api.as('owner').post('/api/themes', { name: 'House', tokens: TOKENS })).body;
  const { id, path } = await givenDashboard(api, {
    description: 'Numbers\nof the month',
    theme: `{"themeId":"${themeId}"}`,
    layout: '{ "columns": 24 }',
  });
  for (const page of [
    { id: 'overview', name: 'Overview' },
    { id: 'more', name: 'More: details', isHidden: true },
  ])
    await posted(api, `${path}/pages`, page);
  const byRegion = chart({
    source: { kind: 'model', id: sales.modelId },
    dimensions: [{ fieldId: sales.fields.region, label: 'Region' }],
    measures: [{ measureId: sales.revenue }, { fieldId: sales.fields.amount, aggregation: 'max' }],
    filters: [{ fieldId: sales.fields.day, op: 'gte', values: ['2024-01-01'] }],
  });
  for (const each of [
    textCard('notes', { pageId: 'more', title: 'Read: me', textContent: 'First\n\n- yes\n' }),
    card('regions', byRegion, { pageId: 'overview' }),
    card('revenue', chart({ source: { kind: 'metric', id: metric.id } })),
    { id: 'all', cardType: 'table', position: POSITION, savedQueryId: saved.id },
  ])
    await posted(api, `${path}/cards`, each);
  const linked = { linkedCardIds: ['regions'], defaultValue: '"eu"' };
  const filter = { fieldId: sales.fields.region, filterType: 'select', label: 'Region', ...linked };
  await posted(api, `${path}/filters`, filter);
  return { ...sales, id, path, themeId, saved, metric };
}

describe('a dashboard as a file', () => {
  it('is the same in every export, changes nothing when it is imported again, and makes the same dashboard elsewhere', async ({
    api,
  }) => {
    const { path, id, themeId, saved, metric, modelId, fields, revenue } = await givenRichDashboard(api);
    const { text, etag } = await exported(api, path);
    const before = (await api.as('editor').get(path)).body;
    const again = await imported(api, path, text, { headers: { 'if-match': etag } });
    expect([again.status, changesOf(again), again.body.dashboard], JSON.stringify(again.body)).toEqual([200, {}, []]);
    expect(await api.as('editor').put(`${path}/file`, { yaml: text.replaceAll('\n', '\r\n') })).toMatchObject({
      status: 200,
      body: { dashboard: [], cards: { total: 0 } },
    });
    expect((await api.as('editor').get(path)).body).toEqual(before);
    expect(await exported(api, path)).toEqual({ text, etag });

    // As from another workspace: none of its ids exist here, and the names do.
    const ids = [themeId, saved.id, metric.id, modelId, ...Object.values(fields), revenue];
    const foreign = ids.reduce((all, each) => all.replaceAll(each, crypto.randomUUID()), text);
    const copy = await givenDashboard(api, { name: 'Copy' });
    const named = foreign.replace('name: Sales\n', 'name: Sales again\n');
    const report = await imported(api, copy.path, named);
    expect(report.status, JSON.stringify(report.body)).toBe(200);
    expect(report.body).toMatchObject({
      dryRun: false,
      dashboard: ['name', 'description', 'layout', 'theme'],
      pages: { added: ['overview', 'more'] },
      cards: { total: 4, added: ['notes', 'regions', 'revenue', 'all'] },
      filters: { total: 1 },
    });
    expect((await exported(api, copy.path)).text).toBe(text.replace('name: Sales\n', 'name: Sales again\n'));
    const read = await api.as('editor').post(`${copy.path}/cards/regions/data`, {});
    expect(read).toMatchObject({ status: 200, body: { rowCount: 3 } });
    const stable = (reply: string) => ids.reduce((all, each, index) => all.replaceAll(each, `<${index}>`), reply);
    expect(stable(text).replaceAll(before.filters[0].id, '<filter>').replaceAll(id, '<id>')).toMatchSnapshot();
  });

  it('adds, changes, moves and removes parts, which keep their history; a dry run only lists them', async ({ api }) => {
    const { path } = await givenRichDashboard(api);
    const before = (await api.as('editor').get(path)).body;
    const { text, etag } = await exported(api, path);
    const added = textCard('new');
    const changed = text
      .replace("title: 'Read: me'", 'title: Read this')
      .replace(/ {2}- id: all\n[\s\S]*?(?=^filters:)/m, `  - ${JSON.stringify(added)}\n`)
      .replace(/^filters:[\s\S]*/m, 'filters:\n  - label: Area\n    fieldId: region\n    filterType: text\n')
      .replace(
        /pages:\n( {2}- id: overview\n {4}name: Overview\n)([\s\S]*?)(?=^cards:)/m,
        (_all, first, second) => `pages:\n${second}${first}`,
      );
    const expected = {
      pages: {
        changed: [
          { id: 'more', members: ['order'] },
          { id: 'overview', members: ['order'] },
        ],
      },
      cards: { added: ['new'], changed: [{ id: 'notes', members: ['title'] }], removed: ['all'] },
      filters: { added: [expect.any(String)], removed: [before.filters[0].id] },
    };
    const dry = await imported(api, path, changed, { dryRun: true });
    expect(changesOf(dry), JSON.stringify(dry.body)).toEqual(expected);
    expect((await api.as('editor').get(path)).body).toEqual(before);
    const made = await imported(api, path, changed, { headers: { 'if-match': etag } });
    expect(changesOf(made)).toEqual(expected);
    const after = (await api.as('editor').get(path)).body;
    expect(after.pages.map(({ id }: { id: string }) => id)).toEqual(['more', 'overview']);
    expect(after.cards).toMatchObject([
      { id: 'notes', title: 'Read this', revision: 2, createdAt: before.cards[0].createdAt },
      before.cards[1],
      before.cards[2],
      { ...added, revision: 1 },
    ]);
    expect(after.hasUnpublishedChanges).toBe(true);
    // A filter without an id has the same one after each import.
    expect(changesOf(await imported(api, path, changed))).toEqual({});
    expect(await imported(api, path, text, { headers: { 'if-match': etag } })).toMatchObject({ status: 412 });
    expect((await api.as('editor').get(path)).body).toEqual(after);
  });

  it('is rejected with the place of every issue, and changes nothing then', async ({ api }) => {
    const { path, modelId } = await givenRichDashboard(api);
    const { text, etag } = await exported(api, path);
    const unknown = '01890000-0000-7000-8000-000000000000';
    const wrong = text
      .replaceAll(modelId, unknown)
      .replace('name: sales.region', 'name: sales.area')
      .replaceAll('id: overview', 'id: batch')
      .replace('pageId: more', 'pageId: moor')
      .replace('- regions', '- other')
      .replace('"columns": 24', 'columns: 24');
    const reply = await imported(api, path, wrong);
    expect(issuesOf(reply).sort(), JSON.stringify(reply.body)).toEqual(
      [
        '/cards/0/pageId UNKNOWN_PAGE',
        '/cards/1/pageId UNKNOWN_PAGE',
        '/filters/0/linkedCardIds/0 UNKNOWN_CARD',
        '/layout INVALID_JSON',
        '/pages/0/id RESERVED',
        '/sources/1/fields/2/name UNKNOWN_FIELD',
      ].sort(),
    );
    expect(reply.body.errors[0].position).toMatchObject({ line: expect.any(Number) });
    const strange = [
      `version: 1\ncards: [${JSON.stringify(card('x', chart({ source: { kind: 'dataset', id: unknown } })))}]\n`,
      'version: 1\npages: [{ id: a, name: A }, { id: a, name: B }]\n',
      `version: 1\ncards: [${JSON.stringify(textCard('x', { position: { x: 20, y: 0, w: 9, h: 1 } }))}]\n`,
      'version: 1\nsources: [{ kind: dataset, id: 01890000-0000-7000-8000-000000000000, name: None }]\n',
      'version: 1\nshares: []\n',
      'version: 1\nname: &a x\ndescription: *a\n',
      'version: 1\n__proto__: { name: x }\n',
      'version: 1\nname: !!js/function x\n',
    ];
    const replies = await Promise.all(strange.map((file) => imported(api, path, file)));
    expect(replies.map(issuesOf)).toEqual([
      ['/cards/0/chartSpec/query/source/id UNKNOWN_SOURCE'],
      ['/pages/1/id DUPLICATE'],
      ['/cards/0/position/w OUT_OF_GRID'],
      ['/sources/0/name UNKNOWN_SOURCE'],
      [expect.stringContaining('/shares ')],
      [' INVALID_YAML'],
      [' INVALID_YAML'],
      [' INVALID_YAML'],
    ]);
    expect(await exported(api, path)).toEqual({ text, etag });
  });

  it('is for editors; viewers export what was published', async ({ api }) => {
    const { path } = await givenDashboard(api);
    await givenDashboard(api, { name: 'Other' });
    await posted(api, `${path}/cards`, textCard('a'));
    expect((await api.as('editor').post(`${path}/publish`)).status).toBe(200);
    expect(await imported(api, path, 'version: 1\nname: other\n')).toMatchObject({
      status: 409,
      body: { code: 'DASHBOARD_NAME_TAKEN' },
    });
    // JSON is YAML as well.
    const asJson = (file: object) => api.as('editor').put(`${path}/file`, { yaml: JSON.stringify(file) });
    const values = Array.from({ length: 400 }, () => 'x'.repeat(1000));
    const model = await givenModel(api);
    const filters = [{ fieldId: model.id, op: 'in', values }];
    const large = card('large', chart({ source: { kind: 'model', id: model.id }, filters }));
    for (const reply of [
      await api.as('editor').post(`${path}/cards`, large),
      await asJson({ version: 1, cards: [large] }),
    ])
      expect([reply.status, reply.body.code]).toEqual([409, 'DASHBOARD_TOO_LARGE']);
    const tall = 'a\n'.repeat(10_000);
    const cards = Array.from({ length: 60 }, (_, index) => textCard(`c${index}`, { textContent: tall }));
    expect((await asJson({ version: 1, cards })).status).toBe(200);
    expect(await api.as('editor').get(`${path}/file`)).toMatchObject({ body: { code: 'DASHBOARD_TOO_LARGE' } });
    const seen = await api.as('viewer').get(`${path}/file`);
    expect([seen.status, seen.body.includes('id: a\n'), seen.body.includes('id: c0')]).toEqual([200, true, false]);
    expect(await imported(api, path, 'version: 1\n', { actor: 'viewer' })).toMatchObject({ status: 403 });
    const notFound = { status: 404, body: { code: 'DASHBOARD_NOT_FOUND' } };
    expect(await imported(api, path, 'version: 1\n', { actor: 'stranger' })).toMatchObject(notFound);
    expect(await api.as('stranger').get(`${path}/file`)).toMatchObject(notFound);
    expect((await api.as('editor').delete(path)).status).toBe(204);
    expect(await imported(api, path, 'version: 1\n')).toMatchObject(notFound);
    expect(await api.as('editor').get(`${path}/file`)).toMatchObject(notFound);
  });
});
