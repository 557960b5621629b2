import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { definitionId, definitionRepository, digestOf } from '../../../../shared/domains/catalog/definitions/index.ts';
import { savedQueryRepository } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { uniqueKey, workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from './given.ts';
import { givenProject, givenProxy, program } from './project.ts';

const ORDERS = '# The orders of a day\nname: Orders\nfolder: finance\nsql: SELECT 1 AS a\n';
const TEAM = "name: 'Team'\n";
const SHOP = { 'queries/orders.yaml': ORDERS, 'groups/team.yml': TEAM };

const owner = async (api: Api) => program(api, await api.token('owner'));
const queries = async (api: Api) => (await api.as('owner').get('/api/saved-queries?sort=name')).body.items;

describe('analytics deploy', () => {
  it('makes what the files say, and leaves every byte of them as it is', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject(SHOP);
    expect(await run(project, ['validate'])).toMatchObject({ code: 0, err: '2 files are valid.\n' });
    expect(await run(project, ['diff'])).toMatchObject({
      code: 3,
      out: '+ query/orders\n+ group/team\n',
      err: '2 to create\n',
    });
    expect(await run(project, ['deploy'])).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(await queries(api)).toEqual([]);

    const before = project.all();
    const deployed = await run(project, ['deploy', '--yes', '--commit', 'a1b2c3d']);
    expect(deployed).toMatchObject({ code: 0, err: expect.stringContaining('2 applied · 0 left alone · 0 failed') });
    expect(deployed.err).toContain(`→ (${api.endpoint})`);
    expect(await queries(api)).toMatchObject([{ name: 'Orders', folder: 'finance' }]);
    for (const args of [['diff'], ['deploy', '--yes'], ['pull'], ['validate']])
      expect(await run(project, args), args.join(' ')).toMatchObject({ code: 0 });
    expect(project.all()).toEqual(before);
    const { items } = (await api.as('owner').get('/api/definitions?project=shop')).body;
    expect(items).toMatchObject([
      { key: 'orders', managedBy: { path: 'queries/orders.yaml', commit: 'a1b2c3d' } },
      { key: 'team', managedBy: { path: 'groups/team.yml' } },
    ]);

    project.write('queries/orders.yaml', ORDERS.replace('The orders', 'All orders'));
    expect(await run(project, ['diff', '--json'])).toMatchObject({ code: 0 });
    project.write('queries/orders.yaml', ORDERS.replace('folder: finance\n', '').replace('SELECT 1', 'SELECT 2'));
    expect(await run(project, ['diff'])).toMatchObject({ code: 3, out: '~ query/orders   sql, folder\n' });
    expect(await run(project, ['deploy', '--yes', '--only', 'group/team'])).toMatchObject({ code: 0 });
    expect(await queries(api)).toMatchObject([{ sql: 'SELECT 1 AS a' }]);
    const changed = await run(project, ['deploy', '--yes', '--json']);
    expect(JSON.parse(changed.out)).toMatchObject({ lines: [{ key: 'orders', action: 'change', result: 'done' }] });
    expect(await queries(api)).toMatchObject([{ sql: 'SELECT 2 AS a', folder: '' }]);
  });

  it('leaves alone what has changed on the platform, until one says what to keep', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject(SHOP);
    expect((await run(project, ['deploy', '--yes'])).code).toBe(0);
    const [{ id }] = await queries(api);
    const change = (body: object) => api.as('owner').patch(`/api/saved-queries/${id}`, body);

    await change({ folder: 'sales' });
    // Who has changed it, and when.
    const { email } = await api.password('owner');
    expect(await run(project, ['diff'])).toMatchObject({
      code: 3,
      out: expect.stringMatching(
        new RegExp(
          `^! query/orders   drift: folder \\(${email.replaceAll(/[.+]/g, '\\$&')}, [-0-9]+ [:0-9]+ UTC\\)\n$`,
        ),
      ),
    });
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({
      code: 6,
      err: expect.stringContaining('left alone: query/orders (drift)'),
    });
    expect(await queries(api)).toMatchObject([{ folder: 'sales' }]);
    expect(await run(project, ['pull'])).toMatchObject({ code: 0, out: '~ queries/orders.yaml\n' });
    // Comments stay.
    expect(project.read('queries/orders.yaml')).toBe(ORDERS.replace('finance', 'sales'));
    expect(await run(project, ['diff'])).toMatchObject({ code: 0, out: '' });

    await change({ folder: 'mine' });
    expect(await run(project, ['deploy', '--yes', '--overwrite'])).toMatchObject({ code: 0 });
    expect(await queries(api)).toMatchObject([{ folder: 'sales' }]);

    await change({ folder: 'theirs' });
    project.write('queries/orders.yaml', 'name: Orders\nfolder: ours\nsql: SELECT 1 AS a\n');
    expect(await run(project, ['diff'])).toMatchObject({
      code: 3,
      out: expect.stringContaining('! query/orders   conflict: folder ('),
    });
    const [line] = JSON.parse((await run(project, ['diff', '--json'])).out).lines;
    expect(line).toMatchObject({ action: 'conflict', details: ['folder'], changedBy: email });
    expect(await run(project, ['pull'])).toMatchObject({ code: 6 });
    expect(project.read('queries/orders.yaml')).toContain('folder: ours');
    expect(await run(project, ['deploy', '--yes', '--overwrite'])).toMatchObject({ code: 0 });
    expect(await queries(api)).toMatchObject([{ folder: 'ours' }]);

    await api.as('owner').delete(`/api/saved-queries/${id}`);
    // Who has deleted it, and when: the audit log has it a moment later.
    await vi.waitFor(
      async () =>
        expect((await run(project, ['diff'])).out).toMatch(
          new RegExp(
            `^! query/orders   gone: deleted on the platform \\(${email.replaceAll(/[.+]/g, '\\$&')}, [-0-9]+ [:0-9]+ UTC\\)\n$`,
          ),
        ),
      20_000,
    );
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 6, out: expect.stringContaining('gone') });
    const gone = await api.as('viewer').put('/api/definitions/query/orders?dryRun=true', { yaml: ORDERS });
    expect(gone).toMatchObject({ status: 409, body: { code: 'DEFINITION_GONE' } });
    expect(gone.body).not.toHaveProperty('changedBy');
    expect(await run(project, ['deploy', '--yes', '--recreate'])).toMatchObject({ code: 0 });
    expect(await queries(api)).toMatchObject([{ name: 'Orders' }]);

    project.remove('queries/orders.yaml');
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0, out: '- query/orders   delete\n' });
    expect(await queries(api)).toHaveLength(1);
    expect(await run(project, ['deploy', '--yes', '--prune'])).toMatchObject({ code: 0 });
    expect(await queries(api)).toEqual([]);
    expect(await run(project, ['diff'])).toMatchObject({ code: 0 });
  });

  it('goes in the order of references, and serves several workspaces from one folder', async ({ api }) => {
    await givenSalesModel(api);
    const run = await owner(api);
    const project = givenProject({});
    const adopted = await run(project, ['adopt', 'model/sales']);
    expect(adopted, adopted.err).toMatchObject({ code: 0, out: '✓ model/sales   models/sales.yaml\n' });
    project.write('models/copy.yaml', project.read('models/sales.yaml').replace('name: Sales', 'name: Copy'));
    project.write('metrics/revenue.yaml', 'name: Revenue\nmodel: copy\nmeasure: Revenue\ntimeField: sales.sold\n');
    expect(await run(project, ['validate'])).toMatchObject({ code: 0 });
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    expect(await run(project, ['diff'])).toMatchObject({ code: 0 });
    expect((await api.as('owner').get('/api/metrics')).body.items).toMatchObject([{ name: 'Revenue' }]);

    const other = await program(api, await api.token('stranger'));
    const simple = givenProject(SHOP);
    for (const each of [run, other, run, other])
      expect(await each(simple, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    const theirs = (await api.as('stranger').get('/api/saved-queries')).body.items;
    expect(theirs).toMatchObject([{ name: 'Orders' }]);
    expect(theirs[0].id).not.toBe((await queries(api))[0].id);
  });

  it('adopts what was made elsewhere only by name', async ({ api }) => {
    const run = await owner(api);
    await posted(api, '/api/saved-queries', { name: 'Orders', sql: 'SELECT 3 AS a' });
    const project = givenProject(SHOP);
    expect(await run(project, ['diff', '--only', 'query/orders'])).toMatchObject({
      code: 3,
      out: '? query/orders   not managed by files: adopt it\n',
    });
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({
      code: 6,
      err: expect.stringContaining('left alone: query/orders (not managed by files: adopt it)'),
    });
    expect(await queries(api)).toMatchObject([{ sql: 'SELECT 3 AS a' }]);
    expect(await run(project, ['adopt', 'query/orders'])).toMatchObject({ code: 6 });
    expect(await run(project, ['adopt', 'query/orders', '--overwrite'])).toMatchObject({ code: 0 });
    expect(await queries(api)).toMatchObject([{ sql: 'SELECT 1 AS a' }]);
    expect(await run(project, ['adopt', 'query/nothing'])).toMatchObject({ code: 1 });
    const elsewhere = givenProject(SHOP, { name: 'desk' });
    expect(await run(elsewhere, ['deploy', '--yes'])).toMatchObject({
      code: 6,
      err: expect.stringContaining('not in this project'),
    });
  });

  it('has the rights of its caller: a key for reading compares, and deploys nothing', async ({ api }) => {
    const { key } = await posted(api, '/api/api-keys', { name: 'reader', scope: 'read' });
    const run = await program(api, key);
    const project = givenProject(SHOP);
    expect(await run(project, ['diff'])).toMatchObject({
      code: 3,
      out: expect.stringContaining('you may not do this'),
    });
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('FORBIDDEN'),
    });
    expect(await queries(api)).toEqual([]);
    expect(await (await program(api, 'ak_wrong'))(project, ['diff'])).toMatchObject({ code: 4 });
  });

  it('asks for the name of a protected context', async ({ api }) => {
    const { key } = await posted(api, '/api/api-keys', { name: 'owner', scope: 'admin' });
    const run = await owner(api);
    const project = givenProject(SHOP);
    const none = { ANALYTICS_URL: '', ANALYTICS_TOKEN: '' };
    mkdirSync(join(project.folder, '.home/.config/analytics'), { recursive: true });
    mkdirSync(join(project.folder, '.home/.local/state/analytics'), { recursive: true });
    const contexts = { production: { url: api.endpoint, protected: true } };
    const home = join(project.folder, '.home');
    writeFileSync(join(home, '.config/analytics/config.json'), JSON.stringify({ current: 'production', contexts }));
    writeFileSync(join(home, '.local/state/analytics/credentials.json'), JSON.stringify({ production: key }));
    const env = Object.fromEntries(Object.keys(none).map((name) => [name, undefined])) as unknown as Record<
      string,
      string
    >;
    expect(await run(project, ['deploy', '--yes'], { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('--confirm production'),
    });
    expect(await queries(api)).toEqual([]);
    expect(await run(project, ['deploy', '--yes', '--confirm', 'production'], { env })).toMatchObject({ code: 0 });
  });
});

describe('a folder that is not as it must be', () => {
  it('is refused as a whole before anything is sent', async ({ api }) => {
    const run = await owner(api);
    const seen: string[] = [];
    const { url } = await givenProxy(api.endpoint, (_, method) => void seen.push(method));
    const project = givenProject({
      ...SHOP,
      'queries/Not A Key.yaml': ORDERS,
      'themes/orders.yaml': 'x'.repeat(5 * 1024 * 1024),
    });
    writeFileSync(join(project.folder, 'secret.txt'), 'name: Secret\n');
    symlinkSync('../secret.txt', join(project.folder, 'queries/link.yaml'));
    symlinkSync('/etc', join(project.folder, 'webhooks'));
    writeFileSync(join(project.folder, 'groups/broken.yaml'), Buffer.from([0x6e, 0xff, 0xfe]));
    const refused = await run(project, ['deploy', '--yes'], { url });
    expect(refused.code).toBe(2);
    for (const issue of [
      'queries/link.yaml: this is not a file',
      'queries/Not A Key.yaml: the name must be a key',
      'themes/orders.yaml: the file is larger than 4 MiB',
      'webhooks must be a folder, and not a link',
      'groups/broken.yaml: the file is not UTF-8',
    ])
      expect(refused.err).toContain(issue);
    expect(seen).toEqual([]);
    for (const [bad, issue] of [
      ['', 'analytics.yaml:1:1: Give the project a name'],
      ['project: ../x\n', 'analytics.yaml:1:10: Give the project a name'],
      ['project: a\nother: b\n', 'analytics.yaml:2:8: Unknown member "other"'],
      ['project: &a a\n', 'analytics.yaml:1:13: Anchors are not supported'],
      ['project: a\nmoved: *a\n', 'analytics.yaml:2:8: Aliases are not supported'],
      [
        'project: a\ncontexts: { dev: { protect: true } }\n',
        '2:29: Unknown member "protect"; did you mean "protected"?',
      ],
      ['project: a\ncontexts: { dev: { url: nowhere } }\n', '2:25: This must be a URL'],
      ['project: a\nvariables: { schema: { dev: x } }\n', '2:29: Unknown context "dev"'],
      ['project: a\nvariables: { schema: "a\\nb" }\n', '2:22: A value must be a single-line text'],
      ['project: a\nmoved: { query/a: theme/b }\n', '2:19: Write the old and the new key'],
      ['project: a\nmoved: { query/a: query/b, query/b: query/a }\n', 'form a circle'],
    ] as const) {
      project.write('analytics.yaml', bad);
      const ended = await run(project, ['validate'], { url });
      expect(ended, bad).toMatchObject({ code: 2, err: expect.stringContaining(issue) });
    }
    expect(await run(project, ['diff', '--dir', 'nowhere'], { url })).toMatchObject({ code: 2 });
    expect(seen).toEqual([]);
  });

  it('has issues with their lines, and a bomb is one of them', async ({ api }) => {
    const run = await owner(api);
    const bomb = `a: &a [${'x,'.repeat(50)}x]\nb: &b [${'*a,'.repeat(50)}*a]\nname: [${'*b,'.repeat(50)}*b]\n`;
    const project = givenProject({
      ...SHOP,
      'queries/bad.yaml': 'name: Bad\nsql: SELEC 1\nfolders: a\n',
      'themes/bomb.yaml': bomb,
    });
    const checked = await run(project, ['validate']);
    expect(checked.code).toBe(1);
    expect(checked.out).toContain('queries/bad.yaml:3:1: /folders Unknown member "folders"; did you mean "folder"?');
    expect(checked.out).toContain('themes/bomb.yaml:1:5: Anchors are not supported');
    // The others are deployed.
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('2 applied'),
    });
    expect(await queries(api)).toHaveLength(1);
  });

  it('is never written to through a link', async ({ api }) => {
    const run = await owner(api);
    await posted(api, '/api/saved-queries', { name: 'Orders', sql: 'SELECT 1 AS a' });
    const project = givenProject({});
    const outside = givenProject({});
    symlinkSync(outside.folder, join(project.folder, 'queries'));
    expect((await run(project, ['adopt', 'query/orders'])).code).toBeGreaterThan(0);
    expect(Object.keys(outside.all())).toHaveLength(1);
  });
});

describe('a deployment that is interrupted', () => {
  it('is continued where the platform stopped before it had stored what was deployed', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject(SHOP);
    expect((await run(project, ['deploy', '--yes'])).code).toBe(0);
    const [{ id }] = await queries(api);
    const record = workspaceKey(api.workspaceId, 'DEFINITION', definitionId(api.workspaceId, 'query', 'orders'));
    for (const Key of [record, uniqueKey(`${api.workspaceId}#DEFINITION`, `query#${id}`)])
      await api.table.db.send(new DeleteCommand({ TableName: api.table.name, Key }));
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 applied'),
    });
    expect(await run(project, ['diff'])).toMatchObject({ code: 0, out: '' });
    expect(await queries(api)).toMatchObject([{ id }]);
  });

  it('and one that runs beside another one make each object once', async ({ api }) => {
    const run = await owner(api);
    const texts = (value: number) =>
      Object.fromEntries(
        Array.from({ length: 6 }, (_, i) => [`queries/q-${i}.yaml`, `name: Q ${i}\nsql: SELECT ${value}\n`]),
      );
    const same = [givenProject(texts(1)), givenProject(texts(1))];
    const ended = await Promise.all(same.map((each) => run(each, ['deploy', '--yes'])));
    // One that meets the other one has to wait.
    for (const { code, err } of ended) if (code !== 0) expect(err).toContain('Another deployment of shop is running');
    expect(ended.map(({ code }) => code)).toContain(0);
    for (const each of same) expect(await run(each, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    expect(await queries(api)).toHaveLength(6);

    const different = [givenProject(texts(2)), givenProject(texts(3))];
    const codes = (await Promise.all(different.map((each) => run(each, ['deploy', '--yes'])))).map(({ code }) => code);
    for (const code of codes) expect([0, 6]).toContain(code);
    expect(codes).toContain(0);
    const made = await queries(api);
    expect(made).toHaveLength(6);
    for (const { sql } of made) expect(['SELECT 2', 'SELECT 3']).toContain(sql);
  });
});

it('five hundred objects without a change take at most ten requests', async ({ api }) => {
  const { table, workspaceId } = api;
  const { queries: records } = savedQueryRepository(table);
  const definitions = definitionRepository(table);
  const text = (i: number) => `name: Query ${i}\nsql: SELECT ${i}\n`;
  const total = 500;
  const me = (await api.as('owner').get('/api/auth/me')).body.user.id;
  const at = new Date().toISOString();
  const make = async (i: number) => {
    const [id, key] = [newId(), `query-${i}`];
    const stamps = { createdBy: me, updatedBy: me, createdAt: at, updatedAt: at, revision: 1 };
    const content = { sql: `SELECT ${i}`, sourceId: null, datasetIds: null, params: [], reads: [], version: 1 };
    await records.create({ id, workspaceId, name: `Query ${i}`, description: '', folder: '', ...content, ...stamps });
    const fileDigest = createHash('sha256').update(text(i)).digest('hex');
    const digest = digestOf({ name: `Query ${i}`, sql: `SELECT ${i}` });
    const applied = { digest, fileDigest, revision: 1, at, by: me };
    const managedBy = { project: 'shop', path: `queries/${key}.yaml`, commit: null };
    const record = { workspaceId, kind: 'query' as const, key, objectId: id, generation: 1, managedBy, applied };
    await definitions.create(
      { id: definitionId(workspaceId, 'query', key), ...record, createdAt: at, updatedAt: at, revision: 1 },
      text(i),
    );
  };
  for (let i = 0; i < total; i += 25) await Promise.all(Array.from({ length: 25 }, (_, j) => make(i + j)));
  const project = givenProject(
    Object.fromEntries(Array.from({ length: total }, (_, i) => [`queries/query-${i}.yaml`, text(i)])),
  );
  const run = await owner(api);
  const { url, count } = await givenProxy(api.endpoint, () => undefined);
  const started = performance.now();
  expect(await run(project, ['deploy', '--yes'], { url })).toMatchObject({
    code: 0,
    err: expect.stringContaining('Nothing has changed.'),
  });
  console.log(`500 objects: ${Math.round(performance.now() - started)} ms, ${count()} requests`);
  expect(count()).toBeLessThanOrEqual(10);
  expect((await run(project, ['diff'], { url })).code).toBe(0);
});
