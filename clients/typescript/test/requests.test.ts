import { describe, expect, it } from 'vitest';
import {
  Analytics,
  type ApiError,
  type ClientOptions,
  Conflict,
  ConnectionError,
  failedWith,
  NotFound,
  RateLimited,
  ServerError,
  TimeoutError,
  type Try,
  ValidationError,
} from '../src/index.ts';
import { type Answer, cutOff, hangUp, json, problem, scriptedServer } from './scripted-server.ts';

const ID = '01a22997-4f10-7cf9-9400-18c2f8d14ff7';

/** Waits of retries are skipped by the header that asks for none. */
const NOW = { 'retry-after': '0' };

async function asked(
  answers: Answer[],
  work: (api: Analytics) => Promise<unknown>,
  options: Partial<ClientOptions> = {},
) {
  await using server = await scriptedServer(...answers);
  const api = new Analytics({ url: server.url, apiKey: 'secret-key', ...options });
  const outcome = await work(api).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  return { seen: server.seen, ...outcome } as { seen: typeof server.seen; value?: unknown; error?: unknown };
}

describe('a request', () => {
  it('has the path, the query, the body and the credential', async () => {
    const { seen, value } = await asked([json(201, { id: ID })], (api) =>
      api.datasets.create({ name: 'Orders', source: { kind: 'datasets', sql: 'SELECT 1 AS n' } }),
    );
    expect(value).toEqual({ id: ID });
    expect(seen).toMatchObject([
      { method: 'POST', path: '/datasets', headers: { authorization: 'Bearer secret-key' } },
    ]);
    expect(JSON.parse(seen[0]!.body)).toEqual({ name: 'Orders', source: { kind: 'datasets', sql: 'SELECT 1 AS n' } });

    const listed = await asked([json(200, { items: [], total: 0 })], async (api) => {
      await api.pipelines.list({ limit: 5 });
    });
    expect(listed.seen[0]!.path).toBe('/pipelines?limit=5');
  });

  it('never leaves its place by a value in its path', async () => {
    const { seen } = await asked([json(200, {})], async (api) => {
      for (const name of ['../workspaces', 'a/b?c#d', 'ключ']) await api.secrets.get(name);
    });
    expect(seen.map(({ path }) => path)).toEqual([
      '/secrets/..%2Fworkspaces',
      '/secrets/a%2Fb%3Fc%23d',
      '/secrets/%D0%BA%D0%BB%D1%8E%D1%87',
    ]);
    const empty = await asked([json(200, {})], async (api) => api.datasets.get(''));
    expect(empty).toMatchObject({ seen: [], error: { message: 'id is missing.' } });
    const up = await asked([json(200, {})], async (api) => api.secrets.get('..'));
    expect(up).toMatchObject({ seen: [], error: { message: 'name must not be "..".' } });
  });

  it('asks for a token each time', async () => {
    let given = 0;
    const { seen } = await asked(
      [json(200, {})],
      async (api) => {
        await api.auth.me();
        await api.auth.me();
      },
      { token: async () => `t${++given}` },
    );
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('carries the revision that was read, and shows the headers of the reply', async () => {
    const { seen, value } = await asked([json(200, { id: ID, revision: 8 }, { etag: '"8"' })], (api) =>
      api.models.update(ID, { name: 'Sales' }, { ifMatch: 7 }).withResponse(),
    );
    expect(seen[0]!.headers['if-match']).toBe('"7"');
    const { data, response } = value as { data: unknown; response: Response };
    expect(data).toEqual({ id: ID, revision: 8 });
    expect(response.headers.get('etag')).toBe('"8"');
  });
});

describe('a failed request', () => {
  it('fails once, also with its headers: no other promise is left to handle', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const replies = [json(404, { status: 404, code: 'NOT_FOUND', title: 'x' })];
    const { error } = await asked([...replies], (api) => api.themes.get(ID).withResponse());
    const { error: ofList } = await asked([...replies], (api) => api.themes.list().withResponse());
    for (const each of [error, ofList]) expect(each).toMatchObject({ status: 404 });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('has the code, the issues and the id of the request', async () => {
    const body = {
      status: 400,
      code: 'VALIDATION_FAILED',
      title: 'Invalid',
      detail: 'Two issues.',
      requestId: 'r9',
      more: 1,
    };
    const errors = [{ pointer: '/name', code: 'REQUIRED', message: 'is missing' }];
    const { error } = await asked([json(400, { ...body, errors })], (api) => api.themes.create({ name: '' } as never));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      errors,
      requestId: 'r9',
      problem: { more: 1 },
    });
    expect((error as Error).message).toBe('400 VALIDATION_FAILED: Two issues.\n/name is missing\n(request r9)');
    expect((error as Error).message).not.toContain('secret-key');
  });

  it.each([
    [404, 'DATASET_NOT_FOUND', NotFound],
    [409, 'RUN_OVERLAP', Conflict],
    [500, 'INTERNAL', ServerError],
  ])('with %i is told apart by its class', async (status, code, of) => {
    const { error } = await asked([problem(status, code)], (api) => api.datasets.get(ID));
    expect(error).toBeInstanceOf(of);
    expect(error).toMatchObject({ status, code });
  });

  it('is recognized by the codes of its operation', async () => {
    const { error } = await asked([problem(409, 'RUN_OVERLAP')], (api) => api.pipelines.start(ID));
    expect(failedWith<'pipelines.start'>(error, 'RUN_OVERLAP')).toBe(true);
    expect(failedWith<'pipelines.start'>(error, 'PIPELINE_NOT_FOUND')).toBe(false);
    // @ts-expect-error another operation has this code
    failedWith<'pipelines.start'>(error, 'DATASET_NOT_FOUND');
  });

  it('from a proxy, as a page, has the beginning of the page', async () => {
    const page: Answer = (response) => response.writeHead(502, NOW).end(`<html>${'x'.repeat(5000)}`);
    const { error, seen } = await asked([page], (api) => api.datasets.get(ID));
    expect(error).toMatchObject({
      status: 502,
      code: 'UNKNOWN',
      problem: { detail: expect.stringMatching(/^<html>x+$/) },
    });
    expect((error as ApiError).problem.detail).toHaveLength(200);
    expect(seen).toHaveLength(3);
  });
});

describe('what is tried again', () => {
  it('has the same key on each try, so that it is carried out once', async () => {
    const { seen, value } = await asked(
      [problem(503, 'UNAVAILABLE', NOW), problem(500, 'INTERNAL', NOW), json(202, { id: ID })],
      (api) => api.pipelines.start(ID),
    );
    expect(value).toEqual({ id: ID });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(seen).toHaveLength(3);
  });

  it('is nothing without a key, if it may have been carried out', async () => {
    const { seen, error } = await asked([problem(503, 'UNAVAILABLE', NOW), json(202, { id: ID })], (api) =>
      api.pipelines.start(ID, {}, { idempotencyKey: false }),
    );
    expect(error).toMatchObject({ status: 503 });
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined]);
  });

  it('is nothing that shows a secret once, and has no key then', async () => {
    const hook = { name: 'Hook', url: 'https://hooks.example.com/', kind: 'generic', events: ['*'] } as const;
    const lost = await asked([hangUp, json(201, { id: ID })], (api) =>
      api.webhooks.create({ ...hook, events: ['*'], generateSecret: true }),
    );
    expect(lost.error).toBeInstanceOf(ConnectionError);
    expect(lost.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined]);
    const plain = await asked([hangUp, json(201, { id: ID })], (api) =>
      api.webhooks.create({ ...hook, events: ['*'], generateSecret: false }),
    );
    expect(new Set(plain.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(plain.seen).toHaveLength(2);
  });

  it('is what no reply came to, or half of one', async () => {
    const { seen, value } = await asked([hangUp, cutOff, json(200, { id: ID })], (api) => api.datasets.get(ID));
    expect(value).toEqual({ id: ID });
    expect(seen).toHaveLength(3);
  });

  it('is nothing that may have been done and would be done again', async () => {
    const lost = await asked([hangUp, json(200, {})], (api) => api.query.validate({ sql: 'SELECT 1' }));
    expect(lost.error).toBeInstanceOf(ConnectionError);
    expect(lost.seen).toHaveLength(1);
    const changed = await asked([problem(503, 'UNAVAILABLE', NOW), json(200, {})], (api) =>
      api.models.update(ID, { name: 'Sales' }, { ifMatch: 7 }),
    );
    expect(changed.error).toMatchObject({ status: 503 });
    expect(changed.seen).toHaveLength(1);
    const failed = await asked([problem(500, 'INTERNAL', NOW), json(200, {})], (api) => api.datasets.get(ID));
    expect(failed.error).toMatchObject({ status: 500 });
    expect(failed.seen).toHaveLength(1);
  });

  it('waits as long as the server wants, and not at all for what it wants after a minute', async () => {
    const soon = await asked([problem(429, 'RATE_LIMITED', NOW), json(200, { valid: true })], (api) =>
      api.query.validate({ sql: 'SELECT 1' }),
    );
    expect(soon.value).toEqual({ valid: true });
    const late = await asked([problem(429, 'RATE_LIMITED', { 'retry-after': '61' })], (api) => api.datasets.get(ID));
    expect(late.error).toBeInstanceOf(RateLimited);
    expect(late.seen).toHaveLength(1);
  });

  it('stops after the wanted number of tries, in a storm too', async () => {
    const storm = await asked([problem(429, 'RATE_LIMITED', NOW)], (api) => api.datasets.get(ID), { retries: 4 });
    expect(storm.seen).toHaveLength(5);
    const never = await asked([problem(429, 'RATE_LIMITED', NOW)], (api) => api.datasets.get(ID, { retries: 0 }));
    expect(never.seen).toHaveLength(1);
  });

  it('is deleted if the first try has deleted it', async () => {
    const again = await asked([hangUp, problem(404, 'DATASET_NOT_FOUND')], (api) => api.datasets.delete(ID));
    expect(again).toMatchObject({ value: undefined });
    expect(again.error).toBeUndefined();
    const first = await asked([problem(404, 'DATASET_NOT_FOUND')], (api) => api.datasets.delete(ID));
    expect(first.error).toBeInstanceOf(NotFound);
  });
});

describe('a call', () => {
  it('ends at its time limit, with its retries', async () => {
    const silent: Answer = () => {};
    const { error } = await asked([silent], (api) => api.datasets.get(ID, { timeoutMs: 50 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect((error as Error).message).toBe(`GET /datasets/${ID} took longer than 50 ms.`);
    const waiting = await asked([problem(503, 'UNAVAILABLE', { 'retry-after': '30' })], (api) =>
      api.datasets.get(ID, { timeoutMs: 500 }),
    );
    expect(waiting.error).toBeInstanceOf(TimeoutError);
  });

  it('ends when its signal does', async () => {
    const reason = new Error('no longer wanted');
    const { error } = await asked([() => {}], (api) => {
      const abort = new AbortController();
      const call = api.datasets.get(ID, { signal: abort.signal });
      abort.abort(reason);
      return call;
    });
    expect(error).toBe(reason);
  });

  it('tells a hook of each try, without anything secret', async () => {
    const tries: Try[] = [];
    await asked([problem(503, 'UNAVAILABLE', NOW), json(200, {})], (api) => api.datasets.get(ID), {
      onTry: (made) => tries.push(made),
    });
    expect(tries).toMatchObject([
      { method: 'GET', path: `/datasets/${ID}`, attempt: 1, status: 503 },
      { method: 'GET', path: `/datasets/${ID}`, attempt: 2, status: 200 },
    ]);
    expect(JSON.stringify(tries)).not.toContain('secret-key');
  });

  it('returns the reply itself in another content type', async () => {
    const csv: Answer = (response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('n\r\n1\r\n');
    const { seen, value } = await asked([csv], (api) =>
      api.query.run({ sql: 'SELECT 1 AS n' }, { accept: 'text/csv' }),
    );
    expect(seen[0]!.headers.accept).toBe('text/csv');
    expect(await (value as Response).text()).toBe('n\r\n1\r\n');
  });
});
