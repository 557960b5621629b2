import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { builtClient } from '../../../support/built-client.ts';
import { HAS_PYTHON, runPython } from '../../../support/python.ts';
import { clientsBuilt } from '../../../support/setup/ask.ts';

const COUNT = 8;

/** An address that passes requests on to the platform, and hangs up where the first reply to each key would come. */
async function givenAddressThatLosesReplies(endpoint: string): Promise<string> {
  const seen = new Set<string>();
  const server = createServer(async (incoming, outgoing) => {
    const key = incoming.headers['idempotency-key'];
    const isFirst = typeof key === 'string' && !seen.has(key);
    if (isFirst) seen.add(key);
    const body = await buffer(incoming);
    const { host: _, connection: __, ...headers } = incoming.headers;
    const passed = request(endpoint + incoming.url, { method: incoming.method!, headers }, async (reply) => {
      // The platform has done it by now.
      const content = await buffer(reply);
      if (isFirst) outgoing.destroy();
      else outgoing.writeHead(reply.statusCode!, reply.headers).end(content);
    });
    passed.on('error', () => outgoing.destroy());
    passed.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const namesOf = async (api: Api): Promise<string[]> => {
  const { body } = await api.as('owner').get('/api/saved-queries?limit=100');
  return body.items.map(({ name }: { name: string }) => name).sort();
};

const named = (prefix: string) => Array.from({ length: COUNT }, (_, index) => `${prefix} ${index}`);

describe('a record whose first reply is lost', () => {
  it('is made once by the TypeScript client', async ({ api }) => {
    const { Analytics } = await builtClient();
    const url = await givenAddressThatLosesReplies(api.endpoint);
    const attempts: number[] = [];
    const onTry = ({ attempt }: { attempt: number }) => attempts.push(attempt);
    const client = new Analytics({ url, apiKey: await api.token('owner'), onTry });
    await Promise.all(named('ts').map((name) => client.savedQueries.create({ name, sql: 'SELECT 1 AS n' })));
    expect(attempts.filter((attempt) => attempt === 2)).toHaveLength(COUNT);
    expect(await namesOf(api)).toEqual(named('ts'));
  });

  it.runIf(HAS_PYTHON)('is made once by both Python clients', async ({ api }) => {
    await clientsBuilt();
    const url = await givenAddressThatLosesReplies(api.endpoint);
    const input = { url, token: await api.token('owner'), count: COUNT };
    const program = join(import.meta.dirname, 'python/creates_once.py');
    const attempts: number[] = JSON.parse(await runPython([program], JSON.stringify(input)));
    expect(attempts.filter((attempt) => attempt === 2)).toHaveLength(2 * COUNT);
    expect(await namesOf(api)).toEqual([...named('async'), ...named('sync')]);
  });
});
