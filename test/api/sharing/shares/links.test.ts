import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDashboard, POSITION, textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, issuesOf, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenProtected } from '../../../support/given/protected.ts';
import { givenEmbedToken, givenPublished, givenShare, publish, readerOf } from '../../../support/given/shares.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const SALES = `SELECT * FROM (VALUES ('North', 'Ada', 10), ('North', 'Bo', 20), ('South', 'Cy', 5)) AS t(region, person, amount)`;

describe('a share link', () => {
  it('opens the published version to readers without a sign-in, and nothing else', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'sales', sql: SALES });
    const { id, path, filterId } = await givenPublished(api, dataset.id);
    await posted(api, `${path}/cards`, textCard('draft'));
    const share = await givenShare(api, id);
    expect(share).toMatchObject({ status: 'active', hasPassword: false, viewCount: 0, allowAi: false });
    expect(share.token).toMatch(/^sh_[\w-]{32}$/);
    expect(share.url).toContain(share.token);
    const { reader } = share;

    expect(await reader.link()).toMatchObject({
      status: 200,
      body: { contentType: 'dashboard', kind: 'share', passwordRequired: false, allowExport: false, allowAi: false },
    });
    const { status, body } = await reader.post('content', {});
    expect(status).toBe(200);
    expect(body.cards.map((each: { id: string }) => each.id)).toEqual(['regions', 'total', 'text']);
    expect(body.cards[0].title).toBe('<script>alert(1)</script>');
    expect(body.filters).toMatchObject([{ id: filterId, fieldId: 'region' }]);
    // Neither queries, sources nor members.
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${dataset.id}|createdBy|query|@example`));
    expect(await reader.get('content')).toMatchObject({ status: 200, body });

    expect(await reader.rows('regions')).toEqual([
      ['North', '30'],
      ['South', '5'],
    ]);
    const north = { op: 'eq', values: ['North'] };
    expect(await reader.rows('regions', { filters: [{ filterId, ...north }] })).toEqual([['North', '30']]);
    expect(await reader.rows('total', { filters: [{ fieldId: 'region', ...north }] })).toEqual([['30']]);
    expect(await reader.rows('regions', { limit: 1 })).toHaveLength(1);
    for (const distinctColumn of ['region', 'Region'])
      expect(await reader.rows('regions', { distinctColumn })).toEqual([['North'], ['South']]);
    expect(await reader.rows('regions', { distinctColumn: 'region', limit: 1 })).toEqual([['North']]);

    // Fields that no card shows are no way to find out their values.
    const probe = { fieldId: 'person', op: 'eq', values: ['Ada'] };
    expect(issuesOf(await reader.post('card-data', { cardId: 'total', filters: [probe] }))).toEqual([
      '/filters/0/fieldId UNKNOWN',
    ]);
    const empty = {
      filters: [
        { filterId, ...north },
        { fieldId: 'region', op: 'eq', values: [] },
      ],
    };
    expect(issuesOf(await reader.post('card-data', { cardId: 'total', ...empty }))).toEqual([
      '/filters/1/values INVALID',
    ]);
    expect(issuesOf(await reader.post('card-data', { cardId: 'regions', distinctColumn: 'person' }))).toEqual([
      '/distinctColumn UNKNOWN',
    ]);
    const missing = { status: 404, body: { code: 'DASHBOARD_CARD_NOT_FOUND' } };
    for (const cardId of ['draft', 'elsewhere'])
      expect(await reader.post('card-data', { cardId })).toMatchObject(missing);
    expect(await reader.post('card-image', { cardId: 'draft' })).toMatchObject(missing);
    expect(await reader.post('model-card-data', { cardId: 'regions' })).toMatchObject(missing);
    for (const operation of ['card-data', 'card-image', 'model-card-data'])
      expect(await reader.post(operation, { cardId: 'text' })).toMatchObject({ body: { code: 'CARD_WITHOUT_ROWS' } });

    expect(
      await reader.post('events', { events: [{ type: 'filter', cardId: 'total' }, { type: 'view' }] }),
    ).toMatchObject({
      status: 200,
      body: { recorded: 2 },
    });
    const another = { headers: { 'user-agent': 'Another browser' } };
    const opening = `/api/shares/${share.token}/content`;
    for (const _again of ['first', 'second'])
      expect((await api.as('anonymous').post(opening, {}, another)).status).toBe(200);
    const [listed] = (await api.as('owner').get(`/api/shares?contentId=${id}`)).body.items;
    expect(listed).toMatchObject({ id: share.id, viewCount: 2, lastAccessedAt: expect.any(String) });
    expect(listed).not.toHaveProperty('token');
    expect(JSON.stringify(listed)).not.toContain(share.token);
    expect((await api.as('owner').get(`/api/shares?contentId=${UNKNOWN}`)).body.total).toBe(0);

    expect((await api.as('editor').put(path, { isPublished: false })).status).toBe(200);
    expect(await reader.link()).toMatchObject({ status: 404, body: { code: 'SHARE_NOT_FOUND' } });
    await api.as('editor').put(path, { isPublished: true });

    expect((await api.as('owner').delete(`/api/shares/${share.id}`)).status).toBe(204);
    const gone = await reader.link();
    const unknown = await readerOf(api, `sh_${'A'.repeat(32)}`).link();
    for (const reply of [gone, unknown])
      expect(reply).toMatchObject({ status: 404, body: { code: 'SHARE_NOT_FOUND' } });
    const { requestId: _one, instance: _first, ...goneBody } = gone.body;
    const { requestId: _two, instance: _second, ...unknownBody } = unknown.body;
    expect(goneBody).toEqual(unknownBody);
    const calls: [string, object][] = [
      ['content', {}],
      ['card-data', { cardId: 'regions' }],
      ['card-image', { cardId: 'regions' }],
      ['card-file', { cardId: 'regions' }],
      ['model-card-data', { cardId: 'regions' }],
      ['report-block-data', { blockId: 'regions' }],
      ['ask', { message: 'Why?' }],
      ['events', { events: [{ type: 'view' }] }],
    ];
    for (const [operation, body] of calls)
      expect(await reader.post(operation, body), operation).toMatchObject({ body: { code: 'SHARE_NOT_FOUND' } });
    expect(await reader.get('content')).toMatchObject({ body: { code: 'SHARE_NOT_FOUND' } });
    expect(await api.as('owner').delete(`/api/shares/${share.id}`)).toMatchObject({
      body: { code: 'SHARE_NOT_FOUND' },
    });
    expect(await api.as('owner').put(`/api/shares/${share.id}/ai`, { allowAi: true })).toMatchObject({
      body: { code: 'SHARE_NOT_FOUND' },
    });
  });

  it('shows no more rows of a card, and no finer ones, whatever its readers ask for', async ({ api }) => {
    const sales = await givenDataset(api, {
      name: 'sales',
      sql: `SELECT * FROM (VALUES ('Ada', 10, 31, DATE '2026-01-05'), ('Bo', 20, 38, DATE '2026-01-07'), ('Cy', 5, 44, DATE '2026-02-01'))
        AS t(person, amount, age, day)`,
    });
    const source = { kind: 'dataset', id: sales.id };
    const measures = [{ column: 'amount', aggregation: 'sum', label: 'Amount' }];
    const shown = (cardId: string, query: object) => card(cardId, chart({ source, measures, ...query }));
    const { id, path } = await givenCards(api, [
      shown('best', {
        dimensions: [{ column: 'person' }],
        sort: [{ column: 'Amount', direction: 'desc' }],
        limit: 1,
      }),
      shown('large', {
        dimensions: [{ column: 'person', label: 'Person' }],
        resultFilters: [{ column: 'Amount', op: 'gte', values: [10] }],
      }),
      shown('summed', {
        dimensions: [{ column: 'person', label: 'Person' }],
        resultFilters: [{ column: 'Amount', op: 'gte', values: [10] }],
        totals: 'grand',
      }),
      shown('shares', {
        dimensions: [{ column: 'person', label: 'Person' }],
        measures: [...measures, { expression: 'SHARE(SUM([amount]))', label: 'Share' }],
        resultFilters: [{ column: 'Amount', op: 'gte', values: [10] }],
      }),
      shown('months', { dimensions: [{ column: 'day', grain: 'month', label: 'Month' }] }),
      shown('ages', { dimensions: [{ column: 'age', bin: { width: 10 } }] }),
    ]);
    await publish(api, path);
    const { reader } = await givenShare(api, id);
    const distinct = (cardId: string, distinctColumn: string) => reader.rows(cardId, { distinctColumn });
    expect(await distinct('best', 'person')).toEqual([['Bo']]);
    expect(await distinct('large', 'Person')).toEqual([['Ada'], ['Bo']]);
    expect(await distinct('months', 'Month')).toEqual([['2026-01-01'], ['2026-02-01']]);
    expect(await distinct('months', 'day')).toEqual([['2026-01-01'], ['2026-02-01']]);
    expect(await distinct('ages', 'age')).toEqual([[30], [40]]);
    const probes: [string, object][] = [
      ['best', { fieldId: 'person', op: 'ne', values: ['Bo'] }],
      // Of Cy, who is left out, a total or a share would show the amount.
      ['summed', { fieldId: 'person', op: 'eq', values: ['Cy'] }],
      ['shares', { fieldId: 'person', op: 'in', values: ['Ada', 'Cy'] }],
      ['months', { fieldId: 'day', op: 'eq', values: ['2026-01-05'] }],
      ['ages', { fieldId: 'age', op: 'eq', values: [31] }],
    ];
    for (const [cardId, probe] of probes)
      expect(issuesOf(await reader.post('card-data', { cardId, filters: [probe] })), cardId).toEqual([
        '/filters/0/fieldId UNKNOWN',
      ]);
    const ada = { fieldId: 'person', op: 'eq', values: ['Ada'] };
    expect(await reader.rows('large', { filters: [ada] })).toEqual([['Ada', '10']]);

    // A filter of the dashboard is an offer of its author: it lists and applies to all values.
    await posted(api, `${path}/filters`, { fieldId: 'person', filterType: 'select', label: 'Person' });
    await publish(api, path);
    expect(await distinct('best', 'person')).toEqual([['Ada'], ['Bo'], ['Cy']]);
    expect(await reader.rows('best', { filters: [ada] })).toEqual([['Ada', '10']]);
  });

  it('shows no addresses and dashboards that the cards lead members to', async ({ api }) => {
    const sales = await givenDataset(api, { name: 'sales', sql: SALES });
    const other = await givenDashboard(api);
    const query = { source: { kind: 'dataset', id: sales.id }, dimensions: [{ column: 'person', label: 'Person' }] };
    const links = [
      { title: 'Customer', url: 'https://crm.example.com/people/{Person}' },
      { title: 'Details', dashboardId: other.id },
    ];
    const look = { mark: { type: 'table' } };
    const { id, path } = await givenCards(api, [
      card('linked', chart(query, { ...look, config: { links } })),
      card('both', chart(query, { ...look, config: { links, grid: false } })),
    ]);
    await publish(api, path);
    const { reader } = await givenShare(api, id);
    const { body } = await reader.post('content', {});
    expect(body.cards.map(({ chartSpec }: { chartSpec: object }) => chartSpec)).toEqual([
      { version: 1, ...look },
      { version: 1, ...look, config: { grid: false } },
    ]);
  });

  it('draws cards in the theme of its dashboard, or in the default theme of the workspace', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'sales', sql: SALES });
    const { id, path } = await givenPublished(api, dataset.id);
    const { reader } = await givenShare(api, id);
    const theme = { palette: ['#123456'], fonts: { heading: 'sans', body: 'mono' }, radius: 0, dark: false };
    const font = async (body: object = {}) => {
      const drawn = await reader.post('card-image', { cardId: 'regions', ...body });
      expect(drawn.status, JSON.stringify(drawn.body)).toBe(200);
      return /ui-monospace|Georgia|Inter/.exec(drawn.bytes.toString())?.[0];
    };
    expect(await font()).toBe('Inter');
    const house = (await api.as('owner').post('/api/themes', { name: 'House', tokens: theme })).body;
    expect((await api.as('owner').post(`/api/themes/${house.id}/default`)).status).toBe(200);
    expect(await font()).toBe('ui-monospace');
    const own = JSON.stringify({ ...theme, fonts: { heading: 'sans', body: 'serif' } });
    expect((await api.as('editor').put(path, { theme: own })).status).toBe(200);
    await publish(api, path);
    expect(await font()).toBe('Georgia');
    expect(await font({ theme })).toBe('ui-monospace');
  });

  it('offers the rows of cards as files only if it allows downloads, and counts them', async ({ api }) => {
    const dataset = await givenDataset(api, {
      name: 'sales',
      sql: `SELECT * FROM (VALUES ('=1+1', 'Ada', 10), ('A "b", c', 'Bo', -20)) AS t(region, person, amount)`,
    });
    const { id, filterId } = await givenPublished(api, dataset.id);
    const closed = await givenShare(api, id);
    const file = { cardId: 'regions' };
    expect(closed).toMatchObject({ allowExport: false });
    expect(await closed.reader.post('card-file', file)).toMatchObject({
      status: 403,
      body: { code: 'SHARE_EXPORT_OFF' },
    });
    const share = await givenShare(api, id, { allowExport: true });
    const { reader } = share;
    expect((await reader.link()).body.allowExport).toBe(true);
    const reply = await reader.post('card-file', file);
    expect(reply.status).toBe(200);
    expect(reply.body).toBe('Region,Amount\r\n\'=1+1,10\r\n"A ""b"", c",-20\r\n');
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-disposition': expect.stringContaining('attachment; filename="'),
      'cache-control': 'no-store',
      'x-truncated': 'false',
    });
    const one = [{ filterId, op: 'eq', values: ['=1+1'] }];
    expect((await reader.post('card-file', { ...file, filters: one })).body).toBe("Region,Amount\r\n'=1+1,10\r\n");
    const probe = [{ fieldId: 'person', op: 'eq', values: ['Ada'] }];
    expect(issuesOf(await reader.post('card-file', { ...file, filters: probe }))).toEqual([
      '/filters/0/fieldId UNKNOWN',
    ]);
    expect(await reader.post('card-file', { cardId: 'none' })).toMatchObject({ status: 404 });
    expect((await reader.post('card-file', { cardId: 'text' })).body.code).toBe('CARD_WITHOUT_ROWS');
    await reader.post('events', { events: [{ type: 'filter' }, { type: 'filter' }, { type: 'error' }] });
    const listed = (await api.as('owner').get('/api/shares')).body.items;
    const eventsOf = (wanted: string) => listed.find((each: { id: string }) => each.id === wanted).events;
    expect(eventsOf(closed.id)).toMatchObject({ export: 0 });
    expect(eventsOf(share.id)).toEqual({ view: 0, filter: 2, select: 0, export: 2, error: 1 });

    const parameters = [{ name: 'region', value: 'South' }];
    expect(issuesOf(await reader.post('card-data', { ...file, parameters }))).toEqual(['/parameters CONFLICT']);
    const locked = [{ fieldId: 'region', op: 'eq', values: ['=1+1'] }];
    const embedded = await givenEmbedToken(api, id, { allowExport: true, lockedFilters: locked });
    expect((await embedded.reader.post('card-file', file)).body).toBe("Region,Amount\r\n'=1+1,10\r\n");
    expect((await (await givenEmbedToken(api, id)).reader.post('card-file', file)).status).toBe(403);
  });

  it('is created by admins, for published dashboards, with what its type needs', async ({ api }) => {
    const { id, path } = await givenDashboard(api);
    await posted(api, `${path}/cards`, textCard('text'));
    const create = (body: object, caller: 'owner' | 'editor' | 'stranger' = 'owner') =>
      api.as(caller).post('/api/shares', { contentType: 'dashboard', contentId: id, shareType: 'public', ...body });
    expect(await create({})).toMatchObject({ status: 409, body: { code: 'DASHBOARD_NOT_PUBLISHED' } });
    await publish(api, path);
    expect((await create({}, 'editor')).status).toBe(403);
    expect(await create({}, 'stranger')).toMatchObject({ status: 404, body: { code: 'DASHBOARD_NOT_FOUND' } });
    expect(issuesOf(await create({ shareType: 'password' }))).toEqual(['/password REQUIRED']);
    expect(issuesOf(await create({ shareType: 'rls', password: 'a password' }))).toEqual([
      '/password CONFLICT',
      '/rlsContext REQUIRED',
    ]);
    expect(issuesOf(await create({ shareType: 'rls', rlsContext: { attributes: { '1': 'a' } } }))).toEqual([
      '/rlsContext/attributes/1 ATTRIBUTE_NAME',
    ]);
    expect(issuesOf(await create({ expiresAt: '2020-01-01T00:00:00.000Z' }))).toEqual(['/expiresAt PAST']);
    expect((await api.as('owner').get('/api/shares')).body.total).toBe(0);
  });

  it('without attributes shows no protected table, also if the policy is added later', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'sales', sql: SALES });
    const staff = await givenProtected(api);
    const source = { kind: 'model', id: staff.model.id };
    const chartSpec = {
      version: 1,
      query: { source, dimensions: [{ fieldId: staff.field.name }] },
      mark: { type: 'table' },
    };
    const guarded = { id: 'guarded', cardType: 'table', position: { x: 0, y: 0, w: 1, h: 1 }, chartSpec };
    const { id, path } = await givenPublished(api, dataset.id, [guarded]);
    for (const type of [{ shareType: 'public' }, { shareType: 'password', password: 'a long password' }])
      expect(
        await api.as('owner').post('/api/shares', { contentType: 'dashboard', contentId: id, ...type }),
      ).toMatchObject({
        status: 409,
        body: {
          code: 'RLS_SHARE_REQUIRED',
          errors: [
            {
              pointer: '/contentId',
              code: 'ROW_RIGHTS',
              message: 'has the card "guarded", which reads the protected table people',
            },
          ],
        },
      });
    expect((await api.as('editor').delete(`${path}/cards/guarded`)).status).toBe(204);
    await publish(api, path);
    const { reader } = await givenShare(api, id, { allowExport: true });
    await posted(api, `${path}/cards`, guarded);
    await publish(api, path);
    const refused = { status: 409, body: { code: 'RLS_SHARE_REQUIRED' } };
    for (const operation of ['card-data', 'model-card-data', 'card-file'])
      expect(await reader.post(operation, { cardId: 'guarded' })).toMatchObject(refused);
    expect(await reader.rows('total')).toEqual([['35']]);
    await givenPolicy(api, staff.model.path, { tableId: staff.table.id });
    expect(await reader.post('card-data', { cardId: 'guarded' })).toMatchObject(refused);
    expect((await reader.post('card-data', { cardId: 'guarded' })).body.errors, 'readers learn no names').toEqual([]);
  });

  it('without attributes shows SQL cards that read no protected table, whatever else is protected', async ({ api }) => {
    const sales = await givenDataset(api, { name: 'sales', sql: SALES });
    const staff = await givenProtected(api);
    const sqlCard = async (id: string, query: object) => {
      const saved = await posted(api, '/api/saved-queries', { name: id, ...query });
      return { id, title: `Card ${id}`, cardType: 'table', position: POSITION, savedQueryId: saved.id };
    };
    const open = [
      await sqlCard('plain', { sql: 'SELECT sum(amount) AS total FROM sales' }),
      await sqlCard('named', { sql: 'SELECT count(*) AS n FROM sales', datasetIds: [sales.id] }),
      await sqlCard('called', { sql: 'WITH people AS (SELECT person FROM sales) SELECT count(*) AS n FROM people' }),
    ];
    const { id, path } = await givenCards(api, open);
    await publish(api, path);
    const { reader } = await givenShare(api, id);
    expect(await reader.rows('plain')).toEqual([['35']]);
    for (const cardId of ['named', 'called']) expect(await reader.rows(cardId)).toEqual([[3]]);

    const guarded = [
      await sqlCard('joined', { sql: 'SELECT s.region FROM sales s JOIN people p ON p.region = s.region' }),
      await sqlCard('nested', { sql: 'SELECT count(*) AS n FROM sales WHERE region IN (SELECT region FROM "People")' }),
      await sqlCard('both', {
        sql: 'WITH people AS (SELECT * FROM people) SELECT count(*) AS n FROM people',
        datasetIds: [staff.dataset.id, sales.id],
      }),
    ];
    for (const each of guarded) await posted(api, `${path}/cards`, each);
    await publish(api, path);
    const refused = await api.as('owner').post('/api/shares', {
      ...{ contentType: 'dashboard', contentId: id, shareType: 'public' },
    });
    expect(refused).toMatchObject({ status: 409, body: { code: 'RLS_SHARE_REQUIRED' } });
    expect(refused.body.errors.map(({ message }: { message: string }) => message)).toEqual(
      ['joined', 'nested', 'both'].map((each) => `has the card "Card ${each}", which reads the protected table people`),
    );
    expect(await reader.rows('plain')).toEqual([['35']]);
    for (const { id: cardId } of guarded)
      expect(await reader.post('card-data', { cardId }), cardId).toMatchObject({
        status: 409,
        body: { code: 'RLS_SHARE_REQUIRED' },
      });
    // The name now means the protected dataset.
    const other = await givenDataset(api, { name: 'earlier', sql: SALES });
    await posted(api, `${path}/cards`, await sqlCard('renamed', { sql: 'SELECT * FROM earlier' }));
    await publish(api, path);
    expect(await reader.rows('renamed')).toHaveLength(3);
    expect((await api.as('editor').patch(`/api/datasets/${other.id}`, { name: 'before' })).status).toBe(200);
    const model = await givenModel(api, { name: 'Of earlier' });
    await givenDataset(api, { name: 'earlier', sql: SALES });
    const table = await givenTable(api, model.path, 'earlier');
    await givenField(api, table.path, 'region');
    await givenPolicy(api, model.path, { tableId: table.id });
    expect((await reader.post('card-data', { cardId: 'renamed' })).body.code).toBe('RLS_SHARE_REQUIRED');
  });
});
