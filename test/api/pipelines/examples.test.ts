import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { GROUPS } from '../../../functions/api.ts';
import type { Route } from '../../../shared/platform/http/route.ts';
import { Router } from '../../../shared/platform/http/router.ts';
import { type Api, it, LOCAL } from '../../support/api.ts';
import { issuesOf } from '../../support/conformance.ts';
import { dataBucket } from '../../support/given/bucket.ts';
import { call } from '../../support/http.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { openWebService, sendJson } from '../../support/web-service.ts';
import { dagOf, finishedRun, givenFiles, givenPipeline, hookUrl, type StepInput, sendFiles, sql } from './given.ts';
import { type Block, readGuide, type Story } from './guide.ts';

const { first, csv, stories } = readGuide();
const written = stories.flatMap(({ blocks }) => blocks.map((block) => Object.values(block).join('\n'))).join('\n');

/** Needs a model, which a test of its own has: it is held against what the API declares. */
const NOT_SENT = /suggest-ops/;
const routes = new Router(GROUPS.flatMap((group) => group.routes));
const WITHIN = { timeout: 60_000, interval: 200 };

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres(['-c', 'wal_level=logical']);
  await server.run(`CREATE TABLE orders (id BIGINT PRIMARY KEY, customer TEXT, placed DATE);
    INSERT INTO orders VALUES (1, 'Ada', '2026-01-05'), (2, 'Grace', '2026-01-20'), (3, 'Ada', '2026-01-20')`);
});
afterAll(() => server.stop());

/** A story as it is told: what stands in angle brackets, and the pipeline that was made last. */
class Telling {
  readonly #api: Api;
  readonly #places = new Map<string, string>();

  constructor(api: Api) {
    this.#api = api;
  }

  async tell(block: Block): Promise<void> {
    switch (block.kind) {
      case 'steps':
        return this.#run(
          dagOf((await this.#read(first)) as StepInput, ...((await this.#read(block.steps)) as StepInput[])),
        );
      case 'definition':
        return this.#run((await this.#read(block.dag)) as ReturnType<typeof dagOf>);
      case 'file':
        return sendFiles(this.#api, await this.#place('<files>'), { [block.path]: block.content });
      case 'request':
        return this.#send(block);
      case 'query':
        return vi.waitFor(async () => {
          const { body } = await this.#api.as('editor').post('/api/query', { sql: block.sql });
          expect(body.rows, JSON.stringify(body)).toEqual(JSON.parse(block.rows));
        }, WITHIN);
    }
  }

  /** Saves a pipeline, and runs it unless something else starts it. */
  async #run(dag: ReturnType<typeof dagOf> & { trigger?: { kind: string } }): Promise<void> {
    const { id } = dag.trigger ? await givenPipeline(this.#api, dag) : (await finishedRun(this.#api, dag)).pipeline;
    this.#places.set('<pipeline>', id);
    if (dag.trigger?.kind === 'webhook') this.#places.set('<hook>', (await hookUrl(this.#api, id)).href);
  }

  async #send({ method, url, body, answer }: Extract<Block, { kind: 'request' }>): Promise<void> {
    const [path, text] = [await this.#fill(url), await this.#fill(body ?? '')];
    if (path.startsWith('http')) {
      expect((await call('', method, path, { text })).status).toBeLessThan(300);
      return;
    }
    const match = routes.match(method, path.split('?')[0]!);
    if (match.found !== 'route') throw new Error(`there is no ${method} ${path}`);
    if (text) expect(issuesOf((match.route as unknown as Route).body!, JSON.parse(text))).toBe('');
    if (NOT_SENT.test(path)) return;
    const send = async () => {
      const actor = path.startsWith('/api/secrets') ? 'owner' : 'editor';
      const reply = await this.#api.as(actor).send(method, path, text ? { text } : {});
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
      if (answer !== undefined) expect(reply.body).toMatchObject(JSON.parse(await this.#fill(answer)));
      return reply;
    };
    // What somebody looks at becomes so in a moment.
    const { body: told } = method === 'GET' ? await vi.waitFor(send, WITHIN) : await send();
    if (path.endsWith('/flowlets')) this.#places.set('<flowlet>', told.id);
    if (path.endsWith('/cdc-streams')) await this.#captured(told.id);
  }

  async #captured(streamId: string): Promise<void> {
    await vi.waitFor(async () => {
      const { body } = await this.#api.as('viewer').get(`/api/pipelines/cdc-streams/${streamId}`);
      expect(body.status, JSON.stringify(body.error)).toBe('streaming');
    }, WITHIN);
  }

  async #read(json: string): Promise<unknown> {
    return JSON.parse(await this.#fill(json));
  }

  async #fill(text: string): Promise<string> {
    let filled = text;
    for (const name of new Set(text.match(/<\w+>/g))) filled = filled.replaceAll(name, await this.#place(name));
    return filled;
  }

  async #place(name: string): Promise<string> {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const made = await this.#make(name);
    this.#places.set(name, made);
    return made;
  }

  async #make(name: string): Promise<string> {
    switch (name) {
      case '<files>':
        return givenFiles(this.#api, { 'orders.csv': csv });
      case '<pipeline>':
      case '<upstream>':
        return (await givenPipeline(this.#api, dagOf(sql('some', 'SELECT 1 AS x')))).id;
      case '<database>':
        return this.#source('postgres', await databaseOf(server));
      case '<bucket>':
        return this.#source('s3', await bucketOf(this.#api));
      case '<service>':
        return this.#source('http', { config: { baseUrl: await serviceUrl(), endpoints: ENDPOINTS }, secrets: {} });
      default:
        throw new Error(`the guide does not say what ${name} is`);
    }
  }

  async #source(type: string, settings: object): Promise<string> {
    const reply = await this.#api.as('owner').post('/api/data-sources', { name: `their ${type}`, type, ...settings });
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    return reply.body.id;
  }
}

async function databaseOf({ host, port, database, user, password }: TestPostgres) {
  return { config: { host, port, database, user, ssl: false }, secrets: { password } };
}

async function bucketOf({ endpoint }: Api) {
  const { s3 } = await dataBucket(endpoint);
  const bucket = `theirs-${crypto.randomUUID()}`;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'exports/orders.csv', Body: csv }));
  const { accessKeyId, secretAccessKey } = LOCAL.credentials;
  return { config: { bucket, endpoint }, secrets: { accessKeyId, secretAccessKey } };
}

const ENDPOINTS = [
  { name: 'orders', path: '/orders' },
  { name: 'moody', path: '/moody' },
];

/** Has orders, and `moody` ones that are not to be had at first. */
async function serviceUrl(): Promise<string> {
  let asked = 0;
  const service = await openWebService(({ pathname }, response) => {
    if (pathname === '/moody' && ++asked <= 3) response.writeHead(503, { 'retry-after': '0' }).end();
    else sendJson(response, [{ id: 1 }, { id: 2 }]);
  });
  return service.url;
}

describe('docs/pipelines.md', () => {
  it('has examples of every kind of step, source, target, trigger and policy', () => {
    for (const type of ['extract', 'transform_sql', 'transform_code', 'route', 'load']) {
      expect(written).toContain(`"type": "${type}"`);
    }
    for (const kind of ['file_arrival', 'pipeline', 'webhook', 'dataset', 'table', 'files']) {
      expect(written).toContain(`"kind": "${kind}"`);
    }
    for (const source of ['files', 'database', 'bucket', 'service']) expect(written).toContain(`<${source}>`);
    const words = [
      ...['append', 'overwrite', 'merge', 'delete_insert', 'insert_only', 'scd2', 'partition'],
      ...['evolve', 'ignore', 'skip', 'queue', 'cancel_previous', 'all_matches', 'incremental'],
      ...['fail', 'warn', 'quarantine', 'drop'],
    ];
    for (const word of words) expect(written).toContain(`"${word}"`);
    const gates = ['not_null', 'unique', 'value_range', 'row_count', 'email', 'phone', 'regex', 'allowed_values'];
    const others = ['date_range', 'no_future_date', 'no_negative', 'foreign_key', 'duplicate_detection', 'custom_sql'];
    for (const gate of [...gates, ...others]) expect(written).toContain(`"type": "${gate}"`);
    const members = ['retry', 'when', 'forEach', 'gates', 'fromPorts', 'cron', 'everySeconds', 'flowletId', 'stream'];
    for (const member of [...members, 'deleteColumn', 'query', 'backfill', 'size']) expect(written).toContain(member);
  });

  it.for(stories)('tells what happens: $title', async ({ blocks }: Story, { api }) => {
    const telling = new Telling(api);
    for (const block of blocks) await telling.tell(block);
  });
});
