import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { definitionId } from '../../../../shared/domains/catalog/definitions/index.ts';
import { uniqueKey, workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMember } from '../../../support/given/member.ts';
import { files, PROJECT, posted } from './given.ts';

const FILE = `name: Orders
description: Orders by region
datasets:
  - sales
params:
  - name: region
    type: string
    default: north
sql: |
  SELECT region, amount
  FROM sales
  WHERE region = $region
`;
const SALES = "SELECT 'north' AS region, 5 AS amount";
const query = (api: Api, id: string) => api.as('owner').get(`/api/saved-queries/${id}`);
const recordKey = ({ workspaceId }: Api, key: string) => {
  const id = definitionId(workspaceId, 'query', key);
  return { id, key: workspaceKey(workspaceId, 'DEFINITION', id) };
};
const sql = (name: string, text = 'SELECT 1 AS a') => `name: ${name}\nsql: ${text}\n`;

describe('a file of a saved query', () => {
  it('creates the query, and comes back byte for byte', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'sales', sql: SALES });
    const { deploy, text, read, list } = files(api);
    expect(await deploy('query', 'orders', FILE, 'dryRun=true')).toMatchObject({ outcome: 'created', dryRun: true });
    expect((await read('query', 'orders')).body).toMatchObject({ code: 'DEFINITION_NOT_FOUND', status: 404 });

    const created = await deploy('query', 'orders', FILE);
    expect(created).toMatchObject({ kind: 'query', key: 'orders', outcome: 'created', revision: 1, dryRun: false });
    expect(created.changes).toEqual({
      added: ['name', 'description', 'datasets', 'params', 'sql'],
      changed: [],
      removed: [],
    });
    const { body } = await query(api, created.id);
    expect(body).toMatchObject({
      name: 'Orders',
      folder: '',
      datasetIds: [dataset.id],
      params: [{ name: 'region', type: 'string', default: 'north', required: false }],
    });
    expect(await text('query', 'orders')).toBe(FILE);
    const picture = await api.as('editor').get('/api/definitions/query/orders', { headers: { accept: 'image/png' } });
    expect(picture).toMatchObject({ status: 406, body: { code: 'NOT_ACCEPTABLE' } });
    const shown = (await read('query', 'orders')).body;
    expect(shown).toMatchObject({ id: created.id, yaml: FILE, base: FILE, managedBy: { ...PROJECT, commit: null } });
    expect(shown.applied).toMatchObject({ digest: shown.digest, revision: 1 });
    expect((await list('kind=query')).items).toEqual([
      expect.objectContaining({ key: 'orders', id: created.id, digest: shown.digest, applied: shown.applied }),
    ]);

    const again = await deploy('query', 'orders', FILE);
    expect(again).toMatchObject({ outcome: 'unchanged', revision: 1, digest: shown.digest });
    expect((await query(api, created.id)).body.revision).toBe(1);
  });

  it('replaces the whole query, adds a version only for new content, and is audited as the ordinary change', async ({
    api,
  }) => {
    await givenDataset(api, { name: 'sales', sql: SALES });
    const { deploy } = files(api);
    const { id } = await deploy('query', 'orders', FILE);
    const next = FILE.replace('description: Orders by region\n', '').replace('default: north', 'required: true');
    expect(await deploy('query', 'orders', next, 'dryRun=true')).toMatchObject({
      outcome: 'changed',
      dryRun: true,
      changes: { added: ['params.region.required'], changed: [], removed: ['description', 'params.region.default'] },
    });
    expect((await query(api, id)).body).toMatchObject({ revision: 1, description: 'Orders by region' });
    expect(await deploy('query', 'orders', next)).toMatchObject({ outcome: 'changed', revision: 2 });
    expect((await query(api, id)).body).toMatchObject({
      description: '',
      version: 2,
      params: [{ name: 'region', type: 'string', required: true }],
    });
    const log = (await api.as('owner').get(`/api/audit-log?objectId=${id}`)).body;
    expect(log.items.map((each: { action: string }) => each.action)).toEqual([
      'saved_query.updated',
      'saved_query.created',
    ]);
  });

  it('ignores comments and the order of members', async ({ api }) => {
    const { deploy } = files(api);
    const { digest } = await deploy('query', 'a', 'name: A\nsql: SELECT 1 AS a\n');
    const same = '# A comment\nsql: SELECT 1 AS a\nfolder: ""\nparams: []\nname: A\n';
    expect(await deploy('query', 'a', same)).toMatchObject({ outcome: 'unchanged', digest });
  });

  it('reports every issue with its place in the file, and changes nothing', async ({ api }) => {
    const { put, list } = files(api);
    const bad = 'name: ""\nfolders: x\nsource: Nowhere!\ndatasets: [missing]\nsql: SELECT 1\n';
    expect((await put('query', 'bad', bad)).body).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: expect.arrayContaining([
        expect.objectContaining({ pointer: '/name', position: expect.objectContaining({ line: 1 }) }),
        expect.objectContaining({ pointer: '/folders', position: expect.objectContaining({ line: 2 }) }),
        expect.objectContaining({ pointer: '/source', position: expect.objectContaining({ line: 3 }) }),
      ]),
    });
    expect(
      (await put('query', 'bad', 'name: A\nsource: nowhere\ndatasets: [missing]\nsql: SELECT 1\n')).body,
    ).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [
        { pointer: '/source', code: 'UNKNOWN_KEY', position: { line: 2 } },
        { pointer: '/datasets/0', code: 'UNKNOWN_KEY', position: { line: 3 } },
      ],
    });
    for (const dryRun of ['', 'dryRun=true']) {
      const reply = await put('query', 'bad', 'name: A\nsql: SELEC 1\n', dryRun);
      expect(reply, JSON.stringify(reply.body)).toMatchObject({
        status: 422,
        body: {
          code: 'DEFINITION_REJECTED',
          rejectedAs: 'SQL_PARSE',
          errors: [{ pointer: '/sql', position: { line: 2 } }],
        },
      });
    }
    expect((await list()).total).toBe(0);
  });

  it('with anchors, aliases, tags, several documents, or too deep a nesting is refused', async ({ api }) => {
    const { put } = files(api);
    const bomb = `a: &a [x,x,x]\nb: &b [*a,*a,*a]\nc: [*b,*b,*b]\n`;
    const deep = `name: ${'['.repeat(2000)}${']'.repeat(2000)}\n`;
    for (const yaml of [
      bomb,
      deep,
      'name: !!js/function x\n',
      'name: A\n---\nname: B\n',
      '__proto__: {a: 1}\n',
      '\n',
    ]) {
      expect((await put('query', 'bomb', yaml)).body, yaml.slice(0, 40)).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ code: 'INVALID_YAML' }],
      });
    }
    const huge = await api.as('editor').send('PUT', '/api/definitions/query/huge', {
      text: `name: A\nsql: ${'x'.repeat(5 * 1024 * 1024)}`,
      headers: { 'content-type': 'application/yaml' },
    });
    expect(huge).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
    const sent = await api.as('editor').send('PUT', '/api/definitions/query/plain', {
      text: sql('Plain'),
      headers: { 'content-type': 'application/yaml' },
    });
    expect(sent).toMatchObject({ status: 200, body: { outcome: 'created' } });
    for (const key of ['..', '%2e%2e%2fa', 'A', 'a_b', '-a', 'a'.repeat(64)])
      expect((await put('query', key, sql('A'))).status, key).toBeGreaterThanOrEqual(400);
  });
});

describe('what has changed on the platform since a deployment', () => {
  it('is drift, and only overwritten by naming it', async ({ api }) => {
    const { deploy, put, read, list } = files(api);
    const { id, digest } = await deploy('query', 'orders', sql('Orders'));
    expect((await api.as('owner').patch(`/api/saved-queries/${id}`, { folder: 'mine' })).status).toBe(200);
    const { items } = await list('project=shop');
    expect(items).toMatchObject([{ key: 'orders', applied: { digest } }]);
    expect(items[0].digest).not.toBe(digest);
    expect((await list('project=other')).items).toEqual([]);

    const reply = await put('query', 'orders', sql('Orders 2'));
    expect(reply).toMatchObject({
      status: 412,
      body: { code: 'DEFINITION_DRIFTED', digest: items[0].digest, changed: ['name'], removed: ['folder'] },
    });
    expect((await read('query', 'orders')).body).toMatchObject({ name: 'Orders', base: sql('Orders') });
    expect((await put('query', 'orders', sql('Orders 2'), `overwrite=${digest}`)).status).toBe(412);
    expect(await deploy('query', 'orders', sql('Orders 2'), `overwrite=${items[0].digest}`)).toMatchObject({
      outcome: 'changed',
      revision: 3,
    });
    expect((await query(api, id)).body).toMatchObject({ name: 'Orders 2', folder: '' });
  });

  it('is no drift once the file says the same', async ({ api }) => {
    const { deploy, text, list } = files(api);
    const { id } = await deploy('query', 'orders', sql('Orders'));
    await api.as('owner').patch(`/api/saved-queries/${id}`, { folder: 'mine' });
    const pulled = await text('query', 'orders');
    expect(pulled).toBe('name: Orders\nfolder: mine\nsql: SELECT 1 AS a\n');
    expect(await deploy('query', 'orders', pulled)).toMatchObject({ outcome: 'unchanged', revision: 2 });
    const [entry] = (await list()).items;
    expect(entry.digest).toBe(entry.applied.digest);
  });

  it('is a reason to ask before the object is created again', async ({ api }) => {
    const { deploy, put, list, delete: remove } = files(api);
    const { id } = await deploy('query', 'orders', sql('Orders'));
    expect((await api.as('owner').delete(`/api/saved-queries/${id}`)).status).toBe(204);
    expect((await list()).items).toEqual([]);
    expect(await put('query', 'orders', sql('Orders'))).toMatchObject({
      status: 409,
      body: { code: 'DEFINITION_GONE' },
    });
    expect((await remove('query', 'orders')).body).toMatchObject({ code: 'DEFINITION_NOT_FOUND' });
    const again = await deploy('query', 'orders', sql('Orders'), 'recreate=true');
    expect(again).toMatchObject({ outcome: 'created', revision: 1 });
    expect(again.id).not.toBe(id);
    expect(await deploy('query', 'orders', sql('Orders'))).toMatchObject({ outcome: 'unchanged', id: again.id });
  });
});

describe('an object that no file manages', () => {
  it('has a key from its name, and is adopted only on request', async ({ api }) => {
    const first = await posted(api, '/api/saved-queries', { name: 'Größte Kunden!', sql: 'SELECT 1 AS a' });
    const twins = [
      await posted(api, '/api/saved-queries', { name: 'Twin', sql: 'SELECT 1 AS a' }),
      await posted(api, '/api/saved-queries', { name: 'twin', sql: 'SELECT 2 AS a' }),
    ];
    const { list, text, put, deploy } = files(api);
    const keys = (await list('kind=query')).items.map((each: { key: string }) => each.key);
    expect(keys.sort()).toEqual(['gro-te-kunden', ...twins.map(({ id }) => `twin-${id.slice(-8)}`)].sort());
    const yaml = await text('query', 'gro-te-kunden');
    expect(await put('query', 'gro-te-kunden', yaml)).toMatchObject({
      status: 409,
      body: { code: 'DEFINITION_UNMANAGED' },
    });
    const changed = yaml.replace('SELECT 1', 'SELECT 2');
    expect((await put('query', 'gro-te-kunden', changed, 'adopt=true')).body.code).toBe('DEFINITION_DRIFTED');
    expect(await deploy('query', 'gro-te-kunden', yaml, 'adopt=true')).toMatchObject({
      outcome: 'unchanged',
      id: first.id,
    });
    // The key stays when the name changes.
    await api.as('owner').patch(`/api/saved-queries/${first.id}`, { name: 'Renamed' });
    expect(await text('query', 'gro-te-kunden')).toContain('name: Renamed');
  });

  it('is not given to another project by mistake', async ({ api }) => {
    const { deploy, put, list } = files(api);
    await deploy('query', 'orders', sql('Orders'));
    const other = { project: 'desk', path: 'q.yaml', commit: 'abc' };
    expect(await put('query', 'orders', sql('Orders'), '', other)).toMatchObject({
      status: 409,
      body: { code: 'DEFINITION_MANAGED_ELSEWHERE', managedBy: { project: 'shop' } },
    });
    expect((await put('query', 'orders', sql('Orders'), 'adopt=true', other)).status).toBe(200);
    expect((await list()).items).toMatchObject([{ managedBy: other }]);
    // Without a project, the file changes the object and not who manages it.
    expect((await put('query', 'orders', sql('Orders 3'), '', null)).status).toBe(200);
    expect((await list()).items).toMatchObject([{ managedBy: other, name: 'Orders 3' }]);
  });
});

describe('the draft of a dashboard', () => {
  it('is in no reply to people who see only what is published', async ({ api }) => {
    const { deploy, read } = files(api);
    const { id } = await deploy('dashboard', 'board', 'name: Board\n');
    expect((await api.as('editor').post(`/api/dashboards/${id}/publish`)).status).toBe(200);
    await deploy('dashboard', 'board', 'name: Board\ndescription: The layoffs of May\n');
    expect((await read('dashboard', 'board')).body.base).toContain('layoffs');
    const seen = (await files(api, 'viewer').read('dashboard', 'board')).bytes.toString();
    expect(JSON.parse(seen)).toMatchObject({ id, base: null });
    expect(seen).not.toContain('layoffs');
  });
});

describe('who deploys', () => {
  it('may do what the ordinary operations allow, and no more', async ({ api }) => {
    const { deploy } = files(api);
    const { id, digest } = await deploy('query', 'orders', sql('Orders'));
    const viewer = files(api, 'viewer');
    expect((await viewer.read('query', 'orders')).status).toBe(200);
    const before = await api.stored(recordKey(api, 'orders').key);
    expect(before).toBeDefined();
    // Not even to say that nothing changes, or who manages the object.
    for (const [text, params] of [
      [sql('Orders'), ''],
      [sql('Mine'), ''],
      [sql('Orders'), 'adopt=true'],
    ] as const) {
      const reply = await viewer.put('query', 'orders', text, params, { project: 'mine', path: 'x' });
      expect([403, 409], params).toContain(reply.status);
      expect(['FORBIDDEN', 'DEFINITION_MANAGED_ELSEWHERE']).toContain(reply.body.code);
    }
    // A dry run shows what would change, and that it may not.
    for (const key of ['orders', 'new']) {
      const reply = await viewer.put('query', key, sql('Mine'), 'dryRun=true');
      expect(reply).toMatchObject({ status: 200, body: { isAllowed: false, dryRun: true } });
    }
    expect(await viewer.put('query', 'new', sql('New'))).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await viewer.delete('query', 'orders')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await api.stored(recordKey(api, 'orders').key)).toEqual(before);

    expect((await viewer.read('query', 'orders')).body).toMatchObject({ yaml: sql('Orders'), base: null });

    const member = await givenMember(api);
    expect(
      (await api.as('editor').put(`/api/saved-queries/${id}/access/user/${member.userId}`, { level: 'editor' })).status,
    ).toBe(200);
    const granted = files(api, member);
    await vi.waitFor(
      async () => expect((await granted.put('query', 'orders', sql('Granted'))).status).toBe(200),
      15_000,
    );
    expect((await granted.read('query', 'orders')).body).toMatchObject({ base: sql('Granted') });

    const stranger = files(api, 'stranger');
    expect(await stranger.read('query', 'orders')).toMatchObject({
      status: 404,
      body: { code: 'DEFINITION_NOT_FOUND' },
    });
    expect(await stranger.delete('query', 'orders')).toMatchObject({ status: 404 });
    expect((await stranger.list()).items).toEqual([]);
    expect((await stranger.deploy('query', 'orders', sql('Theirs'))).id).not.toBe(id);
    expect((await query(api, id)).body).toMatchObject({ name: 'Granted' });
    expect((await stranger.read('query', 'orders')).body.digest).not.toBe(digest);
  });

  it('reaches with a limited key only its objects, and only reads with a key for reading', async ({ api }) => {
    const { deploy } = files(api);
    const { id } = await deploy('query', 'orders', sql('Orders'));
    await deploy('query', 'other', sql('Other'));
    const key = async (scope: string, resources?: object[]) =>
      files(api, { token: (await posted(api, '/api/api-keys', { name: crypto.randomUUID(), scope, resources })).key });
    const reader = await key('read');
    expect((await reader.list()).total).toBe(2);
    expect((await reader.put('query', 'orders', sql('Mine'))).status).toBe(403);
    const limited = await key('read', [{ type: 'saved-query', id }]);
    expect((await limited.list()).items).toEqual([]);
    expect((await limited.read('query', 'orders')).status).toBe(200);
    expect(await limited.read('query', 'other')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});

describe('deployments that meet', () => {
  it('create one object when they run at the same time', async ({ api }) => {
    const { put, list } = files(api);
    const replies = await Promise.all(Array.from({ length: 6 }, () => put('query', 'orders', sql('Orders'))));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect((await list()).total).toBe(1);
    expect((await api.as('owner').get('/api/saved-queries')).body.total).toBe(1);
  });

  it('with different files leave one of them, and the others see drift', async ({ api }) => {
    const { deploy, put, read } = files(api);
    await deploy('query', 'orders', sql('Orders'));
    const replies = await Promise.all(Array.from({ length: 5 }, (_, i) => put('query', 'orders', sql(`Orders ${i}`))));
    for (const { status } of replies) expect([200, 412]).toContain(status);
    const { body } = await read('query', 'orders');
    // Each change is one write: those that were made came one after the other.
    expect(body.revision).toBe(1 + replies.filter(({ status }) => status === 200).length);
    expect(body.applied.digest).toBe(body.digest);
  });

  it('go on where an interrupted one has ended', async ({ api }) => {
    const { deploy, put, list } = files(api);
    const made = await deploy('query', 'new-one', sql('Orders'));
    // As a crash between the write of the object and that of its record leaves it.
    const unique = uniqueKey(`${api.workspaceId}#DEFINITION`, `query#${made.id}`);
    for (const Key of [recordKey(api, 'new-one').key, unique])
      await api.table.db.send(new DeleteCommand({ TableName: api.table.name, Key }));
    expect(await deploy('query', 'new-one', sql('Orders'))).toMatchObject({ outcome: 'unchanged', id: made.id });
    expect((await list()).items).toMatchObject([{ key: 'new-one', id: made.id, applied: { revision: 1 } }]);

    await deploy('query', 'new-one', sql('Orders 2'));
    const { applied } = (await list()).items[0];
    expect(applied.revision).toBe(2);
    expect((await put('query', 'new-one', sql('Orders 2'))).body.outcome).toBe('unchanged');
  });
});

describe('DELETE /api/definitions/{kind}/{key}', () => {
  it('deletes the object as it was seen, and frees the key', async ({ api }) => {
    const { deploy, delete: remove, read } = files(api);
    const { id, digest } = await deploy('query', 'orders', sql('Orders'));
    await api.as('owner').patch(`/api/saved-queries/${id}`, { folder: 'mine' });
    expect(await remove('query', 'orders', `digest=${digest}`)).toMatchObject({
      status: 412,
      body: { code: 'DEFINITION_DRIFTED' },
    });
    const now = (await read('query', 'orders')).body.digest;
    expect((await remove('query', 'orders', `digest=${now}`)).status).toBe(204);
    expect((await query(api, id)).status).toBe(404);
    const again = await deploy('query', 'orders', sql('Orders'));
    expect(again.outcome).toBe('created');
    // What is still to be cleaned up of the first one cannot touch the second one.
    expect(again.id).not.toBe(id);
  });

  it('refuses while something uses the object', async ({ api }) => {
    const { deploy, delete: remove } = files(api);
    const { id } = await deploy('query', 'orders', sql('Orders'));
    await givenCards(api, [card('rows', chart({ source: { kind: 'savedQuery', id } }))]);
    const reply = await remove('query', 'orders');
    expect(reply).toMatchObject({ status: 409, body: { code: 'REFERENCED' } });
    expect(reply.body.referencedBy).not.toEqual([]);
    expect((await query(api, id)).status).toBe(200);
  });
});

it('the kinds of definitions have schemas for editors', async ({ api }) => {
  const { body } = await api.as('viewer').get('/api/definitions/kinds');
  const saved = body.items.find((each: { kind: string }) => each.kind === 'query');
  expect(saved).toMatchObject({ noun: 'saved query', references: ['source', 'dataset'] });
  expect(saved.schema).toMatchObject({ type: 'object', required: ['name', 'sql'], additionalProperties: false });
  expect(Object.keys(saved.schema.properties)).toEqual([
    'name',
    'description',
    'folder',
    'source',
    'datasets',
    'params',
    'sql',
  ]);
  expect((await api.as('viewer').get('/api/definitions/kinds?kind=theme')).body.items).toHaveLength(1);
});
