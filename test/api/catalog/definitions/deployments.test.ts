import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { sample } from '../../../support/cases.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { files } from './given.ts';
import { givenProject, givenProxy, program } from './project.ts';

const query = (name: string, sql = 'SELECT 1') => `name: ${name}\nsql: ${sql}\n`;
const board = (title: string) => `name: Board
cards:
  - id: note
    cardType: text
    position: { x: 0, y: 0, w: 4, h: 4 }
    textContent: ${title}
`;

const owner = async (api: Api) => program(api, await api.token('owner'));
const all = async (api: Api, path: string) => (await api.as('owner').get(path)).body.items;
const keys = async (api: Api) =>
  (await all(api, '/api/definitions?project=shop')).map(
    ({ kind, key }: { kind: string; key: string }) => `${kind}/${key}`,
  );

describe('an object with another key', () => {
  it('is moved by a deployment after its file was renamed, and the project remembers it', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject({ 'queries/orders.yaml': query('Orders'), 'queries/other.yaml': query('Other') });
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    const [{ id }] = await all(api, '/api/saved-queries?name=Orders');

    project.remove('queries/orders.yaml');
    project.write('queries/all.yaml', query('Orders'));
    expect(await run(project, ['diff'])).toMatchObject({
      code: 3,
      out: '> query/orders → query/all, which has the same content\n',
    });
    expect(JSON.parse((await run(project, ['status', '--json'])).out).lines).toMatchObject([
      { key: 'all', state: 'moved', managedBy: { path: 'queries/orders.yaml' } },
    ]);
    expect(await run(project, ['deploy', '--yes', '--prune'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('analytics.yaml now says that query/orders has moved'),
    });
    expect(project.read('analytics.yaml')).toBe(
      '# The files of the shop\nproject: shop\nmoved:\n  query/orders: query/all\n',
    );
    expect(await keys(api)).toEqual(['query/all', 'query/other']);
    expect(await all(api, '/api/saved-queries?name=Orders')).toMatchObject([{ id }]);

    // In a workspace that has the old key, with a change beside it.
    const other = await program(api, await api.token('stranger'));
    const before = givenProject({ 'queries/orders.yaml': query('Orders'), 'queries/other.yaml': query('Other') });
    expect(await other(before, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    project.write('queries/all.yaml', query('Orders', 'SELECT 2'));
    expect(await other(project, ['diff'])).toMatchObject({
      code: 3,
      out: '~ query/all   sql\n> query/orders → query/all\n',
    });
    expect(await other(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    expect((await api.as('stranger').get('/api/saved-queries')).body.total).toBe(2);
    expect(await other(project, ['diff'])).toMatchObject({ code: 0, out: '' });
  });

  it('is renamed in all files by analytics move', async ({ api }) => {
    const run = await owner(api);
    const pipeline = (key: string) => `name: Nightly
status: paused
trigger: { kind: pipeline, pipeline: ${key}, on: success } # after it
steps:
  - { id: a, type: transform_sql, config: { sql: SELECT 1 AS ${key} } }
`;
    const first = 'name: First\nsteps:\n  - { id: a, type: transform_sql, config: { sql: SELECT 1 AS a } }\n';
    const project = givenProject({ 'pipelines/first.yaml': first, 'pipelines/nightly.yaml': pipeline('first') });
    // One pipeline waits for the other one, which the first deployment may make at the same time.
    expect([0, 1]).toContain((await run(project, ['deploy', '--yes'])).code);
    const deployed = await run(project, ['deploy', '--yes']);
    expect(deployed, deployed.err + deployed.out).toMatchObject({ code: 0 });
    expect(await run(project, ['move', 'pipeline/first', 'pipeline/zeroth'])).toMatchObject({
      code: 0,
      out: '> pipelines/first.yaml → pipelines/zeroth.yaml\n~ pipelines/nightly.yaml\n',
    });
    expect(project.read('pipelines/nightly.yaml')).toBe(
      pipeline('first').replace('pipeline: first', 'pipeline: zeroth'),
    );
    expect(project.read('pipelines/zeroth.yaml')).toBe(first);
    expect(project.read('analytics.yaml')).toContain('moved:\n  pipeline/first: pipeline/zeroth\n');
    const moved = await run(project, ['deploy', '--yes']);
    expect(moved, moved.err + moved.out).toMatchObject({ code: 0 });
    expect(await keys(api)).toEqual(['pipeline/nightly', 'pipeline/zeroth']);
    for (const [names, code] of [
      [['pipeline/none', 'pipeline/a'], 'FILE_MISSING'],
      [['pipeline/zeroth', 'query/a'], 'KEY_INVALID'],
      [['pipeline/zeroth', 'pipeline/A'], 'KEY_INVALID'],
      [['pipeline/zeroth', 'pipeline/nightly'], 'FILE_EXISTS'],
    ] as const) {
      const refused = await run(project, ['move', ...names, '--json']);
      expect(refused.code, code).toBe(2);
      expect(JSON.parse(refused.out).error.code).toBe(code);
    }
  });

  it('is not made a second time when it cannot be moved', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject({ 'queries/orders.yaml': query('Orders') });
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    expect(await run(project, ['move', 'query/orders', 'query/all'])).toMatchObject({ code: 0 });
    project.write('queries/all.yaml', query('Orders', 'SELECT 2'));
    // A person has made an object that has the key meanwhile.
    const { url } = await givenProxy(api.endpoint, (_, method) => (method === 'POST' ? 'drop' : undefined));
    expect(await run(project, ['deploy', '--yes'], { url })).toMatchObject({ code: 1 });
    expect(await all(api, '/api/saved-queries')).toMatchObject([{ name: 'Orders', sql: 'SELECT 1' }]);
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    expect(await all(api, '/api/saved-queries')).toMatchObject([{ name: 'Orders', sql: 'SELECT 2' }]);
  });
});

describe('a workspace that has nothing yet', () => {
  it('gets what it can, and the rest when the tables have rows', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject({
      'datasets/orders.yaml': 'name: orders\n',
      'queries/all.yaml': query('All', 'SELECT * FROM orders'),
    });
    expect(await run(project, ['diff'])).toMatchObject({
      code: 3,
      out: '+ dataset/orders\n+ query/all   checked when what it refers to has been created\n',
    });
    expect(await run(project, ['validate'])).toMatchObject({ code: 0 });
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('1 applied · 0 left alone · 1 failed'),
    });
    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id' });
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    expect(await run(project, ['diff'])).toMatchObject({ code: 0, out: '' });
    project.write('queries/wrong.yaml', query('Wrong', 'SELECT * FROM nothing'));
    expect(await run(project, ['validate'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('queries/wrong.yaml:2:1: /sql There is no table "nothing".'),
    });
  });
});

describe('dashboards of a project', () => {
  it('are drafts until they are published by a deployment, which publishes nothing else', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject({ 'dashboards/board.yaml': board('One') });
    const deployed = await run(project, ['deploy', '--yes']);
    expect(deployed, deployed.err + deployed.out).toMatchObject({ code: 0 });
    const shown = async () => (await all(api, '/api/dashboards'))[0];
    expect(await shown()).toMatchObject({ isPublished: false, hasUnpublishedChanges: true });
    expect(await run(project, ['deploy', '--yes', '--publish', '--commit', 'a1b2c3d'])).toMatchObject({
      code: 0,
      out: '^ dashboard/board   publish\n',
    });
    expect(await shown()).toMatchObject({ isPublished: true, hasUnpublishedChanges: false, publishedVersion: 1 });
    const { id } = await shown();
    const [version] = (await api.as('owner').get(`/api/dashboards/${id}/versions`)).body.items;
    expect(version).toMatchObject({ changeNote: 'Deployed from shop at a1b2c3d' });
    expect(await run(project, ['deploy', '--yes', '--publish'])).toMatchObject({ code: 0, out: '' });

    project.write('dashboards/board.yaml', board('Two'));
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    expect(await shown()).toMatchObject({ hasUnpublishedChanges: true, publishedVersion: 1 });
    project.write('dashboards/board.yaml', board('Three'));
    expect(await run(project, ['deploy', '--yes', '--publish'])).toMatchObject({ code: 0 });
    expect(await shown()).toMatchObject({ hasUnpublishedChanges: false, publishedVersion: 2 });

    // What a person has changed is not published.
    const changed = await api.as('owner').put(`/api/dashboards/${id}/cards/note`, { textContent: 'Four' });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(await run(project, ['deploy', '--yes', '--publish'])).toMatchObject({ code: 6 });
    expect(await shown()).toMatchObject({ hasUnpublishedChanges: true, publishedVersion: 2 });
  });
});

/** What a request does to the platform; undefined if it only reads. */
function effectOf(method: string, url: string): string | undefined {
  if (method === 'GET' || url.includes('dryRun=true') || url.endsWith('/compare')) return undefined;
  const place = /\/(lease|move|publish)\b/.exec(url)?.[1] ?? 'file';
  return `${method} ${place}`;
}

describe('a deployment that is killed', () => {
  it('ends the same when it is repeated, at whatever request that was', async ({ api }) => {
    const program = await owner(api);
    const { put, delete: remove } = files(api, 'owner');
    // All of them are run by one user of a machine, who continues under the lease of what was killed.
    const { folder: home } = givenProject({});
    const run = (project: { folder: string }, args: string[], more: Parameters<typeof program>[2] = {}) =>
      program(project, args, { ...more, env: { HOME: home } });
    const end = async () => {
      const objects = await all(api, '/api/saved-queries?sort=name');
      return {
        keys: await keys(api),
        queries: objects.map(({ name, sql }: { name: string; sql: string }) => `${name}: ${sql}`),
        boards: (await all(api, '/api/dashboards')).map(
          ({ name, publishedVersion, hasUnpublishedChanges }: Record<string, unknown>) => [
            name,
            publishedVersion,
            hasUnpublishedChanges,
          ],
        ),
      };
    };
    const ENDED = {
      keys: ['query/more', 'query/new-key', 'query/same', 'dashboard/board'],
      queries: ['More: SELECT 1', 'Old: SELECT 1', 'Same: SELECT 2'],
      boards: [['Board', 1, false]],
    };
    const before = {
      'queries/old.yaml': query('Old'),
      'queries/gone.yaml': query('Gone'),
      'queries/same.yaml': query('Same', 'SELECT 0'),
      'dashboards/board.yaml': board('One'),
    };
    const after = {
      'queries/new-key.yaml': query('Old'),
      'queries/same.yaml': query('Same', 'SELECT 2'),
      'queries/more.yaml': query('More'),
      'dashboards/board.yaml': board('Two'),
    };
    const args = ['deploy', '--yes', '--prune', '--publish'];
    /** What a deployment of the files of `before` leaves on the platform, made without one. */
    const prepare = async () => {
      for (const { kind, key } of await all(api, '/api/definitions?project=shop'))
        expect((await remove(kind, key)).status).toBe(204);
      for (const [path, yaml] of Object.entries(before)) {
        const [folder, key] = path.replace('.yaml', '').split('/') as [string, string];
        const kind = folder === 'queries' ? 'query' : 'dashboard';
        const made = await put(kind, key, yaml, 'recreate=true', { project: 'shop', path });
        expect(made.status, JSON.stringify(made.body)).toBe(200);
      }
      return givenProject(after);
    };

    const effects: (string | undefined)[] = [];
    const watched = await givenProxy(api.endpoint, (_, method, url) => void effects.push(effectOf(method, url)));
    const whole = await run(await prepare(), args, { url: watched.url });
    expect(whole, whole.err + whole.out).toMatchObject({ code: 0 });
    expect(await end()).toEqual(ENDED);
    const kinds = new Set(effects.filter((each) => each !== undefined));
    expect([...kinds]).toEqual(['PUT lease', 'POST move', 'PUT file', 'POST publish', 'DELETE file', 'DELETE lease']);
    // Reads change nothing: those that only plan are like the first request for the lease.
    const isLast = (effect: string | undefined, index: number) =>
      effect !== undefined && effects.lastIndexOf(effect) === index;
    const points = sample([...effects.keys()], (index) => isLast(effects[index], index)).map((index) => index + 1);

    for (const at of points) {
      const project = await prepare();
      let kill: (() => void) | undefined;
      const { url } = await givenProxy(api.endpoint, (number) => {
        if (number !== at) return undefined;
        kill?.();
        // Half of them die before their request arrives, and half while it is being served.
        return points.indexOf(at) % 2 === 0 ? 'drop' : undefined;
      });
      const killed = await run(project, args, {
        url,
        meanwhile: (child) => {
          kill = () => child.kill('SIGKILL');
        },
      });
      expect([null, 0], killed.err).toContain(killed.code);
      const repeated = await run(project, args);
      expect(repeated, `${at}: ${repeated.err}${repeated.out}`).toMatchObject({ code: 0 });
      expect(await end(), `${at}`).toEqual(ENDED);
    }
  }, 600_000);
});
