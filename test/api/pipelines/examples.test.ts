import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { GROUPS } from '../../../functions/api.ts';
import type { Route } from '../../../shared/http/route.ts';
import { Router } from '../../../shared/http/router.ts';
import { type Api, it } from '../../support/api.ts';
import { faultsOf } from '../../support/conformance.ts';
import { dagOf, finishedRun, givenFiles, givenPipeline, type StepInput, sql } from './given.ts';

const text = readFileSync(join(import.meta.dirname, '../../../docs/pipelines.md'), 'utf8');
const [, first, csv] = /```json\n([\s\S]*?)```\n\n```csv\n([\s\S]*?)```/.exec(text)!;

interface Example {
  title: string;
  /** Steps behind the first one, a whole definition, or a request. */
  kind: 'steps' | 'definition' | 'request';
  content: string;
  /** What is to be found after a run. */
  query: string | undefined;
  rows: unknown[][] | undefined;
}

const BLOCKS = /```(json|http)\n([\s\S]*?)```(?:\n\n```sql\n([\s\S]*?)```\n\n```json\n([\s\S]*?)```)?/g;

const EXAMPLES: Example[] = text.split(/\n## /).flatMap((section) =>
  [...section.matchAll(BLOCKS)]
    .filter(([, , content]) => content !== first)
    .map(([, language, content, query, rows], index) => ({
      title: `${section.slice(0, section.indexOf('\n'))} ${index + 1}`,
      kind: language === 'http' ? 'request' : content!.startsWith('[') ? 'steps' : 'definition',
      content: content!,
      query,
      rows: rows && JSON.parse(rows),
    })),
);
const run = EXAMPLES.filter(({ query }) => query !== undefined);
const others = EXAMPLES.filter(({ query }) => query === undefined);

/** Requests that need more than a pipeline: a database, rows of a run. They are held against what the API declares. */
const NOT_SENT = /cdc-streams|transform-preview|suggest-ops/;
const routes = new Router(GROUPS.flatMap((group) => group.routes));

/** What stands in angle brackets. */
async function givenPlaces(api: Api): Promise<Record<string, string>> {
  const requestTo = (line: string) => requestOf(EXAMPLES.find(({ content }) => content.startsWith(line))!);
  const [, body] = requestTo('POST /api/pipelines/flowlets');
  const [, secret] = requestTo('PUT /api/secrets/REVIEW_LIMIT');
  await api.as('owner').put('/api/secrets/REVIEW_LIMIT', secret);
  return {
    '<files>': await givenFiles(api, { 'orders.csv': csv! }),
    '<pipeline>': (await givenPipeline(api, dagOf(sql('some', 'SELECT 1 AS x')))).id,
    '<flowlet>': (await api.as('editor').post('/api/pipelines/flowlets', body)).body.id,
  };
}

const filled = (content: string, places: Record<string, string>) =>
  Object.entries(places).reduce((all, [name, value]) => all.replaceAll(name, value), content);

function requestOf({ content }: Pick<Example, 'content'>): [line: string, body: object] {
  const [line, ...rest] = content.split('\n');
  return [line!, JSON.parse(rest.join('\n'))];
}

describe('docs/pipelines.md', () => {
  it('has examples of every kind of step, trigger and policy, each with what comes of it', () => {
    expect(run.length).toBe(text.match(/```sql/g)!.length);
    expect(EXAMPLES.filter(({ kind, query }) => kind === 'steps' && query === undefined)).toEqual([]);
    const all = EXAMPLES.map(({ content }) => content).join('\n');
    for (const type of ['extract', 'transform_sql', 'transform_code', 'route', 'load']) {
      expect(all).toContain(`"type": "${type}"`);
    }
    for (const kind of ['file_arrival', 'pipeline', 'webhook']) expect(all).toContain(`"kind": "${kind}"`);
    const policies = [
      'onOverlap',
      'retry',
      'when',
      'forEach',
      'onSchemaChange',
      'gates',
      'fromPorts',
      'backfill',
      'cron',
    ];
    for (const policy of policies) expect(all).toContain(policy);
    for (const name of ['flowletId', 'cdc-streams', '"stream"', 'incremental']) expect(all).toContain(name);
  });

  it.for(run)('tells what happens: $title', async ({ kind, content, query, rows }, { api }) => {
    const places = await givenPlaces(api);
    const parse = (json: string) => JSON.parse(filled(json, places));
    const dag =
      kind === 'steps' ? dagOf(parse(first!) as StepInput, ...(parse(content) as StepInput[])) : parse(content);
    await finishedRun(api, dag);
    expect((await api.as('editor').post('/api/query', { sql: query })).body.rows).toEqual(rows);
  });

  it('shows definitions that are sound, and requests that the API takes', async ({ api }) => {
    const places = await givenPlaces(api);
    const scratch = await givenPipeline(api, dagOf(sql('some', 'SELECT 1 AS x')));
    for (const { title, kind, content } of others) {
      if (kind === 'definition') {
        const dag = JSON.parse(filled(content, places));
        const { body } = await api.as('viewer').post(`/api/pipelines/${scratch.id}/validate`, { dag });
        expect([title, body.issues]).toEqual([title, []]);
        continue;
      }
      const [line, body] = requestOf({ content: filled(content, places) });
      const [method, path] = line.split(' ') as [string, string];
      const match = routes.match(method, path);
      expect([title, match.found]).toEqual([title, 'route']);
      if (match.found !== 'route') continue;
      expect([title, faultsOf((match.route as unknown as Route).body!, body)]).toEqual([title, '']);
      if (NOT_SENT.test(path)) continue;
      const reply = await api
        .as(path.startsWith('/api/secrets') ? 'owner' : 'editor')
        .send(method, path, { text: JSON.stringify(body) });
      expect([title, reply.status < 300, reply.body]).toEqual([title, true, reply.body]);
    }
  });
});
