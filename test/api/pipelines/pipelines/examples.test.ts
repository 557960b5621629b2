import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, vi } from 'vitest';
import { GROUPS } from '../../../../functions/api.ts';
import type { Route } from '../../../../shared/platform/http/route.ts';
import { Router } from '../../../../shared/platform/http/router.ts';
import { type Api, it } from '../../../support/api.ts';
import { issuesOf } from '../../../support/conformance.ts';
import { foreignBucket } from '../../../support/given/foreign-bucket.ts';
import { call } from '../../../support/http.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { openWebService, sendJson } from '../../../support/web-service.ts';
import { dagOf, finishedRun, givenFiles, givenPipeline, hookUrl, type StepInput, sendFiles, sql } from './given.ts';
import { type Block, readGuide, type Section } from './guide.ts';

const { sample, sections } = readGuide();
const examples = sections.flatMap(({ blocks }) => blocks.map((block) => Object.values(block).join('\n'))).join('\n');

/**
 * Needs a model: `suggest-ops.test.ts` sends it to a scripted one. Here its body is checked against the declaration.
 */
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

/**
 * Executes the blocks of one section. Knows what each name in angle brackets stands for, such as the newest pipeline.
 */
class Execution {
  readonly #api: Api;
  readonly #folder: string;
  readonly #names = new Map<string, string>();

  constructor(api: Api, folder: string) {
    this.#api = api;
    this.#folder = folder;
  }

  async execute(block: Block): Promise<void> {
    switch (block.kind) {
      case 'steps':
        return this.#run(
          dagOf((await this.#read(sample.step)) as StepInput, ...((await this.#read(block.steps)) as StepInput[])),
        );
      case 'definition':
        return this.#run((await this.#read(block.dag)) as ReturnType<typeof dagOf>);
      case 'saved':
        return writeFile(join(this.#folder, block.path), block.content);
      case 'upload':
        return sendFiles(this.#api, await this.#valueOf('<files>'), { [block.path]: block.content });
      case 'script':
        return this.#runScript(block);
      case 'request':
        return this.#send(block);
      case 'query':
        return vi.waitFor(async () => {
          const { body } = await this.#api.as('editor').post('/api/query', { sql: block.sql });
          expect(body.rows, JSON.stringify(body)).toEqual(JSON.parse(block.rows));
        }, WITHIN);
    }
  }

  /**
   * Scripts take the platform and the key from their environment. A reply is waited for, as a reader would repeat the
   * call.
   */
  async #runScript({ script, reply }: Extract<Block, { kind: 'script' }>): Promise<void> {
    const env = { ...process.env, API: `${this.#api.endpoint}/api`, KEY: await this.#api.token('editor') };
    const run = () => promisify(execFile)('sh', ['-e', '-c', script], { cwd: this.#folder, env });
    if (reply === undefined) {
      await run();
      return;
    }
    await vi.waitFor(async () => {
      const { stdout } = await run();
      expect(JSON.parse(stdout), stdout).toMatchObject(JSON.parse(reply));
    }, WITHIN);
  }

  /** Saves a pipeline, and runs it unless something else starts it. */
  async #run(dag: ReturnType<typeof dagOf> & { trigger?: { kind: string } }): Promise<void> {
    const { id } = dag.trigger ? await givenPipeline(this.#api, dag) : (await finishedRun(this.#api, dag)).pipeline;
    this.#names.set('<pipeline>', id);
    if (dag.trigger?.kind === 'webhook') this.#names.set('<hook>', (await hookUrl(this.#api, id)).href);
  }

  async #send({ method, url, body, reply: expected }: Extract<Block, { kind: 'request' }>): Promise<void> {
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
      if (expected !== undefined) expect(reply.body).toMatchObject(JSON.parse(await this.#fill(expected)));
      return reply;
    };
    // A run that was just started is not in its final state yet.
    const { body: received } = method === 'GET' ? await vi.waitFor(send, WITHIN) : await send();
    if (path.endsWith('/flowlets')) this.#names.set('<flowlet>', received.id);
    if (path.endsWith('/cdc-streams')) await this.#captured(received.id);
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
    for (const name of new Set(text.match(/<\w+>/g))) filled = filled.replaceAll(name, await this.#valueOf(name));
    return filled;
  }

  async #valueOf(name: string): Promise<string> {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const made = await this.#make(name);
    this.#names.set(name, made);
    return made;
  }

  async #make(name: string): Promise<string> {
    switch (name) {
      case '<files>':
        return givenFiles(this.#api, { 'orders.csv': sample.csv });
      case '<pipeline>':
      case '<upstream>':
        return (await givenPipeline(this.#api, dagOf(sql('some', 'SELECT 1 AS x')))).id;
      case '<database>':
        return this.#source('postgres', await databaseOf(server));
      case '<bucket>':
        return this.#source('s3', await givenBucket());
      case '<service>':
        return this.#source('http', { config: { baseUrl: await serviceUrl(), endpoints: ENDPOINTS }, secrets: {} });
      default:
        throw new Error(`the guide does not define ${name}`);
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

async function givenBucket() {
  const { bucket, endpoint, secrets } = await foreignBucket({ 'exports/orders.csv': sample.csv });
  return { config: { bucket, endpoint }, secrets };
}

const ENDPOINTS = [
  { name: 'orders', path: '/orders' },
  { name: 'flaky', path: '/flaky' },
];

/** The endpoint `flaky` fails three times before it returns its rows. */
async function serviceUrl(): Promise<string> {
  let calls = 0;
  const service = await openWebService(({ pathname }, response) => {
    if (pathname === '/flaky' && ++calls <= 3) response.writeHead(503, { 'retry-after': '0' }).end();
    else sendJson(response, [{ id: 1 }, { id: 2 }]);
  });
  return service.url;
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const needsCurl = ({ blocks }: Section) => blocks.some(({ kind }) => kind === 'script');

async function executeSection({ blocks }: Section, { api }: { api: Api }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pipelines-guide-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const execution = new Execution(api, folder);
  for (const block of blocks) await execution.execute(block);
}

describe('the guide to pipelines', () => {
  it('has examples of every kind of step, source, target, trigger and policy', () => {
    for (const type of ['extract', 'transform_sql', 'transform_code', 'route', 'load']) {
      expect(examples).toContain(`"type": "${type}"`);
    }
    for (const kind of ['file_arrival', 'pipeline', 'webhook', 'dataset', 'table', 'files']) {
      expect(examples).toContain(`"kind": "${kind}"`);
    }
    for (const source of ['files', 'database', 'bucket', 'service']) expect(examples).toContain(`<${source}>`);
    const values = [
      ...['append', 'overwrite', 'merge', 'delete_insert', 'insert_only', 'scd2', 'partition'],
      ...['evolve', 'ignore', 'skip', 'queue', 'cancel_previous', 'all_matches', 'incremental'],
      ...['fail', 'warn', 'quarantine', 'drop'],
    ];
    for (const value of values) expect(examples).toContain(`"${value}"`);
    const gates = ['not_null', 'unique', 'value_range', 'row_count', 'email', 'phone', 'regex', 'allowed_values'];
    const others = ['date_range', 'no_future_date', 'no_negative', 'foreign_key', 'duplicate_detection', 'custom_sql'];
    for (const gate of [...gates, ...others]) expect(examples).toContain(`"type": "${gate}"`);
    const members = ['retry', 'when', 'forEach', 'gates', 'fromPorts', 'cron', 'everySeconds', 'flowletId', 'stream'];
    for (const member of [...members, 'deleteColumn', 'query', 'backfill', 'size']) expect(examples).toContain(member);
  });

  it.for(sections.filter((section) => !needsCurl(section)))('shows what happens: $page, $title', executeSection);

  const scripts = sections.filter(needsCurl);
  it.runIf(hasCurl).for(scripts)('shows what happens: $page, $title (with curl)', executeSection);
});
