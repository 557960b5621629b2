import { request } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ECHO, serve, startGateway, type TestGateway } from './support/gateway.ts';

let test: TestGateway;

beforeAll(async () => {
  test = await startGateway();
  serve(test.control, { '/things': ECHO, '/things/{id}': ECHO, '/files/{proxy+}': ECHO });
});
afterAll(() => test.close());

const call = (path: string, init?: RequestInit) => fetch(test.endpoint + path, init);
const answering = (answer: unknown) => call(`/api/things?answer=${encodeURIComponent(JSON.stringify(answer))}`);

describe('the event that a function receives', () => {
  it('has every member of payload format 1.0', async () => {
    const reply = await call('/api/things/a%20b?x=1&x=2&y=%C3%A4+b', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'test/1', 'X-Custom': 'yes' },
      body: '{"name":"ä"}',
    });
    const event = (await reply.json()) as APIGatewayProxyEvent;
    const host = test.endpoint.slice('http://'.length);

    expect(event).toEqual({
      resource: '/things/{id}',
      path: '/things/a%20b',
      httpMethod: 'POST',
      headers: event.headers,
      multiValueHeaders: event.multiValueHeaders,
      queryStringParameters: { x: '2', y: 'ä b' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['ä b'] },
      pathParameters: { id: 'a b' },
      stageVariables: null,
      requestContext: {
        resourceId: expect.any(String),
        resourcePath: '/things/{id}',
        httpMethod: 'POST',
        extendedRequestId: expect.stringMatching(/^\S+=$/),
        requestTime: expect.stringMatching(/^\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} \+0000$/),
        path: '/api/things/a%20b',
        accountId: '000000000000',
        protocol: 'HTTP/1.1',
        stage: 'api',
        domainPrefix: '127',
        requestTimeEpoch: expect.any(Number),
        requestId: reply.headers.get('x-amzn-requestid'),
        identity: {
          cognitoIdentityPoolId: null,
          accountId: null,
          cognitoIdentityId: null,
          caller: null,
          sourceIp: '127.0.0.1',
          principalOrgId: null,
          accessKey: null,
          cognitoAuthenticationType: null,
          cognitoAuthenticationProvider: null,
          userArn: null,
          userAgent: 'test/1',
          user: null,
        },
        domainName: host,
        deploymentId: 'first',
        apiId: 'abcdefghij',
      },
      body: '{"name":"ä"}',
      isBase64Encoded: false,
    });
    expect(event.headers).toMatchObject({
      Host: host,
      'User-Agent': 'test/1',
      'X-Forwarded-For': '127.0.0.1',
      'X-Forwarded-Proto': 'http',
      'X-Amzn-Trace-Id': expect.stringMatching(/^Root=1-/),
    });
    expect(Object.keys(event.headers).map((name) => name.toLowerCase())).not.toContain('content-length');
    expect(event.multiValueHeaders['User-Agent']).toEqual(['test/1']);
  });

  it('has null for absent parts of the request', async () => {
    const event = await (await call('/api/things')).json();
    expect(event).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      body: null,
      isBase64Encoded: false,
    });
  });

  it('carries a body of a binary media type as base64', async () => {
    const bytes = Buffer.from([0, 255, 128, 7]);
    const reply = await call('/api/things', { method: 'POST', headers: { 'content-type': 'image/png' }, body: bytes });
    expect(await reply.json()).toMatchObject({ body: bytes.toString('base64'), isBase64Encoded: true });
  });

  it('keeps fields named like object members', async () => {
    const event = (await (await call('/api/things?__proto__=1&constructor=2')).json()) as APIGatewayProxyEvent;
    expect(Object.entries(event.queryStringParameters ?? {})).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });
});

describe('the answer that a client receives', () => {
  it("has the function's status, repeated headers and the default content type", async () => {
    const reply = await answering({
      statusCode: 201,
      headers: { 'x-one': 'a', 'x-flag': true },
      multiValueHeaders: { 'set-cookie': ['a=1', 'b=2'] },
      body: '"made"',
    });
    expect(reply.status).toBe(201);
    expect(reply.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'x-one': 'a',
      'x-flag': 'true',
      'content-type': 'application/json',
      'content-length': '6',
    });
    expect(await reply.text()).toBe('"made"');
  });

  it('may be an empty object', async () => {
    const reply = await answering({});
    expect([reply.status, await reply.text()]).toEqual([200, '']);
  });

  it('renames headers that belong to the gateway', async () => {
    const reply = await answering({ statusCode: 401, headers: { 'WWW-Authenticate': 'Bearer', Server: 'mine' } });
    expect(reply.headers.get('www-authenticate')).toBeNull();
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'x-amzn-remapped-www-authenticate': 'Bearer',
      'x-amzn-remapped-server': 'mine',
    });
  });

  it('holds bytes when the client accepts a binary media type first', async () => {
    const answer = { headers: { 'content-type': 'image/png' }, body: 'AP+A', isBase64Encoded: true };
    const path = `/api/things?answer=${encodeURIComponent(JSON.stringify(answer))}`;
    const bytes = await (await call(path, { headers: { accept: 'image/png, */*' } })).arrayBuffer();
    expect(Buffer.from(bytes)).toEqual(Buffer.from([0, 255, 128]));
    expect(await (await call(path, { headers: { accept: 'application/json' } })).text()).toBe('AP+A');
  });

  it.each([
    ['no object', 'text'],
    ['null', null],
    ['a member that does not belong', { statusCode: 200, cookies: [] }],
    ['a body that is no text', { statusCode: 200, body: { a: 1 } }],
    ['a header that is no text', { statusCode: 200, headers: { a: { b: 1 } } }],
    ['a header that would end the line', { statusCode: 200, headers: { a: 'b\r\nc: d' } }],
    ['a status that is none', { statusCode: 'ok' }],
  ])('is 502 for a malformed answer: %s', async (_name, answer) => {
    const reply = await answering(answer);
    expect([reply.status, await reply.json()]).toEqual([502, { message: 'Internal server error' }]);
  });

  it('is 502 without details when the function fails', async () => {
    const reply = await call('/api/things?fail=1');
    expect([reply.status, await reply.json()]).toEqual([502, { message: 'Internal server error' }]);
  });
});

describe('limits', () => {
  it('rejects a body above 10 MB without calling the function', async () => {
    const reply = await call('/api/things', { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect([reply.status, await reply.json()]).toEqual([413, { message: 'Request Too Long' }]);
  });

  it('rejects an event above the 6 MB of a synchronous call', async () => {
    const reply = await call('/api/things', { method: 'POST', body: 'a'.repeat(6 * 1024 * 1024) });
    expect(reply.status).toBe(413);
  });

  it('survives a client that disconnects in the middle of its body', async () => {
    await new Promise<void>((resolve) => {
      const message = request(`${test.endpoint}/api/things`, { method: 'POST', headers: { 'content-length': '100' } });
      message.on('error', () => resolve());
      message.write('half', () => message.destroy());
      message.on('close', () => resolve());
    });
    expect((await call('/api/things')).status).toBe(200);
  });
});
