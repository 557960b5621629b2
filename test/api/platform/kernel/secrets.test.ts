import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { type Actor, type Api, it, LOCAL } from '../../../support/api.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { openReceiver } from '../../../support/receiver.ts';
import { openWebService } from '../../../support/web-service.ts';

/** A text that occurs nowhere else, with characters that URLs and JSON write in another way. */
const secretOf = (name: string) => `${name}~${crypto.randomUUID()}/+&%`;

/** Every way in which a text may be written down. */
function writings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].flatMap((shift) => {
    // In the middle of a longer text: the letters at both ends depend on what is beside it.
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const inner = whole.slice(shift === 0 ? 0 : 4, -4);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), bytes.toString('hex'), ...inBase64];
}

/** Calls as `api.as` does, and caches every reply, whole. */
function listening(api: Api) {
  const replies: string[] = [];
  const ids: string[] = [];
  const as = (actor: Actor | { token: string }) => async (method: string, path: string, body?: unknown) => {
    const request = body === undefined ? {} : { text: typeof body === 'string' ? body : JSON.stringify(body) };
    const reply = await api.as(actor).send(method, path, request);
    replies.push(`${method} ${path.split('?')[0]} ${JSON.stringify([...reply.headers])} ${reply.bytes.toString()}`);
    ids.push(reply.headers.get('x-request-id')!);
    return reply;
  };
  return { as, replies, ids };
}

type Call = ReturnType<ReturnType<typeof listening>['as']>;

/** A server that sends the same to every client, after its request or at once. */
async function openServer(answer: Buffer, after: 'connect' | 'data'): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (after === 'connect') socket.end(answer);
    else socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A Postgres server that refuses everybody, in words of the test. */
function postgresRefusal(words: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C28P01\0M${words}\0D${words}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** The same of a MySQL server. */
function mysqlRefusal(words: string): Buffer {
  const payload = Buffer.concat([Buffer.from([0xff, 0x15, 0x04]), Buffer.from(`#28000${words}`)]);
  const head = Buffer.alloc(4);
  head.writeUIntLE(payload.length, 0, 3);
  return Buffer.concat([head, payload]);
}

/** What the gateway and all functions have logged since then, for this test and for those beside it. */
async function* everyLog(endpoint: string, startTime: number): AsyncGenerator<{ group: string; message: string }> {
  const client = new CloudWatchLogsClient({ endpoint, ...LOCAL });
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {})) {
    for (const { logGroupName } of logGroups) {
      for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName, startTime })) {
        for (const { message } of events) yield { group: logGroupName!, message: message! };
      }
    }
  }
}

/** Answers the name of the first secret that is in a text, in whatever form. */
function leakFinder(secrets: Record<string, string>): (text: string) => string | undefined {
  const forms = Object.entries(secrets).flatMap(([name, secret]) => writings(secret).map((form) => ({ name, form })));
  return (text) => forms.find(({ form }) => text.includes(form))?.name;
}

interface Caller {
  api: Api;
  owner: Call;
  editor: Call;
  replies: string[];
}

interface NewSource {
  type: string;
  config: object;
  secrets: object;
}

/** Creates a source, changes it with and without issues, and looks into it; returns its id. */
async function createSource({ owner, editor }: Caller, source: NewSource, unknown: string): Promise<string> {
  const body = { name: source.type, ...source };
  expect((await owner('POST', '/api/data-sources/test', body)).body.ok).toBe(false);
  await owner('POST', '/api/data-sources', { ...body, config: { ...body.config, colour: 'red' } });
  const { id } = (await owner('POST', '/api/data-sources', body)).body;
  expect(id, source.type).toBeTypeOf('string');
  await owner('PATCH', `/api/data-sources/${id}`, { secrets: source.secrets });
  await owner('PATCH', `/api/data-sources/${id}`, { secrets: { ...source.secrets, colour: unknown } });
  await owner('POST', `/api/data-sources/${id}/test`);
  for (const path of ['', '/schemas', '/tables', '/columns?table=rows']) {
    await editor('GET', `/api/data-sources/${id}${path}`);
  }
  await editor('POST', '/api/query', { sourceId: id, sql: 'SELECT 1 AS a' });
  return id;
}

/** Reads a source by a refresh and by a run, both of which fail. */
async function readSource({ api, editor, replies }: Caller, source: NewSource, id: string): Promise<void> {
  const table = source.type === 's3' ? { kind: 'file', path: 'a.csv' } : { kind: 'table', table: 'rows' };
  const dataset = await editor('POST', '/api/datasets', { name: source.type, source: { ...table, sourceId: id } });
  expect(dataset.status, JSON.stringify(dataset.body)).toBe(201);
  const refresh = await endedRefresh(api, dataset.body.id);
  expect(refresh.status).toBe('failed');
  replies.push(JSON.stringify(refresh));
  const object = source.type === 's3' ? { path: 'a.csv' } : { table: 'rows' };
  const dag = {
    version: 1,
    steps: [{ id: 'a', type: 'extract', config: { sourceId: id, object }, retry: { maxAttempts: 1 } }],
  };
  const pipeline = await editor('POST', '/api/pipelines', { name: source.type, dag });
  expect(pipeline.status, JSON.stringify(pipeline.body)).toBe(201);
  const run = (await editor('POST', `/api/pipelines/${pipeline.body.id}/run`)).body.id;
  await vi.waitFor(async () => expect((await editor('GET', `/api/pipelines/runs/${run}`)).body.status).toBe('failed'), {
    timeout: 60_000,
    interval: 200,
  });
  await editor('GET', `/api/pipelines/runs/${run}/steps/a/logs`);
}

describe('secrets', () => {
  it('are in no log, in no reply but the one that hands them out, and readable nowhere in the table', async ({
    api,
  }) => {
    const startedAt = Date.now();
    const secrets: Record<string, string> = {};
    const secret = (name: string) => {
      secrets[name] = secretOf(name);
      return secrets[name];
    };
    const { as, replies, ids } = listening(api);
    const owner = as('owner');
    const editor = as('editor');
    /** Its reply may show the secret, and is not looked at. */
    const handsOut = async <T>(what: Promise<T>): Promise<T> => {
      const reply = await what;
      replies.pop();
      return reply;
    };

    // Signing in, rightly and wrongly, and in broken JSON.
    const { email, password } = await api.password('editor');
    secrets.password = password;
    const session = (await handsOut(as('anonymous')('POST', '/api/auth/login', { email, password }))).body;
    Object.assign(secrets, { accessToken: session.accessToken, refreshToken: session.refreshToken });
    await as('anonymous')('POST', '/api/auth/login', { email, password: secret('wrongPassword') });
    await as('anonymous')('POST', '/api/auth/login', `{"email":"${email}","password":"${secret('typed')}",}`);
    await as('anonymous')('POST', '/api/auth/refresh', { refreshToken: secret('wrongRefreshToken') });
    await as({ token: secret('wrongToken').replaceAll(/[^\w-]/g, '') })('GET', '/api/auth/me');
    secrets.newPassword = `new-${crypto.randomUUID()}`;
    const person = { email: `new-${crypto.randomUUID()}@example.com`, password: secrets.newPassword, role: 'viewer' };
    await owner('POST', '/api/workspaces/members', { ...person, name: 'New' });
    await owner('POST', '/api/workspaces/members', { ...person, name: 'New' });

    // An API key, while it lives and afterwards.
    const key = (await handsOut(owner('POST', '/api/api-keys', { name: 'key', scope: 'admin' }))).body;
    secrets.apiKey = key.key;
    await as({ token: key.key })('GET', '/api/webhooks');
    await owner('GET', '/api/api-keys');
    await owner('DELETE', `/api/api-keys/${key.id}`);
    await as({ token: key.key })('GET', '/api/webhooks');

    // Sources whose server repeats what it received, as a proxy that reports its settings does.
    const web = await openWebService((_url, response) => {
      const reported = `Basic ${Buffer.from(`me:${secrets.credential}`).toString('base64')} ${secrets.credential}`;
      response
        .writeHead(500, { 'x-reported': encodeURIComponent(reported), 'content-type': 'text/plain' })
        .end(reported);
    });
    const dsn = (kind: string, word: string) =>
      `no way in for ${kind}://me:${encodeURIComponent(word)}@host/db: ${word}`;
    const postgresPort = await openServer(postgresRefusal(dsn('postgres', secret('postgres'))), 'data');
    const mysqlPort = await openServer(mysqlRefusal(dsn('mysql', secret('mysql'))), 'connect');
    const database = (port: number) => ({ host: '127.0.0.1', port, database: 'db', user: 'me', ssl: false });
    const sources = [
      { type: 'postgres', config: database(postgresPort), secrets: { password: secrets.postgres } },
      { type: 'mysql', config: database(mysqlPort), secrets: { password: secrets.mysql } },
      {
        type: 'http',
        config: { baseUrl: web.url, auth: 'basic', user: 'me', endpoints: [{ name: 'rows', path: '/rows' }] },
        secrets: { credential: secret('credential') },
      },
      {
        type: 's3',
        config: { bucket: 'theirs', endpoint: web.url },
        secrets: {
          accessKeyId: 'them',
          secretAccessKey: secret('secretAccessKey'),
          sessionToken: secret('sessionToken'),
        },
      },
    ];
    const caller = { api, owner, editor, replies };
    for (const source of sources) {
      const id = await createSource(caller, source, secret('unknown'));
      await readSource(caller, source, id);
    }
    expect(web.requests.length).toBeGreaterThan(0);

    // A secret of the workspace: given to code, which says it in every way that it can.
    const kept = { value: secret('workspaceSecret') };
    expect((await owner('PUT', '/api/secrets/KEPT', kept)).status).toBe(200);
    await owner('PUT', '/api/secrets/KEPT', { ...kept, description: 5 });
    await owner('PUT', '/api/secrets/not-a-name', kept);
    await editor('PUT', '/api/secrets/KEPT', kept);
    await editor('GET', '/api/secrets');
    await editor('GET', '/api/secrets/KEPT');
    const telling = `function transform(rows, { env }) {
      const hex = [...env.KEY].map((letter) => letter.charCodeAt(0).toString(16)).join('');
      console.log(env.KEY, encodeURIComponent(env.KEY), JSON.stringify(env), hex, env.KEY.toUpperCase());
      if (rows[0].n === '1') return [{ n: env.KEY }];
      throw new Error('reported ' + env.KEY);
    }`;
    const reported = (n: number) => ({
      version: 1,
      steps: [
        { id: 'rows', type: 'transform_sql', config: { sql: `SELECT ${n} AS n` } },
        {
          id: 'a',
          type: 'transform_code',
          dependsOn: ['rows'],
          config: {
            code: telling,
            env: { KEY: '{{ secrets.KEPT }}' },
            outputSchema: [{ name: 'n', type: 'integer' }],
          },
          retry: { maxAttempts: 1 },
        },
      ],
    });
    for (const n of [1, 2]) {
      const pipeline = (await editor('POST', '/api/pipelines', { name: `telling ${n}`, dag: reported(n) })).body.id;
      const run = (await editor('POST', `/api/pipelines/${pipeline}/run`)).body.id;
      await vi.waitFor(
        async () => expect((await editor('GET', `/api/pipelines/runs/${run}`)).body.status).toBe('failed'),
        { timeout: 60_000, interval: 200 },
      );
      await editor('GET', `/api/pipelines/runs/${run}/steps/a/logs`);
      const preview = await editor('POST', `/api/pipelines/${pipeline}/transform-preview`, { stepId: 'a' });
      expect(preview.body.code).toBe('PREVIEW_FAILED');
      await editor('GET', `/api/pipelines/${pipeline}`);
      await editor('GET', `/api/pipelines/${pipeline}/lineage`);
      await owner('DELETE', '/api/secrets/KEPT');
    }

    // A webhook: its secret signs, its headers are sent, and the receiver says them again.
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    const hook = {
      ...{ name: 'hook', url: receiver.url, kind: 'generic', events: [], secret: secret('webhookSecret') },
      headers: { authorization: secret('header') },
    };
    receiver.answerHeaders = { 'x-reported': encodeURIComponent(secrets.header!), 'set-cookie': secrets.header! };
    receiver.answer(500);
    const webhook = (await editor('POST', '/api/webhooks', hook)).body.id;
    await editor('PATCH', `/api/webhooks/${webhook}`, { headers: { authorization: secrets.header, 'bad name': 'x' } });
    await editor('PATCH', `/api/webhooks/${webhook}`, { secret: secret('nextWebhookSecret') });
    await editor('POST', `/api/webhooks/${webhook}/test`);
    await receiver.waitFor(1);
    expect(receiver.received[0]!.headers.authorization).toBe(secrets.header);
    await vi.waitFor(
      async () => {
        const { items } = (await editor('GET', `/api/webhooks/${webhook}/deliveries`)).body;
        expect(items).toMatchObject([{ status: 'failed' }]);
      },
      { timeout: 60_000, interval: 200 },
    );
    await editor('GET', '/api/webhooks');
    const generated = await handsOut(editor('PATCH', `/api/webhooks/${webhook}`, { generateSecret: true }));
    secrets.generatedSecret = generated.body.secret;
    await editor('GET', `/api/webhooks/${webhook}`);

    // A target of a schedule, whose address is a credential, too.
    await owner('PATCH', '/api/workspaces/current', { deliveryDomains: ['127.0.0.1'] });
    const layout = { blocks: [{ id: 'note', type: 'text', text: 'Nothing yet.' }] };
    const report = (await editor('POST', '/api/reports', { name: 'Sent', isPublished: true, layout })).body.id;
    const target = {
      ...{ type: 'webhook', url: `${receiver.url}/${encodeURIComponent(secret('targetPath'))}` },
      ...{ secret: secret('targetSecret'), headers: { authorization: secret('targetHeader') } },
    };
    const timed = { name: 'Daily', cronExpression: '@daily', targets: [target] };
    const schedule = (await editor('POST', `/api/reports/${report}/schedules`, timed)).body;
    expect(schedule.targets).toMatchObject([{ hasSecret: true }]);
    const place = `/api/reports/${report}/schedules/${schedule.id}`;
    const { id: targetId } = schedule.targets[0];
    await editor('PUT', place, {
      targets: [{ id: targetId, type: 'webhook', headers: { 'bad name': secrets.targetHeader } }],
    });
    await editor('PUT', place, { targets: [{ id: targetId, type: 'webhook', secret: secret('nextTargetSecret') }] });
    await editor('POST', `${place}/run`);
    await vi.waitFor(
      async () => {
        const [{ perTarget }] = (await editor('GET', `${place}/runs`)).body.items;
        expect(perTarget).toMatchObject([{ status: 'failed', attempts: 5 }]);
      },
      { timeout: 60_000, interval: 200 },
    );
    expect(receiver.received.at(-1)!.headers.authorization).toBe(secrets.targetHeader);
    await editor('GET', `/api/reports/${report}/schedules`);

    // The address that starts a pipeline.
    const dag = {
      version: 1,
      trigger: { kind: 'webhook' },
      steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } }],
    };
    const started = (await editor('POST', '/api/pipelines', { name: 'hooked', dag })).body.id;
    const trigger = await handsOut(editor('GET', `/api/pipelines/${started}/webhook`));
    secrets.triggerToken = new URL(trigger.body.url).searchParams.get('token')!;
    const call = await as('anonymous')('POST', `/api/pipelines/${started}/webhook?token=${secrets.triggerToken}`, {});
    expect(call.status).toBe(201);
    const wrong = await as('anonymous')('POST', `/api/pipelines/${started}/webhook?token=${secrets.triggerToken}x`, {});
    expect(wrong.status).toBe(401);
    await editor('GET', `/api/pipelines/${started}`);
    await editor('GET', `/api/pipelines/${started}/triggers`);

    const leak = leakFinder(secrets);
    for (const reply of replies) expect(leak(reply), reply.slice(0, 2000)).toBeUndefined();
    for await (const { Items } of paginateScan({ client: api.table.db }, { TableName: api.table.name })) {
      for (const item of Items ?? []) expect(leak(JSON.stringify(item)), JSON.stringify(item)).toBeUndefined();
    }
    // The gateway and the functions log every request; when the last is there, so is what came before it.
    const groups = await vi.waitFor(
      async () => {
        const missing = new Set(ids);
        const seen = new Set<string>();
        for await (const { group, message } of everyLog(api.endpoint, startedAt)) {
          seen.add(group);
          for (const id of missing) if (message.includes(id)) missing.delete(id);
          expect(leak(message), `${group}: ${message.slice(0, 2000)}`).toBeUndefined();
        }
        expect([...missing]).toEqual([]);
        return [...seen];
      },
      { timeout: 90_000, interval: 1000 },
    );
    for (const name of [
      'AccessLogs',
      'AuthFunction',
      'DataSources',
      'Query',
      'Pipelines',
      'RunJob',
      'RunStep',
      'DeliverWebhook',
    ]) {
      expect(
        groups.some((group) => group.includes(name)),
        `${name} of ${groups.join(', ')}`,
      ).toBe(true);
    }
  });
});
