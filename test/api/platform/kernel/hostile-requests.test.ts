import { connect } from 'node:net';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { call } from '../../../support/http.ts';
import { ROUTES, somePath } from '../../../support/samples.ts';

const DEEP = 10_000;

/** Bodies that are JSON, or nearly, and meant to break what reads them. */
const HOSTILE: Record<string, string> = {
  'a prototype': '{"__proto__":{"admin":true,"role":"admin"},"constructor":{"prototype":{"admin":true}},"name":"x"}',
  'a member twice': '{"name":"first","name":{"second":true}}',
  'deep lists': `{"name":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
  'deep objects': `${'{"name":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  'a long list': `{"name":[${'1,'.repeat(200_000)}1],"events":[${'"a",'.repeat(100_000)}"a"]}`,
  'half a character': '{"name":"\\ud800","email":"\\udfff@example.com","sql":"\\ud800"}',
  'a NUL': '{"name":"a\\u0000b","email":"a\\u0000@example.com","sql":"SELECT 1\\u0000"}',
  'numbers out of range': '{"name":1e400,"limit":-1e400,"size":123456789012345678901234567890,"timeoutMs":1e308}',
  'a bare number': '1e999',
  'an empty list': '[]',
  null: 'null',
  'a text': '"__proto__"',
  'control characters': '{"name":"a\r\nSet-Cookie: x=y"}',
  'a byte order mark': '\ufeff{"name":"x"}',
};

const INTERNALS =
  /node_modules|\.ts:\d|\.mjs:\d|at async|DynamoDB|ConditionExpression|AnalyticsData|TransactionCanceled|ECONN/;

function expectRefusal(reply: { status: number; body: unknown; headers: Headers }, what: string): void {
  expect(reply.status, `${what}: ${JSON.stringify(reply.body)}`).toBeGreaterThanOrEqual(400);
  expect(reply.status, `${what}: ${JSON.stringify(reply.body)}`).toBeLessThan(500);
  expect(JSON.stringify(reply.body), what).not.toMatch(INTERNALS);
}

/** Sends exact bytes and answers the status line and all that follows. */
function raw(api: Api, request: string): Promise<string> {
  const { hostname, port } = new URL(api.endpoint);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(request));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('hostile requests', () => {
  it('are refused by every route that takes a body, and never break it', async ({ api }) => {
    for (const route of ROUTES.filter(({ body }) => body)) {
      const actor = route.permission === 'public' ? 'anonymous' : 'owner';
      const send = async ([name, text]: [string, string]) => {
        const reply = await api.as(actor).send(route.method, somePath(route), { text });
        const what = `${route.operationId} with ${name}`;
        expect(reply.status, `${what}: ${JSON.stringify(reply.body).slice(0, 500)}`).toBeLessThan(500);
        if (reply.status >= 400) expectRefusal(reply, what);
      };
      await Promise.all(Object.entries(HOSTILE).map(send));
    }
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
    // Thousands of requests.
  }, 900_000);

  it('cannot smuggle members in under the names of prototypes', async ({ api }) => {
    for (const [text, pointer] of [
      ['{"name":"x","scope":"read","__proto__":{"scope":"admin"}}', '/__proto__'],
      ['{"name":"x","scope":"read","constructor":{"name":"y"}}', '/constructor'],
      ['{"name":"x","scope":"read","constructor":{"prototype":{"scope":"admin"}}}', '/constructor'],
      ['{"name":{"deep":[{"__proto__":{"scope":"admin"}}]},"scope":"read"}', '/name/deep/0/__proto__'],
    ] as const) {
      const reply = await api.as('owner').send('POST', '/api/api-keys', { text });
      expect(reply, text).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      expect(reply.body.errors, text).toMatchObject([{ pointer, code: 'UNKNOWN_MEMBER' }]);
    }
  });

  it('are refused where they nest deeper than 64 levels, with the place, before the shape is looked at', async ({
    api,
  }) => {
    const nested = (depth: number) => `{"dag":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    const send = (text: string) =>
      api.as('owner').send('POST', `/api/pipelines/${crypto.randomUUID()}/validate`, { text });
    expect((await send(nested(64))).body.errors[0]).toMatchObject({ pointer: '/dag', code: 'TYPE' });
    const place = { pointer: `/dag${'/0'.repeat(63)}`, code: 'MAX_NESTING' };
    for (const depth of [65, 100, 300_000]) {
      const reply = await send(nested(depth));
      expect(reply, `${depth}`).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [place] } });
    }
    const inText = `{"dag":{"text":"${'['.repeat(1000)}\\"${'{'.repeat(1000)}"}}`;
    expect((await send(inText)).status).toBe(404);
  });

  it('are refused with the place of a text that is not valid Unicode, and take characters of two halves', async ({
    api,
  }) => {
    for (const [text, pointer] of [
      ['{"name":"\\ud800","type":"file"}', '/name'],
      ['{"name":"x","type":"postgres","config":{"host":"a\\uDC00b"},"secrets":{}}', '/config/host'],
      ['{"name":"x","type":"http","config":{"endpoints":[1,{"name":"\\udc00\\ud800"}]}}', '/config/endpoints/1/name'],
      [
        '{"name":"x","type":"http","config":{"headers":{"\\ud83d\\ude00~/":{"\\ud800":1}}}}',
        '/config/headers/😀~0~1/\ufffd',
      ],
    ] as const) {
      const reply = await api.as('owner').send('POST', '/api/data-sources', { text });
      expect(reply, text).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      expect(reply.body.errors, text).toEqual([
        { pointer, code: 'PATTERN', message: expect.stringContaining('valid Unicode') },
      ]);
    }
    const whole = '{"name":"\\ud83d\\ude00","type":"file"}';
    expect(await api.as('owner').send('POST', '/api/data-sources', { text: whole })).toMatchObject({
      status: 201,
      body: { name: '😀' },
    });
  });

  it('keep numbers beyond 2^53, and are refused with the place of one that nothing can store', async ({ api }) => {
    const saved = (value: string) => {
      const params = `[{"name":"n","type":"double","default":${value}}]`;
      return api
        .as('editor')
        .send('POST', '/api/saved-queries', { text: `{"name":"n","sql":"SELECT $n AS n","params":${params}}` });
    };
    for (const value of ['1e300', '-1e400', '1e-131']) {
      expect(await saved(value), value).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/params/0/default', code: 'NUMBER_RANGE' }] },
      });
    }
    const { status, body } = await saved('1e20');
    expect(status, JSON.stringify(body)).toBe(201);
    const path = `/api/saved-queries/${body.id}`;
    expect((await api.as('viewer').get(path)).body.params[0].default).toBe(1e20);
    const run = await api.as('viewer').send('POST', `${path}/run`, { text: '{"params":{"n":1e300}}' });
    expect(run, JSON.stringify(run.body)).toMatchObject({ status: 200, body: { rows: [[1e300]] } });
  });

  it('find no other route by spelling a path in other ways', async ({ api }) => {
    const token = await api.token('viewer');
    const paths = [
      '/api/workspaces/%6dembers/../../api-keys',
      '/api/api-keys%2f..',
      '/api/%2e%2e/api/api-keys',
      '/api/API-KEYS',
      '/api/api-keys%00',
      '/api/api-keys;x=1',
      '/api/webhooks/..%2f..%2fapi-keys',
      '/api/webhooks/%2e%2e/none',
      '/api/webhooks/%ff',
      '/api/webhooks/__proto__',
      '/api/webhooks/constructor',
      '/api/pipelines/a%2Fb/runs',
      '/api/pipelines/runs/%0d%0aSet-Cookie:%20x=y',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'DELETE']) {
        const reply = await call(api.endpoint, method, path, { token });
        expectRefusal(reply, `${method} ${path}`);
        expect(reply.headers.get('set-cookie')).toBeNull();
      }
    }
    const slashes = await raw(api, `GET //api//api-keys HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
    expect(slashes).toMatch(/^HTTP\/1\.1 40[34] /);
  });

  it('with query values of another form or of unknown names are refused', async ({ api }) => {
    const viewer = api.as('viewer');
    for (const query of [
      'limit=1e1000',
      'limit=0x10',
      'limit=',
      'limit[]=5',
      'limit=1.5',
      'offset=99999999999999999999',
    ]) {
      const reply = await call(api.endpoint, 'GET', `/api/webhooks?${query}`, { token: await api.token('viewer') });
      expect(reply.status, query).toBeLessThan(500);
    }
    const reply = await viewer.get('/api/webhooks?__proto__=1&constructor=2&workspaceId=x&limit=1');
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(reply.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/query/__proto__',
      '/query/constructor',
      '/query/workspaceId',
    ]);
    expect(await viewer.get('/api/webhooks?limit=1&limit=2')).toMatchObject({ status: 200, body: { limit: 2 } });
  });

  it('of more than the gateway takes, or of two lengths, are refused', async ({ api }) => {
    const token = await api.token('owner');
    const large = await call(api.endpoint, 'POST', '/api/webhooks', {
      token,
      text: `"${'x'.repeat(10 * 1024 * 1024)}"`,
    });
    expect(large.status).toBe(413);
    const head = `POST /api/webhooks HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${token}\r\n`;
    for (const lengths of [
      'content-length: 2\r\ncontent-length: 5\r\n',
      'content-length: 2\r\ntransfer-encoding: chunked\r\n',
    ]) {
      expect(await raw(api, `${head}${lengths}\r\n{}`)).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it('cannot take a right by a token for another purpose, of another key, or with another algorithm', async ({
    api,
  }) => {
    const [head, body, signature] = (await api.token('owner')).split('.') as [string, string, string];
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const tokens = [
      `${encoded({ alg: 'none', kid: 'v1' })}.${body}.`,
      `${encoded({ alg: 'HS256', kid: 'v1' })}.${body}.${signature}`,
      ...['v2', 'v999999', 'v0', '../v1', 'v1e3', ''].map(
        (kid) => `${encoded({ alg: 'EdDSA', kid })}.${body}.${signature}`,
      ),
      `${head}.${encoded({ ...claims, wid: crypto.randomUUID() })}.${signature}`,
      `${head}.${encoded({ ...claims, aud: 'embed' })}.${signature}`,
      `${head}.${body}.${signature}.${signature}`,
      `${head}.${body}`,
      `.${body}.${signature}`,
      `ak_${'a'.repeat(8)}_${'b'.repeat(42)}`,
    ];
    for (const token of tokens) {
      const reply = await api.as({ token }).get('/api/auth/me');
      expect(reply, token).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    }
  });
});
