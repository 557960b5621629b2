import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { send } from '../../../../shared/domains/events/webhooks/send.ts';
import { createAddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { decodedBody } from '../../../../shared/platform/net/decoded-body.ts';
import { type GuardedRequest, guardedRequest } from '../../../../shared/platform/net/guarded-request.ts';
import { bombAnswer, endlessly, HOSTILE_ANSWERS, openRawReceiver } from './hostile-answers.ts';

/** Names resolve to loopback, which this guard may reach, or to what the table says. */
function guardWith(names: Record<string, string[][]> = {}, allowedPrivateCidrs = ['127.0.0.0/8']) {
  const resolve = async (host: string) => {
    const answers = names[host];
    const addresses = (answers && answers.length > 1 ? answers.shift() : answers?.[0]) ?? ['127.0.0.1'];
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return createAddressGuard({ allowedPrivateCidrs, resolve });
}

const asked = (url: string, more: Partial<GuardedRequest> = {}): GuardedRequest => ({
  method: 'GET',
  url,
  schemes: ['https', 'http'],
  timeoutMs: 5_000,
  maxBytes: 1_000_000,
  ...more,
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const BLOCKED = { name: 'AddressBlocked', code: 'ADDRESS_BLOCKED' };

describe('a guarded request', () => {
  it('sends method, headers and body, and gives the answer as it comes', async () => {
    const port = await serve(async (request, response) => {
      const { method, url, headers } = request;
      response.writeHead(201, { 'x-made': 'yes' });
      response.end(JSON.stringify({ method, url, headers, body: await text(request) }));
    });
    const answer = await guardedRequest(
      guardWith(),
      asked(`http://hook.example:${port}/a?b=c`, { method: 'PUT', headers: { 'X-Key': 'k' }, body: 'grüße' }),
    );
    expect(answer).toMatchObject({ status: 201, headers: { 'x-made': 'yes' } });
    expect(JSON.parse(await text(answer.body))).toMatchObject({
      method: 'PUT',
      url: '/a?b=c',
      headers: { host: `hook.example:${port}`, 'x-key': 'k', 'content-length': '7', connection: 'close' },
      body: 'grüße',
    });
  });

  it.each(['Host', 'content-length', 'Transfer-Encoding', 'connection', 'proxy-authorization', 'upgrade', 'expect'])(
    'does not take the header %s, which frames the request',
    async (name) => {
      const request = guardedRequest(guardWith(), asked('http://hook.example/', { headers: { [name]: '1' } }));
      await expect(request).rejects.toThrow(/set by the connection/);
    },
  );

  it.each([
    ['x-a', 'b\r\nx-smuggled: yes'],
    ['x-a', 'b\nGET / HTTP/1.1'],
    ['x-a', 'b\0'],
    ['x-a: b\r\nx-smuggled', 'yes'],
    ['x a', 'b'],
    ['', 'b'],
  ])('sends nothing when header %j is %j', async (name, value) => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    const request = guardedRequest(guardWith(), asked(`http://127.0.0.1:${port}/`, { headers: { [name]: value } }));
    await expect(request).rejects.toThrow(TypeError);
    expect(requests).toBe(0);
  });

  it('refuses addresses and names of closed networks without asking them', async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    const closed = guardWith({ 'mixed.example': [['93.184.216.34', '127.0.0.1']] }, []);
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:7f00:1]', 'localhost', 'hook.example', 'mixed.example']) {
      await expect(guardedRequest(closed, asked(`http://${host}:${port}/`)), host).rejects.toMatchObject(BLOCKED);
    }
    expect(requests).toBe(0);
  });

  it('checks the address that is dialled, whatever the name resolved to before', async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    for (const second of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::1'], ['::ffff:127.0.0.1']]) {
      const guard = guardWith({ 'rebind.example': [['93.184.216.34'], second] }, []);
      const url = `http://rebind.example:${port}/`;
      await guard.checkUrl(url, { schemes: ['http'] });
      await expect(guardedRequest(guard, asked(url))).rejects.toMatchObject(BLOCKED);
    }
    expect(requests).toBe(0);
  });

  it('says why there is no answer, without an address', async () => {
    const port = await serve(() => undefined);
    const guard = createAddressGuard({
      allowedPrivateCidrs: ['127.0.0.0/8'],
      resolve: async (host) => {
        if (host === 'nowhere.example') throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    const reason = (url: string, more: object = {}) => guardedRequest(guard, asked(url, more)).catch((error) => error);
    expect(await reason('http://nowhere.example/')).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: 'connection failed: ENOTFOUND',
    });
    expect(await reason(`https://hook.example:${port}/`)).toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(await reason(`http://hook.example:${port}/`, { timeoutMs: 50 })).toMatchObject({
      code: 'TIMEOUT',
      message: 'no complete response within 50 ms',
    });
    const cancelled = new Error('the run was cancelled');
    expect(await reason(`http://hook.example:${port}/`, { signal: AbortSignal.abort(cancelled) })).toBe(cancelled);
    const stop = new AbortController();
    const waiting = reason(`http://hook.example:${port}/`, { signal: stop.signal });
    stop.abort(cancelled);
    expect(await waiting).toBe(cancelled);
  });

  it('gives up a resolver that does not answer', async () => {
    const guard = createAddressGuard({ allowedPrivateCidrs: [], resolve: () => new Promise(() => undefined) });
    const request = guardedRequest(guard, asked('http://hook.example/', { timeoutMs: 50 }));
    await expect(request).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('bounds the body in bytes and in time, and closes the connection when the reader stops', async () => {
    const endless = await openRawReceiver(endlessly('HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(65_536)));
    const open = (more: object) => guardedRequest(guardWith(), asked(`http://127.0.0.1:${endless.port}/`, more));

    await expect(buffer((await open({})).body)).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
    await endless.closed();
    const unread = await open({ timeoutMs: 100 });
    await endless.closed();
    await expect(buffer(unread.body)).rejects.toMatchObject({ code: 'TIMEOUT' });
    (await open({})).body.destroy();
    await endless.closed();
    // No more lies in any buffer than the machine's sockets take.
    expect(endless.sentBytes()).toBeLessThan(40_000_000);
  });
});

describe('redirects', () => {
  const follow = (port: number, path: string, more: Partial<GuardedRequest> = {}) =>
    guardedRequest(guardWith(), asked(`http://hook.example:${port}${path}`, { redirects: 3, ...more }));

  it('are answers unless asked for', async () => {
    const port = await serve((_request, response) => void response.writeHead(302, { location: '/b' }).end());
    const answer = await guardedRequest(guardWith(), asked(`http://hook.example:${port}/a`));
    expect(answer).toMatchObject({ status: 302, headers: { location: '/b' } });
    answer.body.destroy();
  });

  it('are followed as often as asked for, each to an address that passes', async () => {
    let asks = 0;
    const port = await serve((request, response) => {
      asks += 1;
      const [, kind, left] = request.url!.split('/');
      if (kind === 'to') response.writeHead(307, { location: decodeURIComponent(left!) }).end();
      else if (left === '0') response.end('there');
      else response.writeHead(301, { location: `/hops/${Number(left) - 1}#part` }).end();
    });
    const answer = await follow(port, '/hops/3');
    expect([await text(answer.body), answer.url.pathname]).toEqual(['there', '/hops/0']);
    await expect(follow(port, '/hops/4')).rejects.toMatchObject({ message: 'more than 3 redirects' });
    asks = 0;
    for (const target of [
      'http://169.254.169.254/latest',
      '//169.254.169.254/',
      'http://[fd00:ec2::254]/',
      'http://metadata.google.internal/',
      'http://0xa9fea9fe/',
      'http://user:pass@hook.example/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'http://hook.example:22/',
    ]) {
      await expect(follow(port, `/to/${encodeURIComponent(target)}`), target).rejects.toMatchObject(BLOCKED);
    }
    expect(asks).toBe(9);
  });

  it('send another origin nothing that could be a credential', async () => {
    const seen: object[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const port = await serve((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: `http://hook.example:${other}/` }).end();
      else if (request.url === '/near') response.writeHead(302, { location: '/end' }).end();
      else response.end(JSON.stringify(request.headers));
    });
    const headers = { Authorization: 'Bearer t', 'X-Api-Key': 'k', Cookie: 'c', Accept: 'text/csv' };
    const near = await follow(port, '/near', { headers });
    expect(JSON.parse(await text(near.body))).toMatchObject({ authorization: 'Bearer t', 'x-api-key': 'k' });
    (await follow(port, '/away', { headers })).body.destroy();
    expect(seen).toEqual([{ accept: 'text/csv', host: `hook.example:${other}`, connection: 'close' }]);
  });

  it('are for requests that may be repeated', async () => {
    await expect(follow(1024, '/', { method: 'POST', body: 'x' })).rejects.toThrow(/cannot be redirected/);
  });
});

describe('a decoded body', () => {
  const content = Buffer.from('some,rows\n'.repeat(1000));
  const served = async (encoding: string | undefined, body: Uint8Array) => {
    const port = await serve((_request, response) => {
      response.writeHead(200, encoding === undefined ? {} : { 'content-encoding': encoding }).end(body);
    });
    return guardedRequest(guardWith(), asked(`http://hook.example:${port}/`));
  };

  it.each([
    [undefined, content],
    ['identity', content],
    ['gzip', gzipSync(content)],
    ['X-GZIP', gzipSync(content)],
    ['deflate', deflateSync(content)],
    ['br', brotliCompressSync(content)],
    ['zstd', zstdCompressSync(content)],
  ])('reads %s', async (encoding, body) => {
    expect(await buffer(decodedBody(await served(encoding, body), content.length))).toEqual(content);
    const tight = decodedBody(await served(encoding, body), content.length - 1);
    await expect(buffer(tight)).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });

  it.each([
    ['gzip', content],
    ['gzip', gzipSync(content).subarray(0, 40)],
    ['br', content],
  ])('says when it is not %s', async (encoding, body) => {
    const decoded = decodedBody(await served(encoding, body), 1_000_000);
    await expect(buffer(decoded)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });

  it.each(['compress', 'gzip, gzip', 'constructor', 'aws-chunked'])('refuses %s', async (encoding) => {
    const answer = await served(encoding, content);
    expect(() => decodedBody(answer, 1_000_000)).toThrow(/is not supported/);
  });

  it('stops a bomb at the limit, and the connection with it', async () => {
    const receiver = await openRawReceiver((socket) => socket.end(bombAnswer()));
    const answer = await guardedRequest(guardWith(), asked(`http://127.0.0.1:${receiver.port}/`));
    let most = 0;
    const read = async () => {
      for await (const chunk of decodedBody(answer, 100_000)) most += (chunk as Buffer).length;
    };
    await expect(read()).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
    expect(most).toBeLessThanOrEqual(100_000);
    await receiver.closed();
  });
});

describe('a request to a receiver that', () => {
  it.each(HOSTILE_ANSWERS)('%s', async (_name, answer, outcome) => {
    const receiver = await openRawReceiver(answer);
    const started = performance.now();
    const result = await guardedRequest(
      guardWith(),
      asked(`http://127.0.0.1:${receiver.port}/hook`, { timeoutMs: 400, maxBytes: 65_536 }),
    ).then(
      async ({ status, body }) =>
        buffer(body).then(
          () => status,
          (error) => (error.code === 'RESULT_TOO_LARGE' ? status : error.message),
        ),
      (error) => error.message,
    );
    expect(String(result)).toMatch(asPattern(outcome));
    await receiver.closed();
    expect(performance.now() - started).toBeLessThan(3_000);
    // What was taken and what the machine's socket buffers hold.
    expect(receiver.sentBytes()).toBeLessThan(16_000_000);
  });
});

describe('a webhook delivery to a receiver that', () => {
  it.each(HOSTILE_ANSWERS)('%s', async (_name, answer, outcome) => {
    const receiver = await openRawReceiver(answer);
    const sent = await send(guardWith(), {
      url: new URL(`http://127.0.0.1:${receiver.port}/hook`),
      headers: {},
      body: '{}',
      timeoutMs: 400,
    });
    expect(sent.kind === 'answer' ? String(sent.status) : sent.reason).toMatch(asPattern(outcome));
    await receiver.closed();
    expect(receiver.sentBytes()).toBeLessThan(16_000_000);
  });
});

const asPattern = (outcome: number | RegExp) => (typeof outcome === 'number' ? new RegExp(`^${outcome}$`) : outcome);
