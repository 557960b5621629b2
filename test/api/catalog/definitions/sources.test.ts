import { describe, expect, vi } from 'vitest';
import { definitionId } from '../../../../shared/domains/catalog/definitions/index.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Actor, type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenFileSource } from '../../../support/given/upload.ts';
import { files, PROJECT, posted } from './given.ts';
import { givenProject, program } from './project.ts';

const FILE = `name: Shop
type: postgres
config:
  host: 127.0.0.1
  database: shop
  user: reader
  ssl: false
secrets:
  password: \${SHOP_PASSWORD}
`;
const SECRET = 'hunter2-%&"';

const owner = (api: Api) => files(api, 'owner');
const putSource = (api: Api, key: string, yaml: string, secrets?: Record<string, string>, query = '') =>
  api
    .as('owner')
    .put(`/api/definitions/source/${key}?${query}`, { yaml, managedBy: PROJECT, ...(secrets && { secrets }) });
const sealed = async (api: Api, id: string) =>
  (await api.stored(workspaceKey(api.workspaceId, 'DATA-SOURCE', id)))?.sealedSecrets;

describe('a file of a data source', () => {
  it('names variables in place of secrets, whose values come with the deployment', async ({ api }) => {
    const { text, read, list } = owner(api);
    expect(await putSource(api, 'shop', FILE)).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_FAILED',
        errors: [{ pointer: '/secrets/password', code: 'SECRET_MISSING', position: { line: 9 } }],
      },
    });
    const literal = await putSource(api, 'shop', FILE.replace(/\$\{.*\}/, SECRET));
    expect(literal).toMatchObject({ status: 400, body: { errors: [{ pointer: '/secrets/password' }] } });
    expect(JSON.stringify(literal.body)).not.toContain('hunter2');
    expect((await api.as('owner').get('/api/data-sources')).body.total).toBe(0);

    expect((await putSource(api, 'shop', FILE, {}, 'dryRun=true')).body).toMatchObject({ outcome: 'created' });
    const values = { SHOP_PASSWORD: SECRET, OTHER: 'unused' };
    expect((await putSource(api, 'shop', FILE, values, 'dryRun=true')).body).toMatchObject({ outcome: 'created' });
    const made = (await putSource(api, 'shop', FILE, values)).body;
    expect(made).toMatchObject({ outcome: 'created', revision: 1 });
    expect(await text('source', 'shop')).toBe(FILE);
    const definition = (await read('source', 'shop')).body;
    expect(definition).toMatchObject({ yaml: FILE, base: FILE });
    const first = await sealed(api, made.id);
    expect(first).toMatch(/^v1\./);
    for (const shown of [made, definition, await list(), (await api.as('owner').get('/api/audit-log')).body])
      expect(JSON.stringify(shown)).not.toContain('hunter2');

    // Without a value, the source keeps what it has; a value that is sent replaces it, whatever else has changed.
    expect((await putSource(api, 'shop', FILE)).body).toMatchObject({ outcome: 'unchanged', revision: 1 });
    const renamed = FILE.replace('name: Shop', 'name: Web shop');
    expect((await putSource(api, 'shop', renamed)).body).toMatchObject({ outcome: 'changed', revision: 2 });
    expect(await sealed(api, made.id)).toBe(first);
    expect((await putSource(api, 'shop', renamed, values)).body).toMatchObject({ outcome: 'unchanged', revision: 3 });
    expect(await sealed(api, made.id)).not.toBe(first);
    const [entry] = (await list('kind=source')).items;
    expect(entry).toMatchObject({ revision: 3, digest: entry.applied.digest });
    const other = renamed.replace('SHOP_PASSWORD', 'READER_PASSWORD');
    expect((await putSource(api, 'shop', other)).body.changes).toMatchObject({ changed: ['secrets.password'] });
    expect(await text('source', 'shop')).toBe(other);

    // Secrets never go to another host without being sent again.
    expect(await putSource(api, 'shop', other.replace('127.0.0.1', '127.0.0.2'))).toMatchObject({
      status: 422,
      body: { code: 'DEFINITION_REJECTED', errors: [{ pointer: '/secrets' }] },
    });
    expect(await putSource(api, 'shop', 'name: Shop\ntype: file\n')).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
  });

  it('replaces all settings, and gets variables from the key if no file has given any', async ({ api }) => {
    const { text, deploy } = owner(api);
    const config = { host: '127.0.0.1', port: 5433, database: 'shop', user: 'reader', ssl: false };
    const { id } = await posted(api, '/api/data-sources', {
      ...{ name: '2 Shops', type: 'postgres', config, secrets: { password: SECRET } },
    });
    const file = await text('source', '2-shops');
    expect(file).toContain('_2_SHOPS_PASSWORD');
    expect(await deploy('source', '2-shops', file, 'adopt=true')).toMatchObject({ outcome: 'unchanged', id });
    const usual = file.replace('  port: 5433\n', '');
    const moved = await putSource(api, '2-shops', usual, { _2_SHOPS_PASSWORD: 'next' });
    expect(moved.body).toMatchObject({ outcome: 'changed', changes: { removed: ['config.port'] } });
    expect((await api.as('owner').get(`/api/data-sources/${id}`)).body.config).toEqual({ ...config, port: 5432 });
  });

  it('gets its secrets from the environment of the command line, and nothing of them into the folder', async ({
    api,
  }) => {
    const key = await posted(api, '/api/api-keys', { name: 'ci', scope: 'admin' });
    const run = await program(api, key.key);
    const project = givenProject({ 'sources/shop.yaml': FILE, 'datasets/orders.yaml': 'name: orders\n' });
    const plan = await run(project, ['diff', '--json']);
    expect(plan.code, plan.err).toBe(3);
    const missing = await run(project, ['deploy', '--yes']);
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('sources/shop.yaml:9:') });
    const done = await run(project, ['deploy', '--yes'], { env: { SHOP_PASSWORD: SECRET } });
    expect(done.code, done.err).toBe(0);
    expect((await run(project, ['diff'])).code).toBe(0);
    expect((await run(project, ['pull', '--overwrite'])).code).toBe(0);
    expect(project.read('sources/shop.yaml')).toBe(FILE);
    expect(JSON.stringify(project.all())).not.toContain('hunter2');

    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id' });
    project.remove('datasets/orders.yaml');
    expect(await run(project, ['deploy', '--yes', '--prune'])).toMatchObject({
      code: 1,
      out: '- dataset/orders   delete: 1 row is lost\n',
      err: expect.stringContaining('dataset/orders has data, which only --prune-data deletes'),
    });
    expect((await api.as('owner').get('/api/datasets')).body.total).toBe(1);
    expect((await run(project, ['deploy', '--yes', '--prune', '--prune-data'])).code).toBe(0);
    expect((await api.as('owner').get('/api/datasets')).body.total).toBe(0);
  });

  it('gets a secret that was rotated, also if its file has not changed', async ({ api }) => {
    const { key } = await posted(api, '/api/api-keys', { name: 'ci', scope: 'admin' });
    const run = await program(api, key);
    const project = givenProject({ 'sources/shop.yaml': FILE });
    const withSecret = (value: string) => ({ env: { SHOP_PASSWORD: value } });
    expect((await run(project, ['deploy', '--yes'], withSecret(SECRET))).code).toBe(0);
    const { id, revision } = (await api.as('owner').get('/api/data-sources')).body.items[0];
    const first = await sealed(api, id);
    for (const args of [['diff'], ['deploy', '--yes']])
      expect(await run(project, args, withSecret(SECRET)), args[0]).toMatchObject({ code: 0, out: '' });
    expect(await sealed(api, id)).toBe(first);

    const plan = await run(project, ['diff'], withSecret('rotated'));
    expect(plan).toMatchObject({ code: 3, out: '~ source/shop   new SHOP_PASSWORD\n', err: '1 to change\n' });
    const deployed = await run(project, ['deploy', '--yes'], withSecret('rotated'));
    expect(deployed).toMatchObject({ code: 0, err: expect.stringContaining('1 applied') });
    expect(deployed.out + deployed.err + plan.out).not.toMatch(/rotated|hunter2/);
    expect(await sealed(api, id)).not.toBe(first);
    expect((await api.as('owner').get(`/api/data-sources/${id}`)).body.revision).toBe(revision + 1);
    expect(await run(project, ['diff'], withSecret('rotated'))).toMatchObject({ code: 0, out: '' });
    // Without the value, there is nothing to compare.
    expect(await run(project, ['diff'])).toMatchObject({ code: 0, out: '' });

    const items = [{ kind: 'source', key: 'shop', secrets: { SHOP_PASSWORD: 'rotated', OTHER: 'x' } }];
    const compare = (actor: Actor, given: object[] = items) =>
      api.as(actor).post('/api/definitions/secrets/compare', { items: given });
    expect(await compare('owner')).toMatchObject({ status: 200, body: { items: [{ changed: [] }] } });
    const other = { ...items[0], secrets: { SHOP_PASSWORD: 'guess' } };
    // One value of a secret at a time.
    expect((await compare('owner', [other, ...items])).body.items).toEqual([
      { kind: 'source', key: 'shop', changed: [] },
    ]);
    expect((await compare('owner', [other])).body.items).toMatchObject([{ changed: ['SHOP_PASSWORD'] }]);
    // Only those who may replace a secret learn whether it is the same.
    for (const actor of ['viewer', 'editor', 'stranger'] as const)
      expect(await compare(actor), actor).toMatchObject({ status: 200, body: { items: [] } });
    const at = workspaceKey(api.workspaceId, 'DEFINITION', definitionId(api.workspaceId, 'source', 'shop'));
    const secretMarks = (await api.stored(at))?.secretMarks as Record<string, string>;
    expect(secretMarks).toEqual({ SHOP_PASSWORD: expect.stringMatching(/^v\d+\.[\w-]{43}$/) });
    expect(JSON.stringify((await files(api, 'owner').read('source', 'shop')).body)).not.toContain(
      secretMarks.SHOP_PASSWORD!,
    );
  });

  it('is only for those who may manage sources', async ({ api }) => {
    await putSource(api, 'shop', FILE, { SHOP_PASSWORD: SECRET });
    for (const actor of ['viewer', 'editor'] as const) {
      const caller = files(api, actor);
      const renamed = FILE.replace('name: Shop', 'name: Mine');
      expect((await caller.put('source', 'shop', renamed)).status, actor).toBe(403);
    }
    const rehearsed = await files(api, 'editor').put('source', 'shop', FILE.replace('Shop', 'Mine'), 'dryRun=true');
    expect(rehearsed).toMatchObject({ status: 200, body: { isAllowed: false } });
    expect(await files(api, 'viewer').read('source', 'shop')).toMatchObject({ status: 403 });
    expect((await files(api, 'stranger').read('source', 'shop')).status).toBe(404);
  });
});

describe('a file of a dataset', () => {
  it('has its source by key, and never its rows', async ({ api }) => {
    const sourceId = await givenFileSource(api, { 'orders.csv': 'id,day\n1,2024-01-01\n2,2024-01-02\n' }, 'Shop');
    const { deploy, text, list, put } = owner(api);
    const file = `name: orders
source:
  kind: file
  source: shop
  path: orders.csv
mode: incremental
incremental:
  cursorColumn: id
schedule:
  cron: 0 6 * * *
  enabled: false
`;
    const wrong = file.replace('source: shop', 'source: shopp');
    expect((await put('dataset', 'orders', wrong)).body.errors).toMatchObject([
      { pointer: '/source/source', code: 'UNKNOWN_KEY', position: { line: 4 } },
    ]);
    const made = await deploy('dataset', 'orders', file);
    const path = `/api/datasets/${made.id}`;
    expect((await api.as('owner').get(path)).body.source).toMatchObject({ sourceId, path: 'orders.csv' });
    await vi.waitFor(async () => expect((await api.as('owner').get(path)).body.rowCount).toBe(2), 60_000);
    // The rows that the first import has brought are no change of the settings.
    const [entry] = (await list('kind=dataset')).items;
    expect(entry).toMatchObject({ key: 'orders', digest: entry.applied.digest });
    expect(entry.revision).toBeGreaterThan(entry.applied.revision);
    expect(await text('dataset', 'orders')).toBe(file);
    expect((await deploy('dataset', 'orders', file)).outcome).toBe('unchanged');
    const full = file.replace(/mode.*schedule/s, 'schedule');
    expect((await deploy('dataset', 'orders', full)).changes.removed).toEqual(['mode', 'incremental']);
    expect((await api.as('owner').get(path)).body).toMatchObject({ mode: 'full', incremental: null, rowCount: 2 });
    expect((await deploy('dataset', 'orders', 'name: orders\nschedule:\n  enabled: false\n')).outcome).toBe('changed');
    expect((await api.as('owner').get(path)).body).toMatchObject({ source: null, schedule: null, rowCount: 2 });
  });

  it('is not deleted with its rows unless that is asked for', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id UNION ALL SELECT 2' });
    await givenFileSource(api, { 'a.csv': 'a\n1\n' }, 'Files');
    await givenFileSource(api, {}, 'Empty');
    await posted(api, '/api/datasets', { name: 'none' });
    const { delete: remove, list } = owner(api);
    for (const [kind, key] of [
      ['dataset', 'orders'],
      ['source', 'files'],
    ] as const) {
      const refused = await remove(kind, key);
      expect(refused, key).toMatchObject({ status: 409, body: { code: 'DEFINITION_HAS_DATA' } });
    }
    expect((await remove('dataset', 'orders')).body.detail).toContain('2 rows');
    expect((await list()).total).toBe(4);
    expect((await remove('dataset', 'none')).status).toBe(204);
    expect((await remove('source', 'empty')).status).toBe(204);
    expect((await remove('dataset', 'orders', 'withData=true')).status).toBe(204);
    expect((await remove('source', 'files', 'withData=true')).status).toBe(204);
    expect((await list()).total).toBe(0);
  });
});
