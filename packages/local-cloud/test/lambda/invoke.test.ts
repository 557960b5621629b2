import { InvokeCommand, InvokeWithResponseStreamCommand } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCloud, type TestCloud } from './support/cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startCloud();
});
afterAll(() => cloud.close());

describe('Invoke', () => {
  it("returns the handler's result, from a reused environment", async () => {
    await cloud.create('echo', 'let calls = 0; export const handler = async (event) => ({ event, calls: ++calls });');
    expect(await cloud.call('echo', { a: 1 })).toMatchObject({ answer: { event: { a: 1 }, calls: 1 } });
    expect(await cloud.call('echo', { a: 2 })).toMatchObject({ answer: { event: { a: 2 }, calls: 2 } });
  });

  it("gives the function its own and Lambda's variables, and none of the parent process", async () => {
    process.env.SECRET_OF_THE_PARENT = 'x';
    await cloud.create(
      'environment',
      `export const handler = async (_event, context) => ({ env: process.env, cwd: process.cwd(), remaining: context.getRemainingTimeInMillis(),
         context: { ...context, getRemainingTimeInMillis: undefined } });`,
      {
        Environment: { Variables: { TABLE: 'orders', NODE_OPTIONS: '--enable-source-maps' } },
        Timeout: 20,
        MemorySize: 256,
      },
    );
    const { answer } = (await cloud.call('environment')) as { answer: Record<string, Record<string, string>> };
    const env = answer.env as Record<string, string>;
    expect(env).toMatchObject({
      TABLE: 'orders',
      NODE_OPTIONS: '--enable-source-maps',
      AWS_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: 'environment',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/environment',
      _HANDLER: 'index.handler',
      TZ: ':UTC',
      AWS_ENDPOINT_URL: await cloud.client.config.endpoint?.().then((url) => `http://${url.hostname}:${url.port}`),
    });
    expect(env).not.toHaveProperty('SECRET_OF_THE_PARENT');
    expect(Object.keys(env).filter((name) => /npm|vitest/i.test(name))).toEqual([]);
    expect(answer.cwd).toBe(env.LAMBDA_TASK_ROOT);
    expect(Number(answer.remaining)).toBeGreaterThan(19_000);
    expect(answer.context).toMatchObject({
      functionName: 'environment',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:environment',
      memoryLimitInMB: '256',
      logGroupName: '/aws/lambda/environment',
      callbackWaitsForEmptyEventLoop: true,
    });
  });

  it('reports an error of the handler and keeps the environment', async () => {
    await cloud.create(
      'failing',
      'let calls = 0; export const handler = async () => { calls += 1; throw new TypeError("call " + calls); };',
    );
    const { answer, functionError } = await cloud.call('failing');
    expect(functionError).toBe('Unhandled');
    expect(answer).toMatchObject({
      errorType: 'TypeError',
      errorMessage: 'call 1',
      trace: expect.arrayContaining(['TypeError: call 1']),
    });
    expect((await cloud.call('failing')).answer).toMatchObject({ errorMessage: 'call 2' });
  });

  it('returns the end of the log on request', async () => {
    await cloud.create(
      'talking',
      `export const handler = async () => { console.log('hello %s', 'log'); process.stdout.write('raw\\n'); };`,
    );
    const reply = await cloud.client.send(new InvokeCommand({ FunctionName: 'talking', LogType: 'Tail' }));
    const tail = Buffer.from(reply.LogResult ?? '', 'base64')
      .toString('utf8')
      .split('\n');
    expect(tail).toEqual([
      expect.stringMatching(/^START RequestId: \S+ Version: \$LATEST$/),
      expect.stringMatching(/^\S+Z\t\S+\tINFO\thello log$/),
      'raw',
      expect.stringMatching(/^END RequestId: /),
      expect.stringMatching(
        /^REPORT RequestId: \S+\tDuration: [\d.]+ ms\tBilled Duration: \d+ ms\tMemory Size: 128 MB\tMax Memory Used: \d+ MB\tInit Duration: [\d.]+ ms\t$/,
      ),
      '',
    ]);
    expect(reply.ExecutedVersion).toBe('$LATEST');
  });

  it('ends a function at its timeout and starts a new environment for the next call', async () => {
    await cloud.create(
      'slow',
      'export const handler = async (event) => { if (event.spin) for (;;); return process.pid; };',
      { Timeout: 1 },
    );
    const before = (await cloud.call('slow')).answer;
    const { answer, functionError } = await cloud.call('slow', { spin: true });
    expect(functionError).toBe('Unhandled');
    expect(answer).toMatchObject({
      errorType: 'Sandbox.Timedout',
      errorMessage: expect.stringMatching(/^RequestId: \S+ Error: Task timed out after 1\.00 seconds$/),
    });
    expect((await cloud.call('slow')).answer).not.toBe(before);
    expect(cloud.logged.get('/aws/lambda/slow')).toContainEqual(
      expect.stringMatching(/Task timed out after 1\.00 seconds/),
    );
    expect(cloud.logged.get('/aws/lambda/slow')).toContainEqual(
      expect.stringMatching(/^REPORT .*Status: timeout\tError Type: Sandbox.Timedout/),
    );
  });

  it('ends a function that exceeds its memory', async () => {
    await cloud.create(
      'greedy',
      `export const handler = async () => { const kept = [];
         for (;;) { kept.push(Buffer.alloc(8 * 1024 * 1024, 1)); await new Promise((done) => setTimeout(done, 5)); } };`,
      { MemorySize: 128, Timeout: 20 },
    );
    const { answer } = await cloud.call('greedy');
    expect(answer).toMatchObject({
      errorType: 'Runtime.OutOfMemory',
      errorMessage: expect.stringMatching(/Runtime exited with error: signal: killed$/),
    });
  });

  it('reports the exit of a function', async () => {
    await cloud.create('leaving', 'export const handler = async ({ code }) => process.exit(code);');
    expect((await cloud.call('leaving', { code: 7 })).answer).toMatchObject({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringMatching(/Runtime exited with error: exit status 7$/),
    });
    expect((await cloud.call('leaving', { code: 0 })).answer).toMatchObject({
      errorMessage: expect.stringMatching(/Runtime exited without providing a reason$/),
    });
  });

  it('reports an error thrown outside the handler and does not reuse that process', async () => {
    await cloud.create(
      'stray',
      `export const handler = async ({ pid }) => { if (pid) return process.pid; setTimeout(() => { throw new RangeError('stray'); }, 1); await new Promise(() => {}); };`,
    );
    const before = (await cloud.call('stray', { pid: true })).answer;
    expect((await cloud.call('stray')).answer).toMatchObject({ errorType: 'RangeError', errorMessage: 'stray' });
    expect((await cloud.call('stray', { pid: true })).answer).not.toBe(before);
  });

  it.each([
    [
      'throws while loading',
      `throw new EvalError('no');`,
      'index.handler',
      { errorType: 'EvalError', errorMessage: 'no' },
    ],
    ['has a syntax error', 'export const handler = (', 'index.handler', { errorType: 'Runtime.UserCodeSyntaxError' }],
    ['imports what is not there', `import './none.mjs';`, 'index.handler', { errorType: 'Runtime.ImportModuleError' }],
    [
      'is not there',
      '',
      'other.handler',
      { errorType: 'Runtime.ImportModuleError', errorMessage: "Error: Cannot find module 'other'" },
    ],
    [
      'has no such export',
      '',
      'index.none',
      { errorType: 'Runtime.HandlerNotFound', errorMessage: 'index.none is undefined or not exported' },
    ],
    [
      'takes a callback',
      'export const handler = (a, b, c) => c();',
      'index.handler',
      { errorType: 'Runtime.CallbackHandlerDeprecated' },
    ],
  ])('reports a module that %s', async (title, source, handler, error) => {
    const name = title.replaceAll(' ', '-');
    await cloud.create(name, source, { Handler: handler });
    const { answer, functionError } = await cloud.call(name);
    expect(functionError).toBe('Unhandled');
    expect(answer).toMatchObject(error);
  });

  it('rejects events and responses above 6 MB and events that are not JSON', async () => {
    await cloud.create('sized', `export const handler = async ({ size }) => 'x'.repeat(size ?? 0);`);
    const send = (Payload: string) => cloud.client.send(new InvokeCommand({ FunctionName: 'sized', Payload }));
    await expect(send(JSON.stringify('x'.repeat(6 * 1024 * 1024)))).rejects.toMatchObject({
      name: 'RequestEntityTooLargeException',
    });
    await expect(send('{')).rejects.toMatchObject({ name: 'InvalidRequestContentException' });
    expect((await cloud.call('sized', { size: 6_291_550 })).functionError).toBeUndefined();
    expect((await cloud.call('sized', { size: 6_291_560 })).answer).toMatchObject({
      errorType: 'Function.ResponseSizeTooLarge',
    });
  });

  it('answers DryRun without running the function and rejects an unknown one', async () => {
    const dryRun = new InvokeCommand({ FunctionName: 'echo', InvocationType: 'DryRun' });
    expect((await cloud.client.send(dryRun)).StatusCode).toBe(204);
    await expect(cloud.call('missing')).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Function not found: arn:aws:lambda:us-east-1:000000000000:function:missing',
    });
  });

  it('runs CommonJS handlers in folders', async () => {
    const { zip } = await import('../../testing/zip.ts');
    await cloud.create('common', '', {
      Handler: 'src/app.nested.run',
      Code: {
        ZipFile: zip({
          'src/app.js': 'exports.nested = { run: async () => require("node:path").basename(__filename) };',
        }),
      },
    });
    expect((await cloud.call('common')).answer).toBe('app.js');
  });
});

describe('InvokeWithResponseStream', () => {
  async function stream(name: string, event: unknown = {}) {
    const command = new InvokeWithResponseStreamCommand({
      FunctionName: name,
      Payload: JSON.stringify(event),
      LogType: 'Tail',
    });
    const reply = await cloud.client.send(command);
    const chunks: string[] = [];
    let complete:
      | { ErrorCode?: string | undefined; ErrorDetails?: string | undefined; LogResult?: string | undefined }
      | undefined;
    for await (const event of reply.EventStream ?? []) {
      if (event.PayloadChunk) chunks.push(Buffer.from(event.PayloadChunk.Payload ?? []).toString('utf8'));
      if (event.InvokeComplete) complete = event.InvokeComplete;
    }
    return { chunks, complete };
  }

  it('passes chunks on as the function writes them', async () => {
    await cloud.create(
      'chunks',
      `export const handler = awslambda.streamifyResponse(async (event, stream) => {
         stream.setContentType('text/plain');
         for (const word of event.words) { stream.write(word); await new Promise((done) => setTimeout(done, 20)); }
         stream.end();
       });`,
    );
    const { chunks, complete } = await stream('chunks', { words: ['one', 'two', 'three'] });
    expect(chunks).toEqual(['one', 'two', 'three']);
    expect(complete?.ErrorCode).toBeUndefined();
    expect(Buffer.from(complete?.LogResult ?? '', 'base64').toString()).toMatch(/^START RequestId/);
  });

  it('reports an error after the first bytes at the end of the stream', async () => {
    await cloud.create(
      'breaking',
      `export const handler = awslambda.streamifyResponse(async (_event, stream) => { stream.write('begun'); throw new Error('broken'); });`,
    );
    const { chunks, complete } = await stream('breaking');
    expect(chunks).toEqual(['begun']);
    expect(complete?.ErrorCode).toBe('Error');
    expect(JSON.parse(complete?.ErrorDetails ?? '')).toMatchObject({ errorMessage: 'broken' });
  });

  it('returns a buffered answer as one chunk, and a streamed one whole through Invoke', async () => {
    expect((await stream('echo', { a: 1 })).chunks.map((chunk) => JSON.parse(chunk))).toEqual([
      expect.objectContaining({ event: { a: 1 } }),
    ]);
    await cloud.create(
      'json-stream',
      `export const handler = awslambda.streamifyResponse(async (_event, stream) => { stream.write('{"a":'); stream.write('1}'); stream.end(); });`,
    );
    expect((await cloud.call('json-stream')).answer).toEqual({ a: 1 });
  });

  it('carries megabytes unharmed', async () => {
    await cloud.create(
      'large',
      `import { Readable } from 'node:stream'; import { pipeline } from 'node:stream/promises';
       export const handler = awslambda.streamifyResponse(async (_event, stream) => {
         await pipeline(Readable.from((function* () { for (let i = 0; i < 320; i += 1) yield Buffer.alloc(65536, i % 251); })()), stream);
       });`,
      { Timeout: 60 },
    );
    const reply = await cloud.client.send(new InvokeWithResponseStreamCommand({ FunctionName: 'large' }));
    let size = 0;
    let wrong = 0;
    for await (const event of reply.EventStream ?? []) {
      for (const byte of event.PayloadChunk?.Payload ?? []) {
        if (byte !== Math.floor(size / 65536) % 251) wrong += 1;
        size += 1;
      }
    }
    expect({ size, wrong }).toEqual({ size: 320 * 65536, wrong: 0 });
  });
});
