import { describe, expect, vi } from 'vitest';
import { companyLogKey } from '../../../../shared/platform/audit/entry.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { type Api, it } from '../../../support/api.ts';
import type { Reply } from '../../../support/conformance.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMember } from '../../../support/given/member.ts';

interface Entry {
  action: string;
  object: { type: string; id: string; name: string | null };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Every entry of the workspace, oldest first, read by its company admin. */
async function logOf(api: Api): Promise<Entry[]> {
  const { body } = await api.as('owner').get(`/api/audit-log?limit=200&workspaceId=${api.workspaceId}`);
  return body.items.toReversed();
}

function ok(reply: Reply): Reply {
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply;
}

async function expectActions(api: Api, subject: string, expected: string[]): Promise<Entry[]> {
  const entries = async () => (await logOf(api)).filter(({ action }) => action.startsWith(`${subject}.`));
  await vi.waitFor(async () => expect((await entries()).map(({ action }) => action)).toEqual(expected), {
    timeout: 60_000,
    interval: 100,
  });
  return entries();
}

/** What is stored of the company's log, as text. */
async function storedLog(api: Api): Promise<string> {
  const { pk } = companyLogKey(api.companyId, new Date().toISOString().slice(0, 7), '');
  return JSON.stringify(await Array.fromAsync(itemsBelow(api.table, { pk, sk: '' })));
}

describe('the audit log has what happens to', () => {
  it('data sources, whose secrets it never has', async ({ api }) => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    const config = { host: '127.0.0.1', port: 5432, database: 'sales', user: 'reader', ssl: false };
    const source = { name: 'database', type: 'postgres', config, secrets: { password: first } };
    const { id } = ok(await api.as('owner').post('/api/data-sources', source)).body;
    ok(await api.as('owner').patch(`/api/data-sources/${id}`, { secrets: { password: second } }));
    ok(await api.as('owner').put(`/api/data-sources/${id}/schedule`, { cron: '0 3 * * *' }));
    ok(await api.as('owner').delete(`/api/data-sources/${id}`));
    const files = ok(await api.as('owner').post('/api/data-sources', { name: 'files', type: 'file' })).body;
    ok(await api.as('owner').post(`/api/data-sources/${files.id}/uploads`, { path: 'a.csv', size: 3 }));
    const entries = await expectActions(api, 'data_source', [
      'data_source.created',
      'data_source.updated',
      'data_source.updated',
      'data_source.deleted',
      'data_source.created',
      'data_source.upload_created',
    ]);
    expect(entries).toMatchObject([
      { object: { type: 'data-source', id, name: 'database' }, after: { config, secrets: '[hidden]' } },
      { before: { secrets: '[hidden]' }, after: { secrets: '[hidden]' } },
      { before: { schedule: null }, after: { schedule: { cron: '0 3 * * *' } } },
      { before: { name: 'database' }, after: null },
      { object: { name: 'files' } },
      { object: { id: files.id, name: 'files' }, after: { path: 'a.csv', size: 3 } },
    ]);
    const stored = await storedLog(api);
    for (const secret of [first, second]) expect(stored).not.toContain(secret);
  });

  it('secrets and webhooks, without values, headers and the paths of URLs', async ({ api }) => {
    const secrets = Array.from({ length: 5 }, () => crypto.randomUUID());
    const [value, next, header, key, path] = secrets as [string, string, string, string, string];
    ok(await api.as('owner').put('/api/secrets/token', { value }));
    ok(await api.as('owner').put('/api/secrets/token', { value: next }));
    ok(await api.as('owner').delete('/api/secrets/token'));
    const webhook = {
      name: 'Ops',
      kind: 'generic',
      url: `https://example.com/${path}`,
      events: ['pipeline.run_failed'],
    };
    const made = ok(
      await api.as('owner').post('/api/webhooks', { ...webhook, headers: { authorization: header }, secret: key }),
    ).body;
    const url = `https://example.com/${path}?k=${next}`;
    ok(await api.as('owner').patch(`/api/webhooks/${made.id}`, { url, enabled: false }));
    ok(await api.as('owner').delete(`/api/webhooks/${made.id}`));
    expect(await expectActions(api, 'secret', ['secret.created', 'secret.updated', 'secret.deleted'])).toMatchObject([
      { object: { type: 'secret', id: 'token', name: 'token' }, after: { value: '[hidden]' } },
      { before: { value: '[hidden]' }, after: { value: '[hidden]' } },
      { before: { value: '[hidden]' } },
    ]);
    const hooks = await expectActions(api, 'webhook', ['webhook.created', 'webhook.updated', 'webhook.deleted']);
    expect(hooks).toMatchObject([
      {
        after: {
          url: 'https://example.com/…',
          secret: '[hidden]',
          headers: '[hidden]',
          headerNames: ['authorization'],
        },
      },
      {
        before: { url: 'https://example.com/…', enabled: true },
        after: { url: 'https://example.com/…', enabled: false },
      },
      { object: { id: made.id, name: 'Ops' } },
    ]);
    const stored = await storedLog(api);
    for (const secret of secrets) expect(stored).not.toContain(secret);
  });

  it('saved queries, access to them, and rows that leave as files', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS n' });
    const editor = api.as('editor');
    const query = ok(await editor.post('/api/saved-queries', { name: 'Orders', sql: 'SELECT n FROM orders' })).body;
    const path = `/api/saved-queries/${query.id}`;
    ok(await editor.patch(path, { sql: `SELECT n, '${'x'.repeat(3_000)}' AS note FROM orders` }));
    ok(await editor.post(`${path}/versions/1/restore`));
    const { userId } = await givenMember(api);
    ok(await editor.put(`${path}/access/user/${userId}`, { level: 'viewer' }));
    ok(await editor.put(`${path}/access/user/${userId}`, { level: 'viewer' }));
    ok(await editor.put(`${path}/access/user/${userId}`, { level: 'editor' }));
    ok(await editor.delete(`${path}/access/user/${userId}`));
    const csv = { headers: { accept: 'text/csv' }, text: '{}' };
    ok(await editor.send('POST', `${path}/run`, csv));
    ok(await editor.post(`${path}/run`, {}));
    ok(await editor.send('POST', '/api/query', { ...csv, text: '{"sql":"SELECT n FROM orders"}' }));
    ok(await editor.delete(path));
    const changes = await expectActions(api, 'saved_query', [
      'saved_query.created',
      'saved_query.updated',
      'saved_query.restored',
      'saved_query.deleted',
    ]);
    expect(changes[1]!.before).toEqual({ sql: 'SELECT n FROM orders' });
    expect(changes[1]!.after!.sql).toMatch(/^SELECT n, 'x{900,1000}…$/);
    expect(changes[2]!.after).toEqual({ sql: 'SELECT n FROM orders' });
    const grantee = { granteeType: 'user', granteeId: userId };
    expect(await expectActions(api, 'access', ['access.granted', 'access.granted', 'access.revoked'])).toMatchObject([
      {
        object: { type: 'saved-query', id: query.id, name: 'Orders' },
        before: null,
        after: { ...grantee, level: 'viewer' },
      },
      { before: { level: 'viewer' }, after: { level: 'editor' } },
      { before: { ...grantee, level: 'editor' }, after: null },
    ]);
    expect(await expectActions(api, 'query', ['query.exported', 'query.exported'])).toMatchObject([
      { object: { type: 'saved-query', id: query.id, name: 'Orders' }, after: { contentType: 'text/csv' } },
      { object: { type: 'query' } },
    ]);
  });

  it('pipelines, flowlets and datasets', async ({ api }) => {
    const editor = api.as('editor');
    const steps = [{ id: 'rows', type: 'transform_sql', config: { sql: 'SELECT 1 AS n' } }];
    const pipeline = { name: 'numbers', dag: { version: 1, trigger: { kind: 'webhook' }, steps } };
    const { id } = ok(await editor.post('/api/pipelines', pipeline)).body;
    ok(await editor.patch(`/api/pipelines/${id}`, { status: 'paused' }));
    ok(await editor.put(`/api/pipelines/${id}/schedule`, { cron: '0 3 * * *' }));
    const { url } = ok(await editor.post(`/api/pipelines/${id}/webhook/rotate`)).body;
    ok(await editor.delete(`/api/pipelines/${id}`));
    const changes = await expectActions(api, 'pipeline', [
      'pipeline.created',
      'pipeline.updated',
      'pipeline.updated',
      'pipeline.webhook_token_rotated',
      'pipeline.deleted',
    ]);
    expect(changes[1]).toMatchObject({ before: { status: 'active' }, after: { status: 'paused' } });
    expect(changes[3]).toMatchObject({ before: { webhookToken: null }, after: { webhookToken: { generation: 2 } } });
    expect(await storedLog(api)).not.toContain(new URL(url).searchParams.get('token'));

    const flowlet = {
      name: 'clean',
      inputs: [{ name: 'rows', columns: [{ name: 'n', type: 'integer' }] }],
      ops: [{ op: 'filter', condition: 'n > 5' }],
    };
    const saved = ok(await editor.post('/api/pipelines/flowlets', flowlet)).body;
    ok(await editor.post('/api/pipelines/flowlets', flowlet));
    ok(await editor.post('/api/pipelines/flowlets', { ...flowlet, ops: [{ op: 'filter', condition: 'n > 6' }] }));
    ok(await editor.delete(`/api/pipelines/flowlets/${saved.id}/all`));
    await expectActions(api, 'flowlet', ['flowlet.created', 'flowlet.updated', 'flowlet.deleted']);

    const dataset = await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS n' });
    await givenDataset(api, { name: 'orders', sql: 'SELECT 2 AS n' });
    ok(await editor.patch(`/api/datasets/${dataset.id}`, { retention: { versions: 5, days: 2 } }));
    ok(await editor.post(`/api/datasets/${dataset.id}/versions/1/restore`));
    ok(await editor.delete(`/api/datasets/${dataset.id}`));
    expect(
      await expectActions(api, 'dataset', ['dataset.updated', 'dataset.restored', 'dataset.deleted']),
    ).toMatchObject([
      { before: { retention: { versions: 3 } }, after: { retention: { versions: 5, days: 2 } } },
      { object: { id: dataset.id, name: 'orders' }, before: { version: 2 }, after: { contentOfVersion: 1 } },
      {},
    ]);
  });

  it('members, their roles and attributes, API keys and service accounts', async ({ api }) => {
    const { userId, email } = await givenMember(api);
    const path = `/api/workspaces/members/${userId}`;
    ok(await api.as('owner').patch(path, { role: 'editor' }));
    ok(await api.as('owner').patch(path, { role: 'editor' }));
    ok(await api.as('owner').put(`${path}/attributes`, { attributes: { region: 'eu' } }));
    ok(await api.as('owner').delete(path));
    const members = await expectActions(api, 'member', [
      'member.added',
      'member.updated',
      'member.attributes_updated',
      'member.removed',
    ]);
    expect(members).toMatchObject([
      { object: { type: 'member', id: userId, name: `New <${email}>` }, after: { role: 'viewer', isNewAccount: true } },
      { before: { role: 'viewer' }, after: { role: 'editor' } },
      { before: { attributes: {} }, after: { attributes: { region: 'eu' } } },
      { before: { role: 'editor' } },
    ]);
    await expectActions(api, 'workspace', ['workspace.created']);

    const account = ok(await api.as('owner').post('/api/service-accounts', { name: 'Robot', role: 'viewer' })).body;
    const wanted = { name: 'Importer', scope: 'read', serviceAccountId: account.id };
    const key = ok(await api.as('owner').post('/api/api-keys', wanted)).body;
    ok(await api.as('owner').patch(`/api/api-keys/${key.id}`, { name: 'Loader' }));
    const rotated = ok(await api.as('owner').post(`/api/api-keys/${key.id}/rotate`, { overlapHours: 2 })).body;
    ok(await api.as('owner').patch(`/api/service-accounts/${account.id}`, { role: 'editor' }));
    ok(await api.as('owner').delete(`/api/service-accounts/${account.id}`));
    const keys = await expectActions(api, 'api_key', [
      'api_key.created',
      'api_key.updated',
      'api_key.rotated',
      'api_key.revoked',
    ]);
    expect(keys[2]).toMatchObject({
      object: { type: 'api-key', id: key.id, name: 'Loader' },
      before: { prefix: key.prefix, previous: null },
      after: { prefix: rotated.prefix, previous: { prefix: key.prefix } },
    });
    await expectActions(api, 'service_account', [
      'service_account.created',
      'service_account.updated',
      'service_account.deleted',
    ]);
    const stored = await storedLog(api);
    for (const secret of [key.key, rotated.key]) expect(stored).not.toContain(secret.slice(12));
  });
});
