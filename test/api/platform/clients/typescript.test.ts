import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { type Api, it, itWithOwnCompany } from '../../../support/api.ts';
import { builtClient, clientPackage } from '../../../support/built-client.ts';
import { type ClientCall, callsOfEveryOperation, UNKNOWN_ID } from '../../../support/client-calls.ts';

const MAX_BYTES = 12 * 1024;

const clientOf = async (api: Api, token: string) =>
  new (await builtClient()).Analytics({ url: api.endpoint, apiKey: token });

describe('the TypeScript client', () => {
  it('is small with all operations', async () => {
    const file = join(await clientPackage(), 'dist/index.js');
    expect(gzipSync(readFileSync(file), { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
  });

  itWithOwnCompany('reaches every operation, and fails only as it declares', async ({ api }) => {
    const { ApiError } = await builtClient();
    const client = await clientOf(api, await api.token('owner'));
    const calls = callsOfEveryOperation();
    expect(calls.length).toBeGreaterThan(500);
    for (const { resource, method, path, body, query, reply, codes } of calls) {
      const signal = AbortSignal.timeout(20_000);
      const given = [...path, ...(body === undefined ? [] : [body]), ...(query === undefined ? [] : [query])];
      const outcome = await outcomeOf(() => client[resource][method](...given, { retries: 0, signal }), reply);
      if (outcome === undefined) continue;
      expect(outcome, `${resource}.${method}: ${outcome}`).toBeInstanceOf(ApiError);
      expect(codes, `${resource}.${method}: ${outcome}`).toContain(outcome.code);
    }
  });

  it('loads a file, follows the run and reads the rows', async ({ api }) => {
    const { objects, NotFound, PreconditionFailed, Conflict, Forbidden, Unauthenticated, ValidationError, failedWith } =
      await builtClient();
    const client = await clientOf(api, await api.token('owner'));
    const source = await client.dataSources.create({ name: 'Files', type: 'file' });
    const sent: number[] = [];
    await client.uploads.file(source.id, 'orders.csv', 'id,amount\n1,2.5\n2,4\n', {
      onProgress: ({ sentBytes }: { sentBytes: number }) => sent.push(sentBytes),
    });
    expect(sent).toEqual([20]);
    const steps = [
      { id: 'read', type: 'extract', config: { sourceId: source.id, object: { path: 'orders.csv' } } },
      {
        ...{ id: 'keep', type: 'load', dependsOn: ['read'] },
        config: { target: { kind: 'dataset', name: 'orders' }, mode: 'overwrite' },
      },
    ];
    const pipeline = await client.pipelines.create({ name: 'Orders', dag: { version: 1, steps } });
    const run = await client.pipelines.start(pipeline.id, {});
    const last: unknown[] = [];
    for await (const { event, data } of client.runs.events(run.id)) if (event === 'end') last.push(data);
    expect(last).toEqual([{ status: 'succeeded' }]);

    const table = await client.query.run({ sql: 'SELECT id, amount FROM orders ORDER BY id' });
    expect([...objects(table)]).toEqual([
      { id: 1, amount: 2.5 },
      { id: 2, amount: 4 },
    ]);
    const csv = await client.query.run({ sql: 'SELECT id FROM orders ORDER BY id' }, { accept: 'text/csv' });
    expect(await csv.text()).toBe('id\r\n1\r\n2\r\n');
    const names: string[] = [];
    for await (const { name } of client.datasets.list({ limit: 1 })) names.push(name);
    expect(names).toEqual(['orders']);

    const theme = { name: 'Dark' };
    const { data, response } = await client.savedQueries.create({ name: 'All', sql: 'SELECT 1 AS n' }).withResponse();
    expect(response.headers.get('etag')).toBe(`"${data.revision}"`);
    await client.savedQueries.update(data.id, { name: 'Every' }, { ifMatch: data.revision });
    await expect(
      client.savedQueries.update(data.id, { name: 'Each' }, { ifMatch: data.revision }),
    ).rejects.toBeInstanceOf(PreconditionFailed);
    await expect(client.datasets.get(UNKNOWN_ID)).rejects.toBeInstanceOf(NotFound);
    await expect(client.pipelines.create({ name: 'Orders', dag: { version: 1, steps } })).rejects.toBeInstanceOf(
      Conflict,
    );
    await expect(client.query.run({ sql: 'SELEC' })).rejects.toBeInstanceOf(ValidationError);
    const viewer = await clientOf(api, await api.token('viewer'));
    const refused = await viewer.dataSources.create({ name: 'Mine', type: 'file' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Forbidden);
    expect(failedWith(refused, 'FORBIDDEN')).toBe(true);
    await expect((await clientOf(api, 'wrong')).themes.create(theme)).rejects.toBeInstanceOf(Unauthenticated);
    const stranger = await clientOf(api, await api.token('stranger'));
    await expect(stranger.pipelines.get(pipeline.id)).rejects.toBeInstanceOf(NotFound);
  });
});

/** What the call fails with, if it does; the first of what streams yield is enough. */
async function outcomeOf(
  work: () => unknown,
  reply: ClientCall['reply'],
): Promise<(Error & { code?: string }) | undefined> {
  try {
    if (reply === 'events' || reply === 'lines') {
      for await (const _ of work() as AsyncIterable<unknown>) break;
    } else await work();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
