import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { type Api, it, LOCAL } from '../../../support/api.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
  await server.run(`
    CREATE TABLE orders (id BIGINT PRIMARY KEY, amount NUMERIC(10,2) NOT NULL, at TIMESTAMPTZ, "Odd Name" VARCHAR(20));
    CREATE VIEW recent AS SELECT * FROM orders;
    CREATE SCHEMA "Back Office"; CREATE TABLE "Back Office"."pay""roll" (salary INTEGER)`);
});
afterAll(() => server.stop());

const source = (config: object = {}, secrets: object = {}) => ({
  name: 'database',
  type: 'postgres',
  config: { host: server.host, port: server.port, database: server.database, user: server.user, ssl: false, ...config },
  secrets: { password: server.password, ...secrets },
});

async function given(api: Api, body: object = source()): Promise<string> {
  return (await api.as('owner').post('/api/data-sources', body)).body.id;
}

/** What a test of the connection says, unsaved and saved alike. */
async function verdict(api: Api, body: object) {
  const unsaved = await api.as('owner').post('/api/data-sources/test', body);
  const saved = await api.as('owner').post(`/api/data-sources/${await given(api, body)}/test`);
  expect(unsaved.status).toBe(200);
  expect({ ...saved.body, latencyMs: 0 }).toEqual({ ...unsaved.body, latencyMs: 0 });
  return saved.body;
}

async function portOf(answer: (text: string) => Buffer | string): Promise<number> {
  const liar = createServer((socket) => {
    socket.on('error', () => {}).once('data', (bytes) => socket.end(answer(bytes.toString('latin1'))));
  }).listen(0, '127.0.0.1');
  await once(liar, 'listening');
  onTestFinished(() => void liar.close());
  return (liar.address() as AddressInfo).port;
}

describe('a Postgres source', () => {
  it('is tried, saved or not', async ({ api }) => {
    expect(await verdict(api, source())).toEqual({
      ok: true,
      latencyMs: expect.any(Number),
      serverVersion: expect.stringMatching(/^18\./),
    });
  });

  it('distinguishes a wrong password, a wrong database and a closed port', async ({ api }) => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    for (const [name, body, code] of [
      ['password', source({}, { password: 'wrong' }), 'AUTH_FAILED'],
      ['database', source({ database: 'nowhere' }), 'NOT_FOUND'],
      ['port', source({ port }), 'CONNECTION_FAILED'],
      ['tls', source({ ssl: true }), 'CONNECTION_FAILED'],
    ] as const) {
      const said = await verdict(api, { ...body, name });
      expect(said, name).toMatchObject({ ok: false, code, message: expect.any(String) });
      expect(JSON.stringify(said), name).not.toContain(server.password);
    }
  });

  it('survives a server that speaks something else', async ({ api }) => {
    const lies = [
      'HTTP/1.1 400 Bad Request\r\n\r\n',
      Buffer.from([0x52, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
      Buffer.from([0x5a, 0, 0, 0, 1]),
      '',
    ];
    for (const [index, lie] of lies.entries()) {
      const port = await portOf(() => lie);
      const said = await verdict(api, { ...source({ port }), name: `liar ${index}` });
      expect(said, `lie ${index}`).toMatchObject({ ok: false, code: 'CONNECTION_FAILED' });
    }
  });

  it('gives up on a server that never answers', async ({ api }) => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    expect((await api.as('owner').post('/api/data-sources/test', source({ port }))).body).toMatchObject({
      ok: false,
      code: 'TIMEOUT',
    });
  });

  it('shows its schemas, tables and columns', async ({ api }) => {
    const id = await given(api);
    const editor = api.as('editor');
    const schemas = (await editor.get(`/api/data-sources/${id}/schemas`)).body.items;
    expect(schemas).toEqual([{ name: 'Back Office' }, { name: 'public' }]);
    const tables = (query: string) => editor.get(`/api/data-sources/${id}/tables${query}`);
    expect((await tables('')).body.items).toMatchObject([
      { schema: 'public', name: 'orders', kind: 'table' },
      { schema: 'public', name: 'recent', kind: 'view' },
    ]);
    expect((await tables('?schema=Back%20Office')).body.items).toMatchObject([{ name: 'pay"roll' }]);
    expect((await tables('?schema=none')).body.items).toEqual([]);
    const columns = (query: string) => editor.get(`/api/data-sources/${id}/columns?${query}`);
    expect((await columns('table=orders')).body).toEqual({
      items: [
        { name: 'id', type: 'integer', sourceType: 'bigint', nullable: false, primaryKey: true },
        { name: 'amount', type: 'decimal(10,2)', sourceType: 'numeric(10,2)', nullable: false, primaryKey: false },
        { name: 'at', type: 'timestamptz', sourceType: 'timestamp with time zone', nullable: true, primaryKey: false },
        {
          name: 'Odd Name',
          type: 'string',
          sourceType: 'character varying(20)',
          nullable: true,
          primaryKey: false,
        },
      ],
    });
    expect((await columns('schema=Back%20Office&table=pay%22roll')).body.items).toMatchObject([{ name: 'salary' }]);
    expect(await columns('table=nothing')).toMatchObject({
      status: 404,
      body: { code: 'TABLE_NOT_FOUND' },
    });
  });

  it('says why it cannot be looked into', async ({ api }) => {
    const id = await given(api, source({}, { password: 'wrong' }));
    for (const path of ['schemas', 'tables', 'columns?table=orders']) {
      expect(await api.as('editor').get(`/api/data-sources/${id}/${path}`), path).toMatchObject({
        status: 422,
        body: { code: 'DATA_SOURCE_UNREACHABLE', errors: [{ code: 'AUTH_FAILED' }] },
      });
    }
  });

  it('takes no files', async ({ api }) => {
    const id = await given(api);
    const reply = await api.as('owner').post(`/api/data-sources/${id}/uploads`, { path: 'a.csv', size: 1 });
    expect(reply).toMatchObject({ status: 409, body: { code: 'UPLOAD_NOT_SUPPORTED' } });
  });

  it('leaves its password in no log and nowhere in the table', async ({ api }) => {
    const password = `unique-${crypto.randomUUID()}`;
    const id = await given(api, source({}, { password }));
    await api.as('owner').post(`/api/data-sources/${id}/test`);
    const last = await api.as('editor').get(`/api/data-sources/${id}/schemas`);
    const { found } = await logsOf(api, 'data-sources');
    expect(await found(last.body.requestId)).toBe(true);
    expect(await found(password)).toBe(false);
    for await (const items of everything(api)) expect(items).not.toContain(password);
  });
});

async function logsOf(api: Api, functionName: string) {
  const lambda = new LambdaClient({ endpoint: api.endpoint, ...LOCAL });
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  const { LoggingConfig } = Functions.find((each) => each.FunctionName!.endsWith(`-${functionName}`))!;
  const logs = new CloudWatchLogsClient({ endpoint: api.endpoint, ...LOCAL });
  return {
    async found(text: string): Promise<boolean> {
      const query = { logGroupName: LoggingConfig!.LogGroup!, filterPattern: `"${text}"` };
      for await (const { events = [] } of paginateFilterLogEvents({ client: logs }, query)) {
        if (events.length > 0) return true;
      }
      return false;
    },
  };
}

/** All items of the table as JSON text, a page at a time. */
async function* everything(api: Api): AsyncGenerator<string> {
  for await (const { Items } of paginateScan({ client: api.table.db }, { TableName: api.table.name })) {
    yield JSON.stringify(Items);
  }
}
