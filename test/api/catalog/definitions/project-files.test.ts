// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files have variables
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { fencesOf } from '../../../support/guide-examples.ts';
import { posted } from './given.ts';
import { givenProject, program } from './project.ts';

const ORDERS = `# The orders of a day
name: Orders
folder: \${schema}
description: \${region} # a region
sql: |
  SELECT 1 AS a -- \${schema}
`;
const SETTINGS = `project: shop
contexts:
  dev: {}
  prod: { protected: true }
  other: { workspace: Nowhere }
  elsewhere: { url: "https://bi.example.com" }
variables:
  schema: { dev: staging, prod: public }
  region: eu
`;

const owner = async (api: Api) => program(api, await api.token('owner'));
const queries = async (api: Api) => (await api.as('owner').get('/api/saved-queries?sort=name')).body.items;
const inContext = (name: string) => ({ env: { ANALYTICS_CONTEXT: name } });

describe('variables of a project', () => {
  it('have the values of the context, and survive a pull where they are the same', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject({ 'analytics.yaml': SETTINGS, 'queries/orders.yaml': ORDERS });
    const dev = inContext('dev');
    expect(await run(project, ['validate'], dev)).toMatchObject({ code: 0 });
    expect(await run(project, ['deploy', '--yes'], dev)).toMatchObject({ code: 0 });
    expect(await queries(api)).toMatchObject([
      { folder: 'staging', description: 'eu', sql: 'SELECT 1 AS a -- staging\n' },
    ]);
    expect(await run(project, ['diff'], dev)).toMatchObject({ code: 0 });
    expect(await run(project, ['pull'], dev)).toMatchObject({ code: 0 });
    expect(project.read('queries/orders.yaml')).toBe(ORDERS);

    const [{ id }] = await queries(api);
    await api.as('owner').patch(`/api/saved-queries/${id}`, { description: 'us', name: 'Costs ${schema}' });
    expect(await run(project, ['pull'], dev)).toMatchObject({ code: 0, out: '~ queries/orders.yaml\n' });
    expect(project.read('queries/orders.yaml')).toBe(
      ORDERS.replace('name: Orders', () => 'name: Costs $${schema}').replace('${region} #', 'us #'),
    );
    expect(await run(project, ['diff'], dev)).toMatchObject({ code: 0, out: '' });

    expect(await run(project, ['diff'], inContext('prod'))).toMatchObject({
      code: 3,
      out: '~ query/orders   folder, sql\n',
    });
    expect(await run(project, ['deploy', '--yes'], inContext('prod'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('--confirm prod'),
    });
    expect(await run(project, ['deploy', '--yes', '--confirm', 'prod'], inContext('prod'))).toMatchObject({ code: 0 });
    expect(await queries(api)).toMatchObject([{ folder: 'public', name: 'Costs ${schema}' }]);
  });

  it('without a value are refused with their places, before anything is sent', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject({ 'analytics.yaml': SETTINGS, 'queries/orders.yaml': ORDERS });
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'queries/orders.yaml:3:9: The value of the variable "schema" depends on the context.',
      ),
    });
    project.write('queries/orders.yaml', ORDERS.replace('${region}', '${regions}'));
    expect(await run(project, ['validate'], inContext('dev'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('queries/orders.yaml:4:14: Unknown variable "regions"; did you mean "region"?'),
    });
    // An issue that the platform finds has its place in the file.
    project.write('queries/orders.yaml', 'name: ${region}\nsql: SELECT 1\n"${region}": { a: 1 }\n');
    expect(await run(project, ['validate'], inContext('dev'))).toMatchObject({
      code: 1,
      out: expect.stringContaining('queries/orders.yaml:3:2: /eu Unknown member "eu"'),
    });
  });

  it('and files reach only the workspace and the address that the project names', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject({ 'analytics.yaml': SETTINGS, 'themes/none.yaml': 'name: None\n' });
    for (const [name, hint] of [
      ['other', 'in the workspace Nowhere'],
      ['elsewhere', 'at https://bi.example.com'],
    ] as const) {
      const refused = await run(project, ['diff'], inContext(name));
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(hint) });
    }
    const { name } = (await api.as('owner').get('/api/workspaces/current')).body;
    project.write('analytics.yaml', `project: shop\ncontexts: { here: { workspace: ${JSON.stringify(name)} } }\n`);
    expect((await run(project, ['diff'], inContext('here'))).code).not.toBe(2);
  });
});

describe('analytics status', () => {
  it('tells at a glance what has changed where, and by which file an object is managed', async ({ api }) => {
    const run = await owner(api);
    const text = (name: string) => `name: ${name}\nsql: SELECT 1\n`;
    const names = ['same', 'edited', 'drift', 'both', 'gone'];
    const project = givenProject(Object.fromEntries(names.map((name) => [`queries/${name}.yaml`, text(name)])));
    expect(await run(project, ['deploy', '--yes', '--commit', 'a1b2c3d'])).toMatchObject({ code: 0 });
    await posted(api, '/api/saved-queries', { name: 'Made by hand', sql: 'SELECT 1' });
    for (const { id, name } of await queries(api))
      if (['drift', 'both'].includes(name))
        await api.as('owner').patch(`/api/saved-queries/${id}`, { folder: 'changed' });
    for (const name of ['edited', 'both']) project.write(`queries/${name}.yaml`, `${text(name)}folder: mine\n`);
    project.write('queries/new.yaml', text('new'));
    project.remove('queries/gone.yaml');

    const shown = await run(project, ['status']);
    expect(shown).toMatchObject({ code: 0, err: 'shop: 5 changed · 1 as deployed · 1 not managed by files\n' });
    const lines = shown.out.trim().split('\n');
    const managed = (name: string) => new RegExp(`\\(queries/${name}\\.yaml@a1b2c3d, .*UTC\\)$`);
    for (const [index, [name, start]] of [
      ['both', '! query/both   changed in the file and on the platform   '],
      ['drift', '! query/drift   changed on the platform   '],
      ['edited', '~ query/edited   file changed   '],
      ['gone', '- query/gone   no file   '],
    ].entries()) {
      expect(lines[index]!.startsWith(start!), lines[index]).toBe(true);
      expect(lines[index]).toMatch(managed(name!));
    }
    expect(lines[4]).toBe('+ query/new   new file');
    expect(lines).toHaveLength(5);
    expect((await run(project, ['status', '--all'])).out).toContain('· query/same   as deployed   (queries/same.yaml@');

    const document = JSON.parse((await run(project, ['status', '--json'])).out);
    expect(Object.keys(document)).toEqual(['project', 'url', 'context', 'unmanaged', 'lines']);
    expect(document).toMatchObject({ project: 'shop', url: api.endpoint, context: null, unmanaged: 1 });
    expect(document.lines.map(({ key, state }: { key: string; state: string }) => [key, state])).toEqual([
      ['both', 'conflict'],
      ['drift', 'drift'],
      ['edited', 'edited'],
      ['gone', 'removed'],
      ['new', 'new'],
    ]);
    expect(document.lines[0]).toEqual({
      ...{ kind: 'query', key: 'both', state: 'conflict', path: 'queries/both.yaml' },
      managedBy: { project: 'shop', path: 'queries/both.yaml', commit: 'a1b2c3d' },
      deployedAt: expect.stringMatching(/Z$/),
    });
  });
});

describe('statements in files of SQL', () => {
  const QUERY = '-- name: Open orders\n-- folder: finance\nSELECT 1 AS a -- one\nFROM (VALUES (1)) AS orders(b)\n';
  const PIPELINE = `# Every night
name: Nightly
steps:
  - id: clean
    type: transform_sql
    config: { sql: { file: nightly/clean.sql } } # kept beside
`;
  const CLEAN = "-- the rows\nSELECT 1 AS a,\n  '${region}' AS region\n";
  const FOLDER = {
    'analytics.yaml': 'project: shop\nvariables: { region: eu }\n',
    'queries/open.sql': QUERY,
    'pipelines/nightly.yaml': PIPELINE,
    'pipelines/nightly/clean.sql': CLEAN,
  };
  const pipelines = async (api: Api) => (await api.as('owner').get('/api/pipelines')).body.items;

  it('are deployed, and get what has changed on the platform', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject(FOLDER);
    const before = project.all();
    const deployed = await run(project, ['deploy', '--yes']);
    expect(deployed, deployed.err + deployed.out).toMatchObject({ code: 0, err: expect.stringContaining('2 applied') });
    const [{ id: queryId, sql }] = await queries(api);
    expect(sql).toBe('SELECT 1 AS a -- one\nFROM (VALUES (1)) AS orders(b)');
    const [{ id }] = await pipelines(api);
    const { dag } = (await api.as('owner').get(`/api/pipelines/${id}`)).body;
    expect(dag.steps[0].config.sql).toBe("-- the rows\nSELECT 1 AS a,\n  'eu' AS region");
    for (const args of [['diff'], ['pull', '--overwrite'], ['validate']])
      expect(await run(project, args), args.join(' ')).toMatchObject({ code: 0 });
    expect(project.all()).toEqual(before);

    await api.as('owner').patch(`/api/saved-queries/${queryId}`, { sql: 'SELECT 2 AS a', description: 'Two: 2' });
    const [step] = dag.steps;
    const changed = { ...step, config: { ...step.config, sql: step.config.sql.replace('1 AS a', '2 AS a') } };
    const patched = await api.as('owner').patch(`/api/pipelines/${id}`, { dag: { ...dag, steps: [changed] } });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    expect(await run(project, ['pull'])).toMatchObject({ code: 0 });
    expect(project.read('queries/open.sql')).toBe(
      "-- name: Open orders\n-- description: 'Two: 2'\n-- folder: finance\nSELECT 2 AS a\n",
    );
    // The statement changes in its file, and keeps its variable.
    expect(project.read('pipelines/nightly.yaml')).toBe(PIPELINE);
    expect(project.read('pipelines/nightly/clean.sql')).toBe(CLEAN.replace('1 AS a', '2 AS a'));
    // What was pulled is known to the platform as of the next deployment.
    const same = '· query/open   same content\n';
    expect(await run(project, ['diff'])).toMatchObject({ code: 0, out: same });

    project.write('pipelines/nightly/clean.sql', CLEAN.replace('1 AS a', '3 AS a'));
    expect(await run(project, ['diff'])).toMatchObject({
      code: 3,
      out: expect.stringContaining('~ pipeline/nightly   steps.clean.config.sql\n'),
    });
    expect(await run(project, ['move', 'query/open', 'query/all'])).toMatchObject({ code: 0 });
    expect(project.read('queries/all.sql')).toContain('SELECT 2 AS a');
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    expect(await queries(api)).toHaveLength(1);
  });

  it('have issues with their places, and are read from the folder alone', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject({
      ...FOLDER,
      'queries/open.sql': '-- name: Open orders\n-- folders: a\nSELECT 1\n',
      'pipelines/nightly/clean.sql': 'SELECT 1 AS a\n',
    });
    expect(await run(project, ['validate'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('queries/open.sql:2:4: /folders Unknown member "folders"; did you mean "folder"?'),
    });
    project.write('queries/open.sql', 'SELECT ${regions}\n');
    project.write('pipelines/nightly/clean.sql', '\nSELECT ${schema}\n');
    project.write('pipelines/other.yaml', PIPELINE.replace('nightly/clean.sql', '../analytics.yaml'));
    project.write('pipelines/none.yaml', PIPELINE.replace('nightly/clean.sql', 'none.sql'));
    project.write('pipelines/linked.yaml', PIPELINE.replace('nightly/clean.sql', 'linked.sql'));
    symlinkSync('/etc/hostname', join(project.folder, 'pipelines/linked.sql'));
    const refused = await run(project, ['deploy', '--yes']);
    expect(refused.code).toBe(2);
    for (const issue of [
      'queries/open.sql:1:8: Unknown variable "regions"; did you mean "region"?',
      'pipelines/nightly/clean.sql:2:8: Unknown variable "schema"',
      'pipelines/other.yaml: ../analytics.yaml must be the path of a file below pipelines',
      'pipelines/none.yaml: pipelines/none.sql: there is no such file',
      'pipelines/linked.yaml: pipelines/linked.sql: there is no such file; links are not followed.',
    ])
      expect(refused.err).toContain(issue);
    expect(await queries(api)).toEqual([]);
  });
});

describe('changes of both sides', () => {
  const FILE = '# A query\nname: Orders\nfolder: a\ndescription: a\nsql: SELECT 1\n';

  async function givenChanges(api: Api, theirs: object, ours: string) {
    const run = await owner(api);
    const project = givenProject({ 'queries/orders.yaml': FILE });
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    const [{ id }] = await queries(api);
    expect((await api.as('owner').patch(`/api/saved-queries/${id}`, theirs)).status).toBe(200);
    project.write('queries/orders.yaml', ours);
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 6 });
    return { run, project };
  }

  it('of different members are merged by a deployment, in the file too', async ({ api }) => {
    const ours = FILE.replace('SELECT 1', 'SELECT 2');
    const { run, project } = await givenChanges(api, { folder: 'theirs' }, ours);
    const merged = await run(project, ['deploy', '--yes', '--merge']);
    expect(merged).toMatchObject({
      code: 0,
      out: expect.stringContaining('~ query/orders   merged with the platform'),
    });
    expect(project.read('queries/orders.yaml')).toBe(ours.replace('folder: a', 'folder: theirs'));
    expect(await queries(api)).toMatchObject([{ folder: 'theirs', sql: 'SELECT 2' }]);
    expect(await run(project, ['diff'])).toMatchObject({ code: 0 });
  });

  it('of different members are merged into the file by a pull, which deploys nothing', async ({ api }) => {
    const ours = FILE.replace('SELECT 1', 'SELECT 2');
    const { run, project } = await givenChanges(api, { folder: 'theirs' }, ours);
    expect(await run(project, ['pull'])).toMatchObject({ code: 6 });
    expect(await run(project, ['pull', '--merge'])).toMatchObject({ code: 0 });
    expect(project.read('queries/orders.yaml')).toBe(ours.replace('folder: a', 'folder: theirs'));
    expect(await queries(api)).toMatchObject([{ folder: 'theirs', sql: 'SELECT 1' }]);
    expect(await run(project, ['diff'])).toMatchObject({ code: 3, out: '~ query/orders   sql\n' });
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
  });

  it('of the same member are left to a person', async ({ api }) => {
    const ours = FILE.replace('folder: a', 'folder: ours').replace('SELECT 1', 'SELECT 2');
    const { run, project } = await givenChanges(api, { folder: 'theirs' }, ours);
    expect(await run(project, ['pull', '--merge'])).toMatchObject({
      code: 6,
      err: expect.stringContaining('both sides have changed folder'),
    });
    expect(await run(project, ['deploy', '--yes', '--merge'])).toMatchObject({
      code: 6,
      out: expect.stringContaining('! query/orders   conflict: folder'),
    });
    expect(project.read('queries/orders.yaml')).toBe(ours);
    expect(await queries(api)).toMatchObject([{ folder: 'theirs', sql: 'SELECT 1' }]);
  });
});

describe('analytics init', () => {
  it('makes a folder a project, with a workflow for GitHub that does what the guide says', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject({});
    project.remove('analytics.yaml');
    const made = await run(project, ['init', '--name', 'shop']);
    expect(made).toMatchObject({ code: 0, out: '+ analytics.yaml\n', err: expect.stringContaining('.gitignore') });
    expect(await run(project, ['validate'])).toMatchObject({ code: 0, err: '0 files are valid.\n' });
    expect(await run(project, ['init'])).toMatchObject({ code: 2, err: expect.stringContaining('already contains') });
    project.write('.gitignore', '.env\n');
    const workflow = await run(project, ['init', '--github', '--json']);
    expect(workflow).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(workflow.out)).toEqual({ files: ['.github/workflows/analytics.yaml'] });

    const shown = fencesOf('definitions.md').map(({ content }) => content);
    expect(shown).toContain(project.read('.github/workflows/analytics.yaml'));
    // The steps, as the shell of GitHub runs them.
    project.write('queries/orders.yaml', 'name: Orders | `x`\nsql: SELECT 1\n');
    const ci = { env: { CI: 'true', GITHUB_SHA: 'a1b2c3d' } };
    expect(await run(project, ['validate'], ci)).toMatchObject({ code: 0 });
    const table = await run(project, ['diff', '--markdown'], ci);
    expect(table).toMatchObject({ code: 3, out: expect.stringContaining('| + | query/orders |  |\n\n1 to create\n') });
    expect(await run(project, ['deploy', '--yes', '--commit', 'a1b2c3d'], ci)).toMatchObject({ code: 0 });
    const unchanged = await run(project, ['diff', '--markdown'], ci);
    expect(unchanged).toMatchObject({ code: 0, out: expect.stringContaining('Nothing has changed.') });
  });
});

it('documents for programs have the members that the README names', async ({ api }) => {
  const run = await owner(api);
  const project = givenProject({ 'queries/orders.yaml': 'name: Orders\nsql: SELECT 1\n' });
  const membersOf = async (args: string[]) => {
    const { out } = await run(project, [...args, '--json']);
    expect(out.trim().split('\n'), args.join(' ')).toHaveLength(1);
    const document = JSON.parse(out);
    const [line] = document.lines ?? document.adopted ?? [];
    return [Object.keys(document).sort(), ...(line ? [Object.keys(line).sort()] : [])];
  };
  const line = ['action', 'details', 'key', 'kind', 'path'];
  expect(await membersOf(['validate'])).toEqual([['lines']]);
  expect(await membersOf(['diff'])).toEqual([['lines'], line]);
  expect(await membersOf(['deploy', '--yes'])).toEqual([['lines'], [...line, 'result']]);
  expect(await membersOf(['status'])).toEqual([['context', 'lines', 'project', 'unmanaged', 'url']]);
  await posted(api, '/api/saved-queries', { name: 'Other', sql: 'SELECT 2' });
  expect(await membersOf(['adopt', 'query/other'])).toEqual([['adopted'], ['key', 'kind', 'path']]);
  const [{ id }] = (await queries(api)).filter(({ name }: { name: string }) => name === 'Orders');
  await api.as('owner').patch(`/api/saved-queries/${id}`, { folder: 'changed' });
  expect((await membersOf(['diff']))[1]).toEqual(expect.arrayContaining([...line, 'changedAt', 'changedBy', 'digest']));
  expect(await membersOf(['pull'])).toEqual([['lines'], ['key', 'kind', 'result']]);
  expect(await membersOf(['move', 'query/orders', 'query/all'])).toEqual([['changed', 'from', 'path', 'to']]);
  const [moved] = JSON.parse((await run(project, ['diff', '--json'])).out).lines;
  expect(moved).toMatchObject({ action: 'move', key: 'orders', to: 'all', path: 'queries/all.yaml' });
});
