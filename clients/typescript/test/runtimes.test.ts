import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { hangUp, json, problem, scriptedServer } from './scripted-server.ts';

/** Further runtimes, such as `RUNTIMES='/opt/node20/bin/node,deno run -A,bun'`. */
const RUNTIMES = [process.execPath, ...(process.env.RUNTIMES?.split(',') ?? [])];

it.for(RUNTIMES)('the package works in %s', async (runtime) => {
  await using server = await scriptedServer(
    json(200, { items: [{ name: 'a' }], total: 2, nextCursor: 'c' }),
    json(200, { items: [{ name: 'b' }], total: 2, nextCursor: null }),
    // A record whose first reply is lost is asked for again under its key.
    hangUp,
    problem(503, 'UNAVAILABLE', { 'retry-after': '0' }),
    json(201, { id: 'd1' }),
    problem(404, 'DATASET_NOT_FOUND'),
    (response) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end('event: end\ndata: {"status":"succeeded"}\n\n'),
    json(200, { columns: [{ name: 'n' }], rows: [[1]] }),
    () => {},
  );
  const [program = '', ...options] = runtime.split(' ');
  const args = [...options, join(import.meta.dirname, 'every-runtime.js'), server.url];
  const { stdout } = await promisify(execFile)(program, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  expect(JSON.parse(stdout)).toEqual({
    names: ['a', 'b'],
    created: 'd1',
    missing: 'DATASET_NOT_FOUND',
    events: ['end'],
    rows: [{ n: 1 }],
    late: 'TimeoutError',
    delivery: 'e',
  });
  const tries = server.seen.filter(({ method, path }) => method === 'POST' && path === '/datasets');
  expect(new Set(tries.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(tries.map(({ body }) => JSON.parse(body).name)).toEqual(['Ü', 'Ü', 'Ü']);
});
