import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenPipeline, userOf } from './user.ts';

const lines = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('runs', () => {
  it('of all pipelines are listed, by status too, and a watched one prints its logs', async ({ api }) => {
    const { home, run, signIn } = await userOf(api);
    await signIn('owner', '--name', 'test');
    const source = await api.as('owner').post('/api/data-sources', { name: 'Files', type: 'file' });
    writeFileSync(join(home, 'orders.csv'), 'id,customer\n1,Ada\n');
    const broken = await givenPipeline(api, 'Broken', source.body.id);
    expect((await run(['run', 'Broken', '--watch'])).code).toBe(1);
    expect((await run(['upload', 'orders.csv', '--to', 'Files'])).code).toBe(0);
    await givenPipeline(api, 'Whole', source.body.id);
    const watched = await run(['run', 'Whole', '--watch', '--logs']);
    expect(watched).toMatchObject({ code: 0, out: expect.stringContaining('Reading from Files (file).') });

    expect(JSON.parse((await run(['runs', '--json'])).out)).toMatchObject([
      { status: 'succeeded' },
      { status: 'failed', pipelineId: broken },
    ]);
    const [failed] = JSON.parse((await run(['runs', '--status', 'failed', '--json'])).out);
    expect(failed).toMatchObject({ pipelineId: broken });
    expect((await run(['runs', '--status', 'failed'])).out).toMatch(/✕ failed +Broken +\S+ /);
    expect((await run(['runs', 'Whole', '--json', '--limit', '5'])).out).not.toContain(broken);
    expect(await run(['runs', '--status', 'queued'])).toMatchObject({ code: 0, err: 'There are no such runs.\n' });

    // It continues where it failed, now that the file is there.
    const retried = await run(['retry', failed.id, '--from', 'read', '--watch', '--json']);
    expect(retried.code, retried.out).toBe(0);
    expect(lines(retried.out).at(-1)).toMatchObject({ type: 'end', status: 'succeeded' });
    const begun = await run(['backfill', 'Whole', '2026-01-01', '2026-01-02', '--json']);
    expect(begun.code, begun.out).toBe(0);
  });
});

describe('upload --as', () => {
  it('makes a dataset of the file, and reads another file into it only on request', async ({ api }) => {
    const { home, run, signIn } = await userOf(api);
    await signIn('owner', '--name', 'test');
    await api.as('owner').post('/api/data-sources', { name: 'Files', type: 'file' });
    writeFileSync(join(home, 'orders.csv'), 'id\n1\n2\n');
    const made = await run(['upload', 'orders.csv', '--to', 'Files', '--as', 'Orders']);
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining('The dataset Orders has 2 rows.') });
    expect((await run(['query', '--json', 'SELECT count(*) AS n FROM Orders'])).out).toBe('[{"n":2}]\n');

    writeFileSync(join(home, 'more.csv'), 'id\n1\n2\n3\n');
    expect(await run(['upload', 'more.csv', '--to', 'Files', '--as', 'Orders'])).toMatchObject({
      code: 6,
      err: expect.stringContaining('--refresh'),
    });
    const again = await run(['upload', 'more.csv', '--to', 'Files', '--as', 'Orders', '--refresh', '--json']);
    expect(again.code, again.out).toBe(0);
    expect(lines(again.out)).toMatchObject([
      { type: 'uploaded', path: 'more.csv', bytes: 9 },
      { type: 'imported', dataset: 'Orders', rows: 3 },
    ]);

    writeFileSync(join(home, 'bad.parquet'), 'PAR1 no');
    const failed = await run(['upload', 'bad.parquet', '--to', 'Files', '--as', 'Bad', '--json']);
    expect(failed.code, failed.out).toBe(1);
    expect(lines(failed.out).at(-1).error).toMatchObject({ code: 'IMPORT_NOT_SUCCEEDED', job: { status: 'failed' } });
    for (const args of [
      ['orders.csv', 'more.csv', '--as', 'Both'],
      ['orders.csv', '--refresh'],
    ])
      expect((await run(['upload', ...args, '--to', 'Files'])).code, args.join(' ')).toBe(2);
  });
});

describe('webhooks verify', () => {
  it('says whether a delivery has the signature of the secret', async ({ api }) => {
    const { run } = await userOf(api);
    const body = JSON.stringify({ event: 'pipeline.run_failed', timestamp: new Date().toISOString(), data: {} });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', 'a secret').update(`${timestamp}.d1.${body}`).digest('hex');
    const args = (signed: string) => [
      ...['webhooks', 'verify', '-', '--header', `X-Service-Timestamp: ${timestamp}`],
      ...['--header', 'x-service-delivery-id: d1', '--header', `x-service-signature: ${signed}`],
    ];
    const env = { ANALYTICS_WEBHOOK_SECRET: 'a secret' };
    const right = await run(args(`sha256=${signature}`), { env, input: body });
    expect(right, right.err).toMatchObject({ code: 0, out: expect.stringContaining('pipeline.run_failed') });
    expect(await run(args(`sha256=${signature}`), { env, input: `${body} ` })).toMatchObject({ code: 1 });
    const wrong = await run([...args('sha256=00'), '--json'], { env, input: body });
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.out).error).toMatchObject({ exitCode: 1, code: 'DELIVERY_INVALID' });
    expect((await run(args('sha256=00'), { input: body })).code).toBe(2);
    expect((await run(['webhooks', 'verify', '-', '--header', 'none'], { env, input: body })).code).toBe(2);
  });
});

describe('api --paginate', () => {
  it('prints every item of lists by offset and by cursor', async ({ api }) => {
    const { run, signIn } = await userOf(api);
    await signIn('owner', '--name', 'test');
    for (let i = 0; i < 5; i++)
      expect((await api.as('owner').post('/api/saved-queries', { name: `Q ${i}`, sql: 'SELECT 1' })).status).toBe(201);
    const queries = await run(['api', 'get', '/saved-queries', '-f', 'limit=2', '-f', 'sort=name', '--paginate']);
    expect(queries.code).toBe(0);
    expect(lines(queries.out).map(({ name }) => name)).toEqual(['Q 0', 'Q 1', 'Q 2', 'Q 3', 'Q 4']);
    const logged = await run([
      'api',
      'get',
      '/audit-log',
      '-f',
      'limit=2',
      '-f',
      'action=saved_query.created',
      '--paginate',
    ]);
    expect(logged.code, logged.out).toBe(0);
    expect(lines(logged.out)).toHaveLength(5);
    expect((await run(['api', 'get', '/workspaces/current', '--paginate'])).code).toBe(2);
    expect((await run(['api', 'post', '/saved-queries', '--paginate'])).code).toBe(2);
    expect(await run(['api', 'get', '/nothing', '--paginate'])).toMatchObject({ code: 1 });
  });
});

describe('contexts', () => {
  it('are shown, protected and set free, and never with their credentials', async ({ api }) => {
    const { run, signIn } = await userOf(api);
    expect(await run(['context', 'show'])).toMatchObject({ code: 2, err: expect.stringContaining('none') });
    await signIn('owner', '--name', 'test');
    const shown = await run(['context', 'show', '--json']);
    const { email } = await api.password('owner');
    expect(JSON.parse(shown.out)).toEqual({
      ...{ context: 'test', url: api.endpoint, workspace: expect.any(String), email },
      ...{ isCurrent: true, credential: 'API key' },
    });
    expect(await run(['context', 'set', '--protected'])).toMatchObject({ code: 0 });
    expect((await run(['context', 'show', 'test'])).out).toBe(
      `test: ${api.endpoint}, protected · credential: API key\n`,
    );
    const cancelled = await run(['cancel', '00000000-0000-7000-8000-000000000000']);
    expect(cancelled).toMatchObject({ code: 2, err: expect.stringContaining('--confirm test') });
    expect(await run(['context', 'set', 'test', '--no-protected', '--json'])).toMatchObject({ code: 0 });
    expect((await run(['cancel', '00000000-0000-7000-8000-000000000000'])).code).toBe(1);
    expect((await run(['context', 'set', 'test'])).code).toBe(2);
    expect((await run(['context', 'set', 'none', '--protected'])).code).toBe(2);
  });
});

describe('open', () => {
  it('prints where a dashboard is, and opens nothing without a terminal', async ({ api }) => {
    const { run, signIn } = await userOf(api);
    await signIn('owner', '--name', 'test');
    const { id } = (await api.as('owner').post('/api/dashboards', { name: 'Sales' })).body;
    expect(await run(['open', 'dashboard/Sales'])).toMatchObject({ code: 0, out: `${api.endpoint}/api/d/${id}\n` });
    expect(JSON.parse((await run(['open', '--json'])).out)).toEqual({ url: `${api.endpoint}/api/docs` });
    expect((await run(['open', 'dashboard/None'])).code).toBe(1);
    expect((await run(['open', '--', 'query/Sales'])).code).toBe(2);
  });
});

describe('completion', () => {
  it('is there for four shells, which ask the program for words', async ({ api }) => {
    const { run } = await userOf(api);
    for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
      expect(await run(['completion', shell])).toMatchObject({
        code: 0,
        out: expect.stringContaining('analytics complete --'),
      });
    expect((await run(['complete', '--', 'webhooks', '""'])).out).toBe('deliveries\nredeliver\nreplay\nverify\n');
  });
});

describe('a platform that is busy', () => {
  it('ends a command with its own status after retries', async ({ api }) => {
    const { run } = await userOf(api);
    const server = createServer((_, reply) => {
      reply.writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': '0' });
      reply.end(JSON.stringify({ status: 429, code: 'RATE_LIMITED', detail: 'Too many requests.', errors: [] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const env = { ANALYTICS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ANALYTICS_TOKEN: 'x' };
    expect(await run(['whoami'], { env })).toMatchObject({ code: 7, err: expect.stringContaining('RATE_LIMITED') });
  });
});
