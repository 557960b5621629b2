import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { once } from '../../../../shared/platform/http/idempotency.ts';
import type { HttpReply } from '../../../../shared/platform/http/problem.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
/** The master secret whose newest version this is. */
const masterOf = (newest: number) =>
  new MasterSecret(async (version = newest) => ({ version, secret: Buffer.alloc(32, version) }));
const master = masterOf(1);
const secrets = secretBox(master);
let table: Table;
beforeAll(() => {
  table = local.open();
});

/** Of the function that serves a request. */
const LIFETIME_MS = 29_000;
const START = Date.parse('2026-06-01T12:00:00Z');

/** A client that sends one request under one key, and again: `afterMs` is when its function begins. */
function client(content = 'content') {
  const request = {
    workspaceId: newId(),
    credentialId: newId(),
    operationId: 'createThing',
    key: 'key',
    content,
  };
  return (
    work: (id: string) => Promise<HttpReply>,
    { afterMs = 0, content: other = content, master: by = master } = {},
  ) => {
    const context = { now: new Date(START + afterMs), newId: newId(), remainingMs: LIFETIME_MS };
    return once({ table, secrets, master: by }, { ...request, content: other }, context, work);
  };
}

const made = async (id: string): Promise<HttpReply> => ({ statusCode: 201, headers: {}, body: id });
const refused = async (): Promise<HttpReply> => {
  throw new AppError('RUN_OVERLAP');
};
const broken = async (): Promise<HttpReply> => {
  throw new Error('the connection was lost');
};

/** Begins the request in a function that is killed in the middle of its work; answers the id that it had. */
async function killed(send: ReturnType<typeof client>, afterMs = 0): Promise<string> {
  const begun = Promise.withResolvers<string>();
  void send(
    (id) => {
      begun.resolve(id);
      return new Promise<never>(() => {});
    },
    { afterMs },
  );
  return begun.promise;
}

const storedItems = async () => (await table.db.send(new ScanCommand({ TableName: table.name }))).Items!;

describe('a request under an idempotency key', () => {
  it('whose function was killed goes ahead, with the same id, as soon as that function cannot be alive any more', async () => {
    const send = client();
    const id = await killed(send);
    for (const afterMs of [1_000, LIFETIME_MS]) {
      await expect(send(made, { afterMs })).rejects.toMatchObject({
        code: 'IDEMPOTENCY_IN_PROGRESS',
        retryAfterSeconds: (LIFETIME_MS + 1_000 - afterMs) / 1000,
      });
    }
    expect(await send(made, { afterMs: LIFETIME_MS + 1_000 })).toMatchObject({ statusCode: 201, body: id });
    const again = await send(broken, { afterMs: LIFETIME_MS + 2_000 });
    expect(again).toMatchObject({ body: id, headers: { 'idempotency-replayed': 'true' } });
  });

  it('keeps its reply sealed: the table never holds an API key or the URL of an upload', async () => {
    const reply: HttpReply = { statusCode: 201, headers: {}, body: 'ak_the-value-of-a-key' };
    await client()(async () => reply);
    const { Items = [] } = await table.db.send(new ScanCommand({ TableName: table.name }));
    expect(Items.length).toBeGreaterThan(0);
    expect(JSON.stringify(Items)).not.toContain('the-value-of-a-key');
  });

  it('is compared by a digest with a key, also after the master secret was rotated', async () => {
    const send = client('a password of few people');
    const first = await send(made);
    const sha256 = createHash('sha256').update('a password of few people').digest('hex');
    const stored = (await storedItems()).map((item) => JSON.stringify(item));
    expect(stored.some((item) => item.includes('"digest":"v1.'))).toBe(true);
    expect(stored.filter((item) => item.includes(sha256))).toEqual([]);
    const afterMs = 1;
    expect(await send(broken, { afterMs, master: masterOf(2) })).toMatchObject({ body: first.body });
    const another = send(made, { afterMs, content: 'another', master: masterOf(2) });
    await expect(another).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('goes ahead in one of many repetitions', async () => {
    const send = client();
    const id = await killed(send);
    const sent = Array.from({ length: 5 }, () => send(made, { afterMs: LIFETIME_MS + 1_000 }));
    const settled = await Promise.allSettled(sent);
    const replies = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(replies.length).toBeGreaterThan(0);
    expect(replies.every(({ body }) => body === id)).toBe(true);
    expect(replies.filter(({ headers }) => !headers['idempotency-replayed'])).toHaveLength(1);
  });

  it('that was refused is free to be corrected, or to be taken the next time', async () => {
    const send = client();
    await expect(send(refused)).rejects.toMatchObject({ code: 'RUN_OVERLAP' });
    expect(await send(made, { content: 'corrected' })).toMatchObject({ statusCode: 201 });
  });

  it('that failed keeps its id, since its effects are unknown, and can be repeated at once', async () => {
    const send = client();
    const ids: string[] = [];
    await expect(
      send((id) => {
        ids.push(id);
        return broken();
      }),
    ).rejects.toThrow('the connection was lost');
    await expect(send(made, { content: 'corrected' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await send(made, { afterMs: 10 })).toMatchObject({ body: ids[0] });
  });

  it('whose repetition is refused keeps its id: the first try may have done it', async () => {
    const send = client();
    const id = await killed(send);
    const afterMs = LIFETIME_MS + 1_000;
    await expect(send(refused, { afterMs })).rejects.toMatchObject({ code: 'RUN_OVERLAP' });
    expect(await send(made, { afterMs: afterMs + 1 })).toMatchObject({ body: id });
  });

  it('that is served twice at once, by clocks that are apart, is of one id and keeps the reply of the later', async () => {
    const send = client();
    const first = Promise.withResolvers<HttpReply>();
    const begun = Promise.withResolvers<string>();
    const slow = send((id) => {
      begun.resolve(id);
      return first.promise;
    });
    const id = await begun.promise;
    // The clock of this one is five minutes ahead: it believes that the first one is dead.
    expect(await send(made, { afterMs: 300_000 })).toMatchObject({ body: id });
    first.reject(new AppError('RUN_OVERLAP'));
    await expect(slow).rejects.toMatchObject({ code: 'RUN_OVERLAP' });
    expect(await send(broken, { afterMs: 1_000 })).toMatchObject({ body: id });
  });

  it('whose reply is larger than an item is done again, with the same id', async () => {
    const send = client();
    const ids: string[] = [];
    const large = async (id: string): Promise<HttpReply> => {
      ids.push(id);
      return { statusCode: 201, headers: {}, body: 'ä'.repeat(250_000) };
    };
    for (const afterMs of [0, 1]) expect(await send(large, { afterMs })).toMatchObject({ statusCode: 201 });
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  it('knows its own claim again when the answer to its write got lost', async () => {
    local.cloud.faults.replace([{ service: 'dynamodb', operation: 'PutItem', effect: 'lostAnswer', times: 1 }]);
    expect(await client()(made)).toMatchObject({ statusCode: 201 });
    expect(local.cloud.faults.rules).toMatchObject([{ times: 0 }]);
    local.cloud.faults.replace([]);
  });
});
