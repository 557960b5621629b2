import { expect, it } from 'vitest';
import { Analytics } from '../src/index.ts';
import { type Answer, json, problem, scriptedServer } from './scripted-server.ts';

const TOTAL = 10_000;

/** Pages of numbered records, by offset or by a cursor that is the number of the next record. */
const pages: Answer = (response, { path }) => {
  const query = new URLSearchParams(path.split('?')[1]);
  const start = Number(query.get('cursor') ?? query.get('offset') ?? 0);
  const limit = Number(query.get('limit') ?? 50);
  const items = Array.from({ length: Math.min(limit, TOTAL - start) }, (_, index) => ({ id: String(start + index) }));
  const end = start + items.length;
  json(200, { items, total: TOTAL, nextCursor: end < TOTAL ? String(end) : null })(response, {} as never);
};

it.each(['webhooks', 'datasets'] as const)(
  'a list (%s) is read page by page, each when it is needed',
  async (resource) => {
    await using server = await scriptedServer(pages);
    const api = new Analytics({ url: server.url });
    const list = api[resource].list({ limit: 100 });
    expect((await list).items).toHaveLength(100);
    let seen = 0;
    for await (const { id } of list) {
      expect(id).toBe(String(seen));
      seen += 1;
      expect(server.seen.length).toBe(Math.ceil(seen / 100));
    }
    expect(seen).toBe(TOTAL);
  },
);

it('a reader that stops asks for no further page', async () => {
  await using server = await scriptedServer(pages);
  for await (const { id } of new Analytics({ url: server.url }).webhooks.list({ limit: 10 })) if (id === '9') break;
  expect(server.seen).toHaveLength(1);
});

it('a list without a cursor ends with what to do where its offsets end', async () => {
  const many: Answer = (response, seen) => {
    const offset = Number(new URLSearchParams(seen.path.split('?')[1]).get('offset') ?? 0);
    json(200, { items: Array.from({ length: 5000 }, (_, index) => ({ id: String(offset + index) })), total: 20_000 })(
      response,
      seen,
    );
  };
  await using server = await scriptedServer(many);
  let read = 0;
  const all = async () => {
    for await (const _ of new Analytics({ url: server.url }).webhooks.list()) read += 1;
  };
  await expect(all()).rejects.toThrow('can be read up to record 10000. Narrow it down with a filter.');
  expect(read).toBe(15_000);
});

it('a list that fails later fails there', async () => {
  await using server = await scriptedServer(pages, problem(403, 'FORBIDDEN'));
  let read = 0;
  const all = async () => {
    for await (const _ of new Analytics({ url: server.url }).webhooks.list({ limit: 10 })) read += 1;
  };
  await expect(all()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(read).toBe(10);
});
