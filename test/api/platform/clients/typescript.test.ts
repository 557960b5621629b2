import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { GROUPS } from '../../../../functions/api.ts';
import { openApiDocument } from '../../../../infra/build/openapi/document.ts';
import { clientOperations, type Operation } from '../../../../infra/clients/operations.ts';
import { type Api, it, itWithOwnCompany } from '../../../support/api.ts';
import { builtClient, clientPackage } from '../../../support/built-client.ts';

const MAX_BYTES = 12 * 1024;
const UNKNOWN = '01a22997-4f10-7cf9-9400-18c2f8d14ff7';

const clientOf = async (api: Api, token: string) =>
  new (await builtClient()).Analytics({ url: api.endpoint, apiKey: token });

/** They end what the others need. */
const LAST = ['auth.changePassword', 'auth.endOtherSessions', 'auth.logout', 'workspaces.delete', 'company.delete'];

describe('the TypeScript client', () => {
  it('is small with all operations', async () => {
    const file = join(await clientPackage(), 'dist/index.js');
    expect(gzipSync(readFileSync(file), { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
  });

  itWithOwnCompany('reaches every operation, and fails only as it declares', async ({ api }) => {
    const { ApiError } = await builtClient();
    const client = await clientOf(api, await api.token('owner'));
    const examples = new Map(
      GROUPS.flatMap(({ sections }) => sections).flatMap(({ examples }) =>
        [...examples].map(([route, { request }]) => [route.operationId, request] as const),
      ),
    );
    const place = ({ resource, method }: Operation) => LAST.indexOf(`${resource}.${method}`);
    const operations = clientOperations(GROUPS, openApiDocument(GROUPS)).sort(
      (one, other) => place(one) - place(other),
    );
    expect(operations.length).toBeGreaterThan(500);
    for (const operation of operations) {
      const { resource, method, errors, pathParameters, body, query, reply } = operation;
      const values = pathParameters.map(({ schema }) => exampleOf(schema));
      const bodies = body ? [examples.get(operation.operationId) ?? {}] : [];
      const queries = query ? [requiredOf(query)] : [];
      const signal = AbortSignal.timeout(20_000);
      const outcome = await outcomeOf(
        () => client[resource][method](...values, ...bodies, ...queries, { retries: 0, signal }),
        reply,
      );
      if (outcome === undefined) continue;
      expect(outcome, `${resource}.${method}: ${outcome}`).toBeInstanceOf(ApiError);
      expect([...errors, 'RATE_LIMITED', 'UNKNOWN'], `${resource}.${method}: ${outcome}`).toContain(outcome.code);
      if (outcome.code === 'UNKNOWN') expect(resource).toBe('scim');
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
    await expect(client.datasets.get(UNKNOWN)).rejects.toBeInstanceOf(NotFound);
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

function exampleOf({ format, enum: values, type, const: only, anyOf }: Record<string, unknown>): unknown {
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0]);
  if (type === 'integer') return 1;
  return format === 'uuid' ? UNKNOWN : 'unknown';
}

function requiredOf({ properties, required }: Record<string, unknown>): Record<string, unknown> {
  const schemas = properties as Record<string, Record<string, unknown>>;
  return Object.fromEntries((required as string[]).map((name) => [name, exampleOf(schemas[name]!)]));
}

/** What the call fails with, if it does; the first of what streams yield is enough. */
async function outcomeOf(
  work: () => unknown,
  reply: Operation['reply'],
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
