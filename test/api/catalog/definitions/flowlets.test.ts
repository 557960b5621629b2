import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { files, posted } from './given.ts';
import { givenProject, program } from './project.ts';

const PATH = '/api/pipelines/flowlets';

const flowlet = (name: string, rate: number) => `name: ${name}
description: Adds the gross amount
params:
  - name: of
    type: column
    required: true
inputs:
  - name: rows
    columns:
      - name: net
        type: double
ops:
  - column: gross
    expression: '{{ flowlet.of }} * ${rate}'
    op: derive
`;

const outer = (version = '') => `name: outer
inputs:
  - name: rows
    columns:
      - name: net
        type: double
ops:
  - flowlet: tax
    op: flowlet
    params:
      of: net
${version}`;

const pipeline = (key: string, version = '') => `name: Nightly
steps:
  - id: a
    type: transform_sql
    config:
      sql: SELECT 1.5::DOUBLE AS net
  - id: b
    type: transform_sql
    config:
      ops:
        - flowlet: ${key}
          op: flowlet
${version}    dependsOn:
      - a
`;
const OF_NET = '          params:\n            of: net\n';

const usedBy = async (api: Api, id: string) => {
  const { dag } = (await api.as('owner').get(`/api/pipelines/${id}`)).body;
  return dag.steps[1].config.ops[0];
};

describe('a file of a flowlet', () => {
  it('is its newest version, and a changed file makes the next one', async ({ api }) => {
    const { deploy, text, put, list, read, delete: remove } = files(api, 'owner');
    const first = flowlet('with tax', 1.07);
    expect(await deploy('flowlet', 'tax', first, 'dryRun=true')).toMatchObject({ outcome: 'created' });
    expect((await api.as('owner').get(PATH)).body.total).toBe(0);
    const made = await deploy('flowlet', 'tax', first);
    expect(made).toMatchObject({ outcome: 'created', revision: 1 });
    expect(await text('flowlet', 'tax')).toBe(first);
    expect(await deploy('flowlet', 'tax', first)).toMatchObject({ outcome: 'unchanged', revision: 1, id: made.id });

    const second = flowlet('with tax', 1.19);
    expect(await deploy('flowlet', 'tax', second, 'dryRun=true')).toMatchObject({ outcome: 'changed', revision: 1 });
    expect(await deploy('flowlet', 'tax', second)).toMatchObject({ outcome: 'changed', revision: 2, id: made.id });
    expect(await text('flowlet', 'tax')).toBe(second);
    const versions = (await api.as('owner').get(`${PATH}/${made.id}/versions`)).body.items;
    expect(versions).toMatchObject([
      { version: 2, seriesId: made.id, key: 'tax', managedBy: { project: 'shop' } },
      { version: 1, id: made.id, seriesId: made.id, key: 'tax' },
    ]);
    const [entry] = (await list('kind=flowlet')).items;
    expect(entry).toMatchObject({ key: 'tax', id: made.id, revision: 2, digest: entry.applied.digest });

    // A version that somebody saves is drift.
    const { name, inputs, ops } = versions[1];
    await posted(api, PATH, { name, inputs, ops, params: versions[1].params, description: 'Changed' });
    expect(await put('flowlet', 'tax', flowlet('with tax', 1.2))).toMatchObject({
      status: 412,
      body: { code: 'DEFINITION_DRIFTED', changed: expect.arrayContaining(['description']) },
    });
    const { digest } = (await read('flowlet', 'tax')).body;
    expect(await deploy('flowlet', 'tax', flowlet('with tax', 1.2), `overwrite=${digest}`)).toMatchObject({
      revision: 4,
    });

    // A name is that of one flowlet, and stays.
    expect(await put('flowlet', 'tax', flowlet('other', 1.2))).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/name', code: 'IMMUTABLE' }] },
    });
    for (const rate of [1.2, 1.3])
      expect(await put('flowlet', 'second', flowlet('with tax', rate))).toMatchObject({
        status: 422,
        body: { code: 'DEFINITION_REJECTED', errors: [{ pointer: '/name', code: 'TAKEN' }] },
      });
    expect((await api.as('owner').get(PATH)).body.total).toBe(1);
    expect(await put('flowlet', 'bad', `${flowlet('bad', 1)}  - column: x\n    op: nothing\n`)).toMatchObject({
      status: 422,
      body: { code: 'DEFINITION_REJECTED' },
    });

    const stranger = files(api, 'stranger');
    expect((await stranger.read('flowlet', 'tax')).status).toBe(404);
    expect(await files(api, 'viewer').put('flowlet', 'tax', flowlet('with tax', 9))).toMatchObject({ status: 403 });

    expect((await remove('flowlet', 'tax')).status).toBe(204);
    expect((await api.as('owner').get(PATH)).body.total).toBe(0);
    expect(await deploy('flowlet', 'tax', first)).toMatchObject({ outcome: 'created', revision: 1 });
    expect(await text('flowlet', 'tax')).toBe(first);
    const again = (await api.as('owner').get(PATH)).body.items[0];
    await api.as('owner').delete(`${PATH}/${again.id}/all`);
    expect(await put('flowlet', 'tax', first)).toMatchObject({ status: 409, body: { code: 'DEFINITION_GONE' } });
    expect(await deploy('flowlet', 'tax', first, 'recreate=true')).toMatchObject({ outcome: 'created' });
  });

  it('is named by its key, with a version if not the newest one is meant', async ({ api }) => {
    const { deploy, text, put, list } = files(api, 'owner');
    const tax = await deploy('flowlet', 'tax', flowlet('with tax', 1.07));
    const newest = pipeline('tax', OF_NET);
    const made = await deploy('pipeline', 'nightly', newest);
    expect(await text('pipeline', 'nightly')).toBe(newest);
    expect(await usedBy(api, made.id)).toMatchObject({ flowletId: tax.id, version: 1 });
    expect(await deploy('pipeline', 'nightly', newest)).toMatchObject({ outcome: 'unchanged' });
    const pinned = newest.replace('name: Nightly', 'name: Pinned').replace(OF_NET, `${OF_NET}          version: 1\n`);
    await deploy('pipeline', 'pinned', pinned);
    const entryOf = async (key: string) =>
      (await list('kind=pipeline')).items.find((each: { key: string }) => each.key === key);
    for (const key of ['nightly', 'pinned']) {
      const { digest, applied } = await entryOf(key);
      expect(digest).toBe(applied.digest);
    }

    // The next version: a pipeline that names none is to follow it, and the other one stays.
    await deploy('flowlet', 'tax', flowlet('with tax', 1.19));
    const { digest, applied } = await entryOf('nightly');
    expect(digest).not.toBe(applied.digest);
    expect(await text('pipeline', 'nightly')).toContain('version: 1');
    expect((await entryOf('pinned')).digest).toBe((await entryOf('pinned')).applied.digest);
    expect(await deploy('pipeline', 'pinned', pinned)).toMatchObject({ outcome: 'unchanged' });
    expect(await deploy('pipeline', 'nightly', newest, 'dryRun=true')).toMatchObject({ outcome: 'changed' });
    expect(await deploy('pipeline', 'nightly', newest)).toMatchObject({ outcome: 'changed' });
    expect(await usedBy(api, made.id)).toMatchObject({ version: 2, ops: [{ expression: '"net" * 1.19' }] });
    expect(await text('pipeline', 'nightly')).toBe(newest);
    expect(await text('pipeline', 'pinned')).toBe(pinned);

    for (const [wrong, pointer, code] of [
      [newest.replace('flowlet: tax', 'flowlet: none'), 'flowlet', 'UNKNOWN_KEY'],
      [pinned.replace('version: 1', 'version: 9'), 'version', 'UNKNOWN_VERSION'],
      [pinned.replace('version: 1', 'version: newest'), 'version', 'TYPE'],
      [newest.replace('flowlet: tax', 'name: tax'), 'flowlet', 'REQUIRED'],
    ] as const)
      expect(await put('pipeline', 'wrong', wrong)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: `/steps/1/config/ops/0/${pointer}`, code }] },
      });
    expect(await put('pipeline', 'wrong', newest.replace('of: net', 'off: net'))).toMatchObject({
      status: 422,
      body: { errors: expect.arrayContaining([expect.objectContaining({ code: 'PARAMETER_UNKNOWN' })]) },
    });

    // What a pipeline has kept of a retired flowlet stays as it is.
    expect((await api.as('owner').delete(`${PATH}/${tax.id}/all`)).status).toBe(204);
    const kept = await text('pipeline', 'nightly');
    const used = (await usedBy(api, made.id)).flowletId;
    expect(kept).toContain(`flowlet: ${used}`);
    expect(await deploy('pipeline', 'nightly', kept.replace('Nightly', 'Kept'))).toMatchObject({ outcome: 'changed' });
    expect(await usedBy(api, made.id)).toMatchObject({ flowletId: used, version: 2 });
  });

  it('and those that use it are deployed together, also when only the inner one changes', async ({ api }) => {
    const run = await program(api, await api.token('owner'));
    const project = givenProject({
      'flowlets/outer.yaml': outer(),
      'flowlets/tax.yaml': flowlet('with tax', 1.07),
      'pipelines/nightly.yaml': pipeline('outer'),
    });
    const before = project.all();
    const first = await run(project, ['deploy', '--yes']);
    expect(first, first.err).toMatchObject({ code: 0, err: expect.stringContaining('3 applied · 0 left') });
    for (const args of [['diff'], ['pull']]) expect(await run(project, args)).toMatchObject({ code: 0 });
    expect(project.all()).toEqual(before);

    project.write('flowlets/tax.yaml', flowlet('with tax', 1.19));
    const plan = await run(project, ['diff']);
    expect(plan).toMatchObject({ code: 3, out: expect.stringContaining('~ flowlet/tax   ops') });
    const deployed = await run(project, ['deploy', '--yes']);
    expect(deployed, deployed.err).toMatchObject({ code: 0 });
    expect(await run(project, ['diff'])).toMatchObject({ code: 0, out: '' });
    const [{ id }] = (await api.as('owner').get('/api/pipelines')).body.items;
    expect(JSON.stringify(await usedBy(api, id))).toContain('1.19');
  });
});
