import { describe, expect } from 'vitest';
import { memberKey } from '../../../../shared/domains/tenancy/workspaces/keys.ts';
import { type Key, workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { publish } from '../../../support/given/shares.ts';

interface Versioned {
  make(api: Api): Promise<{ path: string; key: Key }>;
  /** Ways to change the record; each is refused, and then accepted. */
  changes: { method: 'PATCH' | 'PUT' | 'DELETE'; below?: string; body?: object }[];
  /** Whether one record can be read by its path. */
  readable: boolean;
}

const dag = { version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } }] };

async function made(api: Api, path: string, area: string, body: object) {
  const reply = await api.as('owner').post(path, body);
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201, body: { revision: 1 } });
  expect(reply.headers.get('etag')).toBe('"1"');
  return { path: `${path}/${reply.body.id}`, key: workspaceKey(api.workspaceId, area, reply.body.id) };
}

const RECORDS: Record<string, Versioned> = {
  'share link': {
    make: async (api) => {
      const { id, path } = await givenDashboard(api);
      await posted(api, `${path}/cards`, textCard('text'));
      await publish(api, path);
      return made(api, '/api/shares', 'SHARE', { contentType: 'dashboard', contentId: id, shareType: 'public' });
    },
    changes: [{ method: 'PUT', below: '/ai', body: { allowAi: true } }, { method: 'DELETE' }],
    readable: false,
  },
  webhook: {
    make: (api) =>
      made(api, '/api/webhooks', 'WEBHOOK', {
        name: 'x',
        url: 'https://example.com/',
        kind: 'generic',
        events: [],
      }),
    changes: [{ method: 'PATCH', body: { name: 'y' } }, { method: 'DELETE' }],
    readable: true,
  },
  'data source': {
    make: (api) => made(api, '/api/data-sources', 'DATA-SOURCE', { name: 'x', type: 'file' }),
    changes: [{ method: 'PATCH', body: { name: 'y' } }, { method: 'DELETE' }],
    readable: true,
  },
  group: {
    make: (api) => made(api, '/api/groups', 'GROUP', { name: 'x' }),
    changes: [{ method: 'PATCH', body: { name: 'y' } }, { method: 'DELETE' }],
    readable: true,
  },
  'API key': {
    make: (api) => made(api, '/api/api-keys', 'API-KEY', { name: 'x', scope: 'read' }),
    changes: [{ method: 'DELETE' }],
    readable: false,
  },
  pipeline: {
    make: (api) => made(api, '/api/pipelines', 'PIPELINE', { name: 'x', dag }),
    changes: [
      { method: 'PATCH', body: { name: 'y' } },
      { method: 'PUT', below: '/schedule', body: { everySeconds: 3600 } },
      { method: 'DELETE' },
    ],
    readable: true,
  },
  dataset: {
    make: (api) => made(api, '/api/datasets', 'DATASET', { name: 'x' }),
    changes: [
      { method: 'PATCH', body: { name: 'y' } },
      { method: 'PUT', below: '/schedule', body: {} },
      { method: 'DELETE' },
    ],
    readable: true,
  },
  'saved query': {
    make: (api) => made(api, '/api/saved-queries', 'SAVED-QUERY', { name: 'x', sql: 'SELECT 1 AS a' }),
    changes: [{ method: 'PATCH', body: { name: 'y' } }, { method: 'DELETE' }],
    readable: true,
  },
  secret: {
    async make(api) {
      const reply = await api.as('owner').put('/api/secrets/x', { value: 'x' });
      expect(reply).toMatchObject({ status: 200, body: { revision: 1 } });
      return { path: '/api/secrets/x', key: workspaceKey(api.workspaceId, 'SECRET', 'x') };
    },
    changes: [{ method: 'PUT', body: { value: 'y' } }, { method: 'DELETE' }],
    readable: true,
  },
  member: {
    async make(api) {
      await api.joinAll();
      const { items } = (await api.as('owner').get('/api/workspaces/members')).body;
      const { userId } = items.find((member: { role: string }) => member.role === 'viewer');
      return { path: `/api/workspaces/members/${userId}`, key: memberKey(api.workspaceId, userId) };
    },
    changes: [{ method: 'PATCH', body: { role: 'editor' } }, { method: 'DELETE' }],
    readable: false,
  },
};

/** Other revisions are rejected as outdated, and headers of another form as invalid. */
async function expectRejected(send: (ifMatch: string) => Promise<unknown>, revision: number): Promise<void> {
  for (const stale of [`"${revision + 1}"`, `"${revision - 1}"`, `W/"${revision}"`, '"other", "0"', '""']) {
    expect(await send(stale), stale).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
  }
  for (const malformed of [String(revision), '"1', '*, "1"', 'nonsense']) {
    expect(await send(malformed), malformed).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/headers/if-match', code: 'INVALID_HEADER' }] },
    });
  }
}

describe('revisions', () => {
  for (const [name, record] of Object.entries(RECORDS)) {
    it(`a ${name} is changed only by a caller who has read its newest revision, if the caller asks for that`, async ({
      api,
    }) => {
      const { path, key } = await record.make(api);
      let revision = 1;
      for (const { method, below = '', body } of record.changes) {
        const send = (ifMatch: string) =>
          api.as('owner').send(method, path + below, {
            headers: { 'if-match': ifMatch },
            ...(body ? { text: JSON.stringify(body) } : {}),
          });
        const before = await api.stored(key);
        await expectRejected(send, revision);
        expect(await api.stored(key)).toEqual(before);

        const accepted = await send(`"99", "${revision}"`);
        if (method === 'DELETE') {
          expect(accepted.status).toBe(204);
          expect(await api.stored(key)).toBeUndefined();
          expect((await send('*')).status).toBe(404);
        } else {
          revision += 1;
          expect(accepted, JSON.stringify(accepted.body)).toMatchObject({ status: 200, body: { revision } });
          expect(accepted.headers.get('etag')).toBe(`"${revision}"`);
          expect(await api.stored(key)).toMatchObject({ revision });
          if (record.readable) expect((await api.as('owner').get(path)).headers.get('etag')).toBe(`"${revision}"`);
        }
      }
    });
  }

  it('lets one of many simultaneous changes of one revision win', async ({ api }) => {
    for (const name of ['webhook', 'pipeline'] as const) {
      const { path } = await RECORDS[name]!.make(api);
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          api.as('editor').patch(path, { name: `change ${index}` }, { headers: { 'if-match': '"1"' } }),
        ),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
      const winner = replies.find(({ status }) => status === 200);
      expect((await api.as('editor').get(path)).body).toMatchObject({ name: winner!.body.name, revision: 2 });
    }
  });

  const changeable = Object.entries(RECORDS).filter(([, { changes }]) => changes[0]!.method === 'PATCH');
  for (const [name, record] of changeable) {
    it(`simultaneous changes of a ${name} all hold when they ask for no revision, until it is removed`, async ({
      api,
    }) => {
      const { path, key } = await record.make(api);
      const body = (index: number) =>
        name === 'member' ? { role: index % 2 ? 'viewer' : 'editor' } : { name: `${index}` };
      const change = (index: number) => api.as('owner').patch(path, body(index));
      const replies = await Promise.all([0, 1, 2, 3, 4, 5].map(change));
      expect(replies.map(({ status, body: { code } }) => code ?? status)).toEqual(Array(6).fill(200));
      const stored = await api.stored(key);
      const last = replies.find((reply) => reply.body.revision === stored!.revision)!.body;
      expect(stored).toMatchObject(name === 'member' ? { role: last.role } : { name: last.name });
      // Setting the role that the member has already changes nothing.
      if (name !== 'member') expect(stored!.revision).toBe(7);

      const [removed, ...changed] = await Promise.all([api.as('owner').delete(path), ...[6, 7, 8].map(change)]);
      expect(removed.status, JSON.stringify(removed.body)).toBe(204);
      for (const { status } of changed) expect([200, 404]).toContain(status);
      expect(await api.stored(key)).toBeUndefined();
    });
  }

  it('a member is removed by one of many, and counted once', async ({ api }) => {
    const totals = { ...memberKey(api.workspaceId, ''), sk: '#TOTAL' };
    const { path } = await RECORDS.member!.make(api);
    const before = await api.stored(totals);
    const change = () => api.as('owner').patch(path, { role: 'admin' });
    const replies = await Promise.all([1, 2, 3, 4].map(() => api.as('owner').delete(path)).concat(change(), change()));
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
    for (const { status } of replies) expect([200, 204, 404]).toContain(status);
    expect(await api.stored(totals)).toEqual({ ...before, count: (before!.count as number) - 1 });
  });

  it('an API key is revoked by one of many', async ({ api }) => {
    const { path, key } = await RECORDS['API key']!.make(api);
    const replies = await Promise.all([1, 2, 3].map(() => api.as('owner').delete(path)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    expect(await api.stored(key)).toBeUndefined();
  });

  it('takes any revision for `*`, and counts on without If-Match', async ({ api }) => {
    const { path } = await RECORDS.webhook!.make(api);
    expect((await api.as('editor').patch(path, { name: 'b' })).body.revision).toBe(2);
    const any = await api.as('editor').patch(path, { name: 'c' }, { headers: { 'if-match': '*' } });
    expect(any).toMatchObject({ status: 200, body: { revision: 3, name: 'c' } });
  });
});
