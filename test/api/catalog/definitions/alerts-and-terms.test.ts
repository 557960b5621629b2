import { describe, expect, vi } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenAlert, givenLoad, onLoad } from '../../../support/given/alerts.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { files } from './given.ts';

const owner = (api: Api) => files(api, 'owner');

describe('a file of an alert', () => {
  it('names what it reads by keys and names', async ({ api }) => {
    const { queryId, dataset } = await givenLoad(api);
    const sales = await givenSalesModel(api);
    const metric = await givenMetric(api, { ...sales.definition, grain: 'month' });
    const above = { operator: 'gt', threshold: 1 };
    const board = await givenCards(api, [card('loads', chart({ source: { kind: 'savedQuery', id: queryId } }))]);
    const conditions: object[] = [
      onLoad(queryId),
      {
        ...{ kind: 'field', column: sales.fields.amount, reduce: 'avg', by: { column: sales.fields.region }, ...above },
        source: { kind: 'model', id: sales.modelId },
      },
      { kind: 'metric', metricId: metric.id, by: { column: sales.fields.region }, ...above },
      {
        ...{ kind: 'field', column: 'load', reduce: 'any_row', ...above },
        source: { kind: 'card', id: 'loads', dashboardId: board.id },
      },
      { kind: 'field', source: { kind: 'dataset', id: dataset.id }, column: 'load', reduce: 'sum', ...above },
    ];
    const { text, deploy } = owner(api);
    const ids = [queryId, sales.modelId, sales.fields.amount, sales.fields.region, metric.id, board.id, dataset.id];
    const shown: string[] = [];
    for (const [index, condition] of conditions.entries()) {
      const alert = await givenAlert(api, { name: `Alert ${index}`, condition });
      const file = await text('alert', `alert-${index}`);
      shown.push(file);
      for (const id of ids) expect(file).not.toContain(id);
      expect(await deploy('alert', `alert-${index}`, file, 'adopt=true')).toMatchObject({
        outcome: 'unchanged',
        id: alert.id,
      });
      const copy = await deploy('alert', `copy-${index}`, file.replace('name: Alert', 'name: Copy'));
      expect((await api.as('editor').get(`/api/dashboard-alerts/${copy.id}`)).body.condition).toEqual(
        (await api.as('editor').get(alert.path)).body.condition,
      );
    }
    expect(shown[1]).toContain("column: '@model/sales/field/sales.amount'");
    expect(shown[2]).toContain('metric: revenue');
    expect(shown[2]).toContain("column: '@model/sales/field/sales.region'");
    expect(shown[3]).toContain('dashboard: cards-');
  });

  it('keeps people, addresses and the owner, and starts anew only with another condition', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const reader = await givenMember(api);
    const channels = { inApp: { userIds: [reader.userId], followers: false }, event: false };
    const alert = await givenAlert(api, { name: 'Load', condition: onLoad(queryId), channels });
    const stored = async () => (await api.as('editor').get(alert.path)).body;
    const { text, deploy } = owner(api);
    const file = await text('alert', 'load');
    expect(file).not.toContain(reader.userId);
    expect(file).toContain('followers: false');
    await deploy('alert', 'load', file, 'adopt=true');
    await deploy('alert', 'load', `${file}severity: critical\n`.replace('onRefresh: false\n', ''));
    expect(await stored()).toMatchObject({
      ...{ severity: 'critical', onRefresh: true, ownerId: alert.ownerId },
      channels: { inApp: { userIds: [reader.userId], followers: false }, event: false },
    });
    await deploy('alert', 'load', file.replace('followers: false', 'followers: true'));
    expect((await stored()).channels.inApp).toEqual({ userIds: [reader.userId], followers: true });
  });

  it('reads rows under the rights that its own operation gives it', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    await givenAlert(api, { name: 'Load', condition: onLoad(queryId) });
    const file = await owner(api).text('alert', 'load');
    const other = file.replace('name: Load', 'name: Other');
    // Only admins let an alert read the rows of its owner, and viewers have alerts for themselves alone.
    expect(await files(api, 'editor').put('alert', 'other', `${other}runAs: owner\n`)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    const viewer = files(api, 'viewer');
    expect((await viewer.put('alert', 'other', other)).status).toBe(403);
    const own = await viewer.deploy('alert', 'other', `${other}channels:\n  event: false\n`);
    const { id: userId } = (await api.as('viewer').get('/api/auth/me')).body.user;
    expect((await api.as('editor').get(`/api/dashboard-alerts/${own.id}`)).body).toMatchObject({
      ownerId: userId,
      runAs: 'recipients',
    });
  });

  it('is not made a second time by a caller who cannot see it any more', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    await givenAlert(api, { name: 'Load', condition: onLoad(queryId) });
    const file = (await owner(api).text('alert', 'load')).replace('name: Load', 'name: Mine');
    const own = `${file}channels:\n  event: false\n`;
    const viewer = files(api, 'viewer');
    const { id } = await viewer.deploy('alert', 'mine', own);
    const { id: ownerId } = (await api.as('owner').get('/api/auth/me')).body.user;
    expect((await api.as('owner').put(`/api/dashboard-alerts/${id}`, { ownerId })).status).toBe(200);
    for (const query of ['', 'recreate=true', 'adopt=true&recreate=true', 'dryRun=true&recreate=true'])
      expect(await viewer.put('alert', 'mine', own, query), query).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
    expect((await viewer.read('alert', 'mine')).status).toBe(404);
    expect((await api.as('owner').get('/api/dashboard-alerts')).body.total).toBe(2);
  });

  it('shows no key of what a reader of the alert cannot see', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const board = await givenCards(api, [card('loads', chart({ source: { kind: 'savedQuery', id: queryId } }))]);
    const { text, deploy } = owner(api);
    const [{ key }] = (await owner(api).list('kind=dashboard')).items;
    await deploy('dashboard', 'secret-plan', (await text('dashboard', key)).replace(/name: .*/, 'name: Secret plan'));
    const { items } = await owner(api).list('kind=dashboard');
    const plan = items.find((each: { key: string }) => each.key === 'secret-plan').id;
    expect(board.id).not.toBe(plan);
    const { id: userId } = (await api.as('viewer').get('/api/auth/me')).body.user;
    expect((await api.as('owner').post(`/api/dashboards/${plan}/publish`)).status).toBe(200);
    const source = { kind: 'card', id: 'loads', dashboardId: plan };
    await givenAlert(api, {
      ...{ name: 'Load', channels: { inApp: { userIds: [userId] } } },
      condition: { ...onLoad(queryId), source },
    });
    expect(await text('alert', 'load')).toContain('dashboard: secret-plan');
    expect((await api.as('owner').put(`/api/dashboards/${plan}`, { isPublished: false })).status).toBe(200);
    await vi.waitFor(async () => {
      const seen = await files(api, 'viewer').text('alert', 'load');
      expect(seen).toContain(`dashboard: ${plan}`);
      expect(seen).not.toContain('secret');
    }, 60_000);
    expect(JSON.stringify(await files(api, 'viewer').list())).not.toMatch(/secret/i);
  });
});

describe('a file of a term', () => {
  const FILE = 'name: Revenue\ndefinition: What customers pay\ntags:\n  - finance\n';

  it('keeps owners and reviewers, and the form in which tags are stored', async ({ api }) => {
    const { deploy, text } = owner(api);
    const { userId } = await givenMember(api);
    const made = await deploy('term', 'revenue', FILE.replace('- finance', '- FINANCE\n  - Finance'));
    expect(await text('term', 'revenue')).toBe(FILE);
    const path = `/api/catalog/terms/${made.id}`;
    expect((await api.as('owner').patch(path, { ownerIds: [userId] })).status).toBe(200);
    await deploy('term', 'revenue', `${FILE}status: approved\n`);
    expect((await api.as('owner').get(path)).body).toMatchObject({ ownerIds: [userId], status: 'approved' });
  });

  it('has its relations and links to objects by key, each once', async ({ api }) => {
    const { deploy, text, put, read, list } = owner(api);
    await deploy('query', 'sales', 'name: Sales\nsql: SELECT 1\n');
    await deploy('dashboard', 'board', 'name: Board\n');
    for (const key of ['income', 'turnover']) await deploy('term', key, `name: ${key}\ndefinition: ${key}\n`);
    const file = `${FILE}relations:
  broader:
    - income
  related:
    - turnover
links:
  - query: sales
    role: means
  - dashboard: board
    role: about
`;
    expect(await deploy('term', 'revenue', file, 'dryRun=true')).toMatchObject({ outcome: 'created' });
    const { id } = await deploy('term', 'revenue', file);
    expect(await text('term', 'revenue')).toBe(file);
    expect(await deploy('term', 'revenue', file)).toMatchObject({ outcome: 'unchanged' });
    // The order of a set does not count.
    const turned = `${file.replace('  - query: sales\n    role: means\n', '')}  - query: sales\n    role: means\n`;
    expect(await deploy('term', 'revenue', turned, 'dryRun=true')).toMatchObject({ outcome: 'unchanged' });
    const path = `/api/catalog/terms/${id}`;
    expect((await api.as('owner').get(path)).body.relations).toMatchObject({
      broader: [{ name: 'income' }],
      related: [{ name: 'turnover' }],
    });
    // The other end is in no file of its own.
    expect(await text('term', 'income')).toBe('name: income\ndefinition: income\n');
    const digests = async () => {
      const { items } = await list('kind=term');
      return items.map((each: { digest: string; applied: { digest: string } }) => each.digest === each.applied.digest);
    };
    expect(await digests()).toEqual([true, true, true]);

    for (const [wrong, pointer, code] of [
      [file.replace('- turnover', '- abroad'), '/relations/related/0', 'CONFLICT'],
      [file.replace('- turnover', '- revenue'), '/relations/related/0', 'CONFLICT'],
      [file.replace('- income', '- none'), '/relations/broader/0', 'UNKNOWN_KEY'],
      [file.replace('dashboard: board', 'dashboard: none'), '/links/1/dashboard', 'UNKNOWN_KEY'],
      [file.replace('dashboard: board', 'query: sales'), '/links/1', 'DUPLICATE'],
      [file.replace('role: about', 'role: none'), '/links/1/role', 'ENUM'],
    ] as const)
      expect((await put('term', 'revenue', wrong)).body, code).toMatchObject({
        errors: expect.arrayContaining([expect.objectContaining({ pointer, code })]),
      });
    const circle = 'name: income\ndefinition: income\nrelations:\n  broader:\n    - revenue\n';
    expect(await put('term', 'income', circle)).toMatchObject({ status: 422, body: { rejectedAs: 'TERM_CYCLE' } });

    // A change of a relation or a link is drift, unless it is on the way to the file.
    const next = file.replace('    - turnover\n', '    - turnover\n    - zone\n').replace('role: about', 'role: means');
    const zone = await deploy('term', 'zone', 'name: zone\ndefinition: zone\n');
    const board = (await api.as('owner').get(`${path}/links`)).body.items.find(
      ({ type }: { type: string }) => type === 'dashboard',
    );
    await api.as('owner').put(`${path}/links/dashboard/${board.objectId}`, { role: 'means' });
    expect(await digests()).toContain(false);
    expect(await put('term', 'revenue', file)).toMatchObject({ status: 412, body: { code: 'DEFINITION_DRIFTED' } });
    expect(await deploy('term', 'revenue', next)).toMatchObject({ outcome: 'changed' });
    expect(await text('term', 'revenue')).toBe(next);
    expect((await api.as('owner').delete(`${path}/relations/related/${zone.id}`)).status).toBe(204);
    expect(await put('term', 'revenue', next.replace('customers', 'people'))).toMatchObject({ status: 412 });
    const { digest } = (await read('term', 'revenue')).body;
    expect(await deploy('term', 'revenue', FILE, `overwrite=${digest}`)).toMatchObject({ outcome: 'changed' });
    expect(await text('term', 'revenue')).toBe(FILE);
    expect((await api.as('owner').get(`${path}/links`)).body.total).toBe(0);
    // Relations of an approved term are changed by its reviewers.
    await deploy('term', 'revenue', `${FILE}status: approved\n`);
    const related = `${FILE}status: approved\nrelations:\n  related:\n    - turnover\n`;
    expect(await files(api, 'editor').put('term', 'revenue', related)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', detail: expect.stringContaining('reviewers of the term') },
    });
  });

  it('is only proposed by those who may not approve it', async ({ api }) => {
    const approved = `${FILE}status: approved\n`;
    const { id } = await owner(api).deploy('term', 'revenue', approved);
    const editor = files(api, 'editor');
    const next = approved.replace('What customers pay', 'What customers have paid');
    expect(await editor.put('term', 'revenue', next)).toMatchObject({
      status: 409,
      body: { code: 'DEFINITION_PROPOSED' },
    });
    expect(await owner(api).text('term', 'revenue')).toBe(approved);
    const [entry] = (await owner(api).list('kind=term')).items;
    expect(entry.applied.digest).toBe(entry.digest);
    const path = `/api/catalog/terms/${id}/proposals`;
    const [proposal] = (await api.as('owner').get(path)).body.items;
    expect((await api.as('owner').post(`${path}/${proposal.id}/accept`)).status).toBe(200);
    expect(await editor.deploy('term', 'revenue', next)).toMatchObject({ outcome: 'unchanged' });
    expect((await files(api, 'viewer').put('term', 'revenue', next)).status).toBe(403);
    expect((await files(api, 'stranger').read('term', 'revenue')).status).toBe(404);
  });
});
