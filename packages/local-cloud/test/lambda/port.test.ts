import { CreateAliasCommand } from '@aws-sdk/client-lambda';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../core/access/principal.ts';
import type { StreamingSink } from '../../core/ports.ts';
import { startCloud, type TestCloud } from './support/cloud.ts';
import { eventually } from './support/eventually.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startCloud();
});
afterAll(() => cloud.close());

type Prelude = Parameters<StreamingSink['start']>[0];

/** Collects a streamed HTTP response, with the order of its parts. */
async function stream(functionName: string, event: unknown = {}, signal = new AbortController().signal) {
  const parts: (Prelude | string)[] = [];
  const done = cloud.lambda.invokeStreaming(
    { caller: ROOT, functionName, payload: JSON.stringify(event) },
    { start: (prelude) => parts.push(prelude), write: (chunk) => parts.push(chunk.toString('utf8')), signal },
  );
  return {
    parts,
    error: await done.then(
      () => undefined,
      (error: unknown) => error,
    ),
  };
}

/** Bundles a handler that imports packages, as the build does. */
async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
  });
  return outputFiles[0]?.text ?? '';
}

describe('the port of other services', () => {
  it('invokes by name, ARN and alias, and stores events', async () => {
    await cloud.create(
      'ported',
      `export const handler = async (event) => { console.log('GOT ' + event.id); if (event.fail) throw new Error('no'); return event.id; };`,
    );
    await cloud.client.send(
      new CreateAliasCommand({ FunctionName: 'ported', Name: 'live', FunctionVersion: '$LATEST' }),
    );
    const invoke = async (functionName: string, event: unknown) => {
      const reply = await cloud.lambda.invoke({
        caller: ROOT,
        functionName,
        payload: JSON.stringify(event),
        type: 'RequestResponse',
      });
      return [reply.statusCode, reply.functionError, JSON.parse(reply.payload.toString('utf8'))];
    };
    expect(await invoke('ported', { id: 1 })).toEqual([200, undefined, 1]);
    expect(await invoke('arn:aws:lambda:us-east-1:000000000000:function:ported:live', { id: 2 })).toEqual([
      200,
      undefined,
      2,
    ]);
    expect(await invoke('ported', { fail: true })).toEqual([
      200,
      'Unhandled',
      expect.objectContaining({ errorMessage: 'no' }),
    ]);
    await expect(invoke('ported:none', {})).rejects.toMatchObject({ code: 'ResourceNotFoundException' });
    expect(
      await cloud.lambda.invoke({ caller: ROOT, functionName: 'ported', payload: '{"id":3}', type: 'Event' }),
    ).toMatchObject({
      statusCode: 202,
    });
    await eventually(() => cloud.logged.get('/aws/lambda/ported')?.some((line) => line.endsWith('GOT 3'))).toBe(true);
  });

  it('streams an HTTP response: the prelude first, then chunks as they come', async () => {
    await cloud.create(
      'http-stream',
      `export const handler = awslambda.streamifyResponse(async (event, stream) => {
         const out = awslambda.HttpResponseStream.from(stream, { statusCode: 201, headers: { 'content-type': 'text/event-stream' }, cookies: ['a=b'] });
         for (const part of event.parts) { out.write(part); await new Promise((done) => setTimeout(done, 20)); }
         out.end();
       });`,
    );
    const { parts, error } = await stream('http-stream', { parts: ['one', 'two'] });
    expect(error).toBeUndefined();
    expect(parts).toEqual([
      { statusCode: 201, headers: { 'content-type': 'text/event-stream' }, cookies: ['a=b'] },
      'one',
      'two',
    ]);
  });

  it('runs a middy handler in its streaming mode, an empty body included', async () => {
    const source = await bundle(`
      import middy from '@middy/core';
      import { executionModeStreamifyResponse } from '@middy/core/executionModeStreamifyResponse';
      import { Readable } from 'node:stream';
      export const handler = middy({ executionMode: executionModeStreamifyResponse }).handler(async (event) => ({
        statusCode: 200,
        headers: { 'content-type': 'text/plain' },
        body: event.empty ? '' : Readable.from(['a', 'b']),
      }));`);
    await cloud.create('middy-stream', source);
    const prelude = { statusCode: 200, headers: { 'content-type': 'text/plain' } };
    const streamed = await stream('middy-stream');
    expect(streamed.error).toBeUndefined();
    expect([streamed.parts[0], streamed.parts.slice(1).join('')]).toEqual([prelude, 'ab']);
    expect((await stream('middy-stream', { empty: true })).parts).toEqual([prelude]);
  });

  it('answers a buffered proxy response as a stream of one chunk', async () => {
    await cloud.create(
      'buffered',
      `export const handler = async () => ({ statusCode: 404, headers: { a: 'b' }, body: Buffer.from('none').toString('base64'), isBase64Encoded: true });`,
    );
    expect(await stream('buffered')).toEqual({
      parts: [{ statusCode: 404, headers: { a: 'b' } }, 'none'],
      error: undefined,
    });
  });

  it('reports a function that fails, before and after the response began, and one without a prelude', async () => {
    await cloud.create(
      'http-broken',
      `export const handler = awslambda.streamifyResponse(async ({ late, bare }, stream) => {
         if (bare) { stream.write('no prelude'); stream.end(); return; }
         const out = awslambda.HttpResponseStream.from(stream, { statusCode: 200 });
         if (late) out.write('begun');
         throw new TypeError('broken');
       });`,
    );
    const early = await stream('http-broken');
    expect([early.parts, early.error]).toEqual([
      [],
      expect.objectContaining({ code: 'TypeError', status: 502, message: 'broken' }),
    ]);
    const late = await stream('http-broken', { late: true });
    expect([late.parts, late.error]).toEqual([
      [{ statusCode: 200, headers: {} }, 'begun'],
      expect.objectContaining({ code: 'TypeError' }),
    ]);
    expect((await stream('http-broken', { bare: true })).error).toMatchObject({
      code: 'InvalidLambdaProxyResponse',
      status: 502,
    });
  });

  it('lets a function continue after its client has disconnected, without writing to it', async () => {
    const client = new AbortController();
    client.abort();
    const { parts, error } = await stream('http-stream', { parts: ['one'] }, client.signal);
    expect([parts, error]).toEqual([[{ statusCode: 201, headers: expect.anything(), cookies: ['a=b'] }], undefined]);
  });

  it('lets the SDK inside a function find the local cloud, S3 by path', async () => {
    const source = await bundle(`
      import { createServer } from 'node:http';
      import { S3Client, GetObjectCommand } from '@aws-sdk/client-s3';
      export const handler = async () => {
        const seen = [];
        const server = createServer((request, response) => { seen.push(request.headers.host, request.url); response.end('x'); }).listen(0, '127.0.0.1');
        await new Promise((done) => server.once('listening', done));
        process.env.AWS_ENDPOINT_URL = process.env.AWS_ENDPOINT_URL.replace(/\\d+$/, server.address().port);
        await new S3Client({}).send(new GetObjectCommand({ Bucket: 'my-bucket', Key: 'a/b' }));
        server.close();
        return [seen[0].split(':')[0], seen[1]];
      };`);
    await cloud.create(
      'path-style',
      source.replace(
        /^/,
        `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);\n`,
      ),
      { MemorySize: 512, Timeout: 20 },
    );
    expect((await cloud.call('path-style')).answer).toEqual(['127.0.0.1', '/my-bucket/a/b?x-id=GetObject']);
  });
});
