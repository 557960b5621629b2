import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { cases } from '../../../support/cases.ts';
import { files } from './given.ts';
import { givenProject, givenProxy, program } from './project.ts';

const owner = async (api: Api) => program(api, await api.token('owner'));

/** A dashboard with a table for each dashboard that it links to. */
const dashboard = (key: string, links: readonly string[]) =>
  `name: Board ${key}\n${links.length === 0 ? '' : 'cards:\n'}${links
    .map(
      (link, index) => `  - id: c${index}
    cardType: chart
    title: To ${link}
    position:
      x: 0
      'y': ${index * 4}
      w: 6
      h: 4
    chartSpec:
      version: 1
      query:
        source:
          kind: savedQuery
          id: '@query/numbers'
      mark:
        type: table
      config:
        links:
          - title: ${link}
            dashboard: ${link}
`,
    )
    .join('')}`;

const chained = (key: string, upstream: string) => `name: Pipeline ${key}
${upstream === '' ? '' : `trigger:\n  kind: pipeline\n  pipeline: ${upstream}\n`}steps:
  - id: a
    type: transform_sql
    config:
      sql: SELECT 1 AS a
`;

/** A term with relations that may lead back to it, of different kinds. */
const term = (key: string, relations: Record<string, readonly string[]>) => {
  const given = Object.entries(relations).filter(([, others]) => others.length > 0);
  const lists = given.map(([name, others]) => `  ${name}:\n${others.map((other) => `    - ${other}\n`).join('')}`);
  return `name: Term ${key}\ndefinition: ${key}\n${lists.length === 0 ? '' : `relations:\n${lists.join('')}`}`;
};

const NUMBERS = { 'queries/numbers.yaml': 'name: Numbers\nsql: SELECT 1 AS a\n' };
const LINKED = {
  ...NUMBERS,
  'dashboards/a.yaml': dashboard('a', ['b']),
  'dashboards/b.yaml': dashboard('b', ['a']),
};

const boards = async (api: Api) => (await api.as('owner').get('/api/dashboards')).body.items as { id: string }[];
const linksOf = async (api: Api, id: string) =>
  JSON.stringify((await api.as('owner').get(`/api/dashboards/${id}/cards`)).body);

describe('objects that refer to each other', () => {
  it('are made by one deployment, and the files stay as they are', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject(LINKED);
    const before = project.all();
    expect(await run(project, ['validate'])).toMatchObject({ code: 0 });
    const deployed = await run(project, ['deploy', '--yes']);
    expect(deployed, deployed.err).toMatchObject({ code: 0, err: expect.stringContaining('3 applied · 0 left') });
    const [one, other] = await boards(api);
    expect(await linksOf(api, one!.id)).toContain(other!.id);
    expect(await linksOf(api, other!.id)).toContain(one!.id);
    for (const args of [['diff'], ['pull'], ['deploy', '--yes']])
      expect(await run(project, args), args.join(' ')).toMatchObject({ code: 0 });
    expect(project.all()).toEqual(before);
  });

  it('are complete after a deployment that was killed at any request is repeated', async ({ api }) => {
    const run = await owner(api);
    for (const at of [3, 5, 6, 7, 8, 9, 10]) {
      const names = [`a${at}`, `b${at}`] as const;
      const project = givenProject(
        {
          ...NUMBERS,
          [`dashboards/${names[0]}.yaml`]: dashboard(names[0], [names[1]]),
          [`dashboards/${names[1]}.yaml`]: dashboard(names[1], [names[0]]),
        },
        { name: `kill-${at}` },
      );
      project.remove('queries/numbers.yaml');
      if (at === 3) await files(api, 'owner').deploy('query', 'numbers', NUMBERS['queries/numbers.yaml']);
      let kill = () => {};
      const { url } = await givenProxy(api.endpoint, (count) => {
        if (count !== at) return undefined;
        kill();
        return 'drop';
      });
      await run(project, ['deploy', '--yes'], { url, meanwhile: (child) => (kill = () => child.kill('SIGKILL')) });
      const ended = await run(project, ['deploy', '--yes']);
      expect(ended, `${at}: ${ended.err}`).toMatchObject({ code: 0 });
      expect(await run(project, ['diff'])).toMatchObject({ code: 0, out: '' });
      const mine = ((await boards(api)) as { id: string; name: string }[]).filter(({ name }) => name.endsWith(`${at}`));
      expect(mine).toHaveLength(2);
    }
  });

  it('may be created in part only if they do not exist yet', async ({ api }) => {
    const { deploy, put, text, list } = files(api, 'owner');
    await deploy('query', 'numbers', NUMBERS['queries/numbers.yaml']);
    const file = dashboard('a', ['b']);
    expect(await put('dashboard', 'a', file)).toMatchObject({ status: 400 });
    expect(await deploy('dashboard', 'a', file, 'partial=true&dryRun=true')).toMatchObject({ omitted: ['cards'] });
    expect((await list('kind=dashboard')).total).toBe(0);
    const wrong = file.replace('name: Board a', 'names: Board a');
    expect(await put('dashboard', 'a', wrong, 'partial=true')).toMatchObject({ status: 400 });
    const made = await deploy('dashboard', 'a', file, 'partial=true');
    expect(made).toMatchObject({ outcome: 'created', omitted: ['cards'] });
    expect(await text('dashboard', 'a')).toBe('name: Board a\n');
    // What exists is changed as a whole.
    const other = file.replaceAll('b', 'c');
    expect(await put('dashboard', 'a', other, 'partial=true')).toMatchObject({ status: 400 });
    expect(await deploy('dashboard', 'b', dashboard('b', ['a']), 'partial=true')).toMatchObject({ omitted: [] });
    expect(await deploy('dashboard', 'a', file)).toMatchObject({ outcome: 'changed', id: made.id, omitted: [] });
    expect(await text('dashboard', 'a')).toBe(file);
  });

  it('and cannot, such as pipelines that would start each other, are rejected with their places', async ({ api }) => {
    const run = await owner(api);
    const project = givenProject({
      'pipelines/a.yaml': chained('a', 'c'),
      'pipelines/b.yaml': chained('b', 'a'),
      'pipelines/c.yaml': chained('c', 'b'),
      'pipelines/free.yaml': chained('free', ''),
    });
    const refused = await run(project, ['deploy', '--yes']);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('1 applied · 0 left alone · 3 failed') });
    for (const [key, upstream] of ['ac', 'ba', 'cb'])
      expect(refused.err).toContain(
        `pipelines/${key}.yaml:4:3: /trigger/pipeline names no pipeline: there is none with the key "${upstream}"`,
      );
    expect((await api.as('owner').get('/api/pipelines')).body.items).toMatchObject([{ name: 'Pipeline free' }]);
    // In a chain, each waits for the one before it.
    project.write('pipelines/a.yaml', chained('a', 'free'));
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    expect(await run(project, ['diff'])).toMatchObject({ code: 0, out: '' });
  });

  it('in any way make the same files again', async ({ api }) => {
    const run = await owner(api);
    const keys = ['a', 'b', 'c', 'd', 'e'] as const;
    const graph = fc.record({
      boards: fc.array(fc.subarray([...keys]), { minLength: 5, maxLength: 5 }),
      chain: fc.shuffledSubarray([...keys], { minLength: 1 }),
      terms: fc.array(
        fc.record({
          broader: fc.subarray([...keys]),
          related: fc.subarray([...keys]),
          replacedBy: fc.subarray([...keys]),
        }),
        { minLength: 5, maxLength: 5 },
      ),
    });
    for (const [index, { boards: links, chain, terms }] of fc.sample(graph, cases(2, 20)).entries()) {
      const named = (key: string) => `${key}${index}`;
      const project = givenProject(
        {
          ...(index === 0 && NUMBERS),
          ...Object.fromEntries(
            keys.map((key, at) => [`dashboards/${named(key)}.yaml`, dashboard(named(key), links[at]!.map(named))]),
          ),
          ...Object.fromEntries(
            keys.map((key, at) => {
              const { broader, related, replacedBy } = terms[at]!;
              const later = (others: readonly string[]) => others.filter((other) => other > key).map(named);
              const earlier = (others: readonly string[]) => others.filter((other) => other < key).map(named);
              const relations = { broader: later(broader), related: later(related), replacedBy: earlier(replacedBy) };
              return [`terms/${named(key)}.yaml`, term(named(key), relations)];
            }),
          ),
          ...Object.fromEntries(
            chain.map((key, at) => [
              `pipelines/${named(key)}.yaml`,
              chained(named(key), at === 0 ? '' : named(chain[at - 1]!)),
            ]),
          ),
        },
        { name: `graph-${index}` },
      );
      const before = project.all();
      const deployed = await run(project, ['deploy', '--yes']);
      expect(deployed, `${deployed.out}${deployed.err}`).toMatchObject({ code: 0 });
      expect(await run(project, ['diff'])).toMatchObject({ code: 0, out: '' });
      expect(await run(project, ['pull', '--overwrite'])).toMatchObject({ code: 0 });
      expect(project.all()).toEqual(before);
      // Each file is in the only form that its object gives.
      const { text } = files(api, 'owner');
      for (const key of keys)
        expect(await text('dashboard', named(key))).toBe(project.read(`dashboards/${named(key)}.yaml`));
    }
  });
});
