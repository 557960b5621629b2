import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { API, ECHO, STREAM, serve, startGateway, type TestGateway } from './support/gateway.ts';

/** Lets a test wait until the gateway has started a timer. */
class WatchedClock extends ManualClock {
  scheduled = 0;

  override schedule(at: number, callback: () => void): () => void {
    this.scheduled += 1;
    return super.schedule(at, callback);
  }
}

let test: TestGateway;
const clock = new WatchedClock(Date.UTC(2026, 10, 21, 10, 5));

beforeAll(async () => {
  test = await startGateway(clock);
  serve(test.control, {
    '/things': ECHO,
    '/quick': { ...ECHO, timeoutMs: 5000 },
    '/stream': STREAM,
    '/missing': { ...ECHO, functionName: 'no-such-function' },
  });
});
afterAll(() => test.close());

const call = (path: string, init?: RequestInit) => fetch(test.endpoint + path, init);

describe('time', () => {
  it.each([
    ['/api/things', 29_000],
    ['/api/quick', 5000],
  ])('ends a call of %s after %i ms with 504', async (path, timeoutMs) => {
    const before = clock.scheduled;
    let answered = false;
    const reply = call(`${path}?hang=1`).finally(() => {
      answered = true;
    });
    await expect.poll(() => clock.scheduled).toBeGreaterThan(before);
    await clock.advance(timeoutMs - 1);
    expect(answered).toBe(false);
    await clock.advance(1);
    const { status, body } = await reply.then(async (each) => ({ status: each.status, body: await each.json() }));
    expect([status, body]).toEqual([504, { message: 'Endpoint request timed out' }]);
  });

  it('is in the event as the clock shows it', async () => {
    const event = (await (await call('/api/things')).json()) as { requestContext: object };
    expect(event.requestContext).toMatchObject({ requestTimeEpoch: clock.now() });
  });
});

describe('streams', () => {
  it("reach the client as they are written, with the function's status and headers", async () => {
    const request = get(`${test.endpoint}/api/stream?chunks=3&pause=200`);
    const [reply] = await once(request, 'response');
    expect(reply.statusCode).toBe(201);
    expect(reply.headers).toMatchObject({ 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
    const chunks: string[] = [];
    for await (const chunk of reply) chunks.push(String(chunk));
    expect(chunks.join('')).toBe('data: 0\n\ndata: 1\n\ndata: 2\n\n');
    // A busy machine may deliver two chunks together, but not all of them at the end.
    expect(chunks.length).toBeGreaterThan(1);
  });

  it('that fail before the first byte are 502', async () => {
    const reply = await call('/api/stream?fail=1');
    expect([reply.status, await reply.json()]).toEqual([502, { message: 'Internal server error' }]);
  });

  it('without data for five minutes are cut off', async () => {
    const request = get(`${test.endpoint}/api/stream?chunks=2&pause=600000`);
    const [reply] = await once(request, 'response');
    const [first] = await once(reply, 'data');
    expect(String(first)).toBe('data: 0\n\n');
    const cut = once(reply, 'error');
    await clock.advance(5 * 60_000);
    expect((await cut)[0]).toMatchObject({ code: 'ECONNRESET' });
  });

  it('abort their signal when the client disconnects', async () => {
    const request = get(`${test.endpoint}/api/stream?chunks=2&pause=600000`);
    await once(request, 'response');
    request.destroy();
    await expect.poll(() => test.streamsAborted).toBeGreaterThan(0);
  });
});

describe("the gateway's own answers", () => {
  it('are 500 when the function cannot be called', async () => {
    const reply = await call('/api/missing');
    expect([reply.status, await reply.json()]).toEqual([500, { message: 'Internal server error' }]);
    expect(reply.headers.get('x-amzn-errortype')).toBe('InternalServerErrorException');
  });

  it("use the API's configured responses, by type or for the whole family", async () => {
    const { control } = test;
    control.putGatewayResponse(API.id, {
      responseType: 'MISSING_AUTHENTICATION_TOKEN',
      statusCode: 404,
      headers: { 'Content-Type': 'application/problem+json' },
      templates: {
        'application/json':
          '{"path":"$context.path","id":"$context.requestId","type":"$context.error.responseType","m":$context.error.messageString}',
      },
    });
    control.putGatewayResponse(API.id, { responseType: 'DEFAULT_4XX', statusCode: 418, headers: {}, templates: {} });
    control.putGatewayResponse(API.id, {
      responseType: 'DEFAULT_5XX',
      headers: { 'x-why': 'ours' },
      templates: { 'text/plain': 'sorry, $context.httpMethod $context.nothing' },
    });
    control.putDeployment(API.id, { id: 'configured' });
    control.putStage(API.id, { name: 'configured', deploymentId: 'configured', variables: {} });

    const missing = await call('/configured/nowhere');
    expect(missing.status).toBe(404);
    expect(missing.headers.get('content-type')).toBe('application/problem+json');
    expect(await missing.json()).toEqual({
      path: '/configured/nowhere',
      id: missing.headers.get('x-amzn-requestid'),
      type: 'MISSING_AUTHENTICATION_TOKEN',
      m: 'Missing Authentication Token',
    });
    const tooLarge = await call('/configured/things', { method: 'POST', body: Buffer.alloc(11 * 1024 * 1024) });
    expect([tooLarge.status, await tooLarge.json()]).toEqual([418, { message: 'Request Too Long' }]);
    const failed = await call('/configured/things?fail=1');
    expect([failed.status, await failed.text()]).toEqual([502, 'sorry, GET -']);
    expect(failed.headers.get('x-why')).toBe('ours');
  });
});

describe('the access log', () => {
  it('has one line per request in the declared format', async () => {
    const format =
      '$context.requestId $context.httpMethod $context.resourcePath $context.status $context.responseLength';
    test.control.putStage(API.id, {
      name: 'logged',
      deploymentId: 'first',
      variables: {},
      accessLog: { logGroup: 'access', format },
    });
    const reply = await call('/logged/things?answer=%7B%22body%22%3A%22four%22%7D');
    await reply.text();
    await (await call('/logged/nowhere')).text();
    await expect.poll(() => test.accessLog.length).toBe(2);
    expect(test.accessLog[0]).toBe(`${reply.headers.get('x-amzn-requestid')} GET /things 200 4`);
    expect(test.accessLog[1]).toMatch(/ GET - 403 42$/);
  });
});
