import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogEvent } from '../../../../shared/domains/pipelines/cdc/change-reader.ts';
import { ReplicationFeed } from '../../../../shared/domains/pipelines/cdc/replication-feed.ts';

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const log = (...content: (string | Buffer)[]) =>
  Buffer.concat([Buffer.from('w'), Buffer.alloc(24), ...content.map((part) => Buffer.from(part as string))]);
const BEGIN = log('B', Buffer.alloc(20));
const COMMIT = log('C', Buffer.alloc(25));
/** A table `public.t` with the text columns `a` and `b`. */
const TABLE = log(
  'R',
  int32(7),
  'public\0t\0d',
  '\0\x02',
  '\x01a\0',
  int32(25),
  int32(-1),
  '\0b\0',
  int32(25),
  int32(-1),
);
const insert = (value: string) => log('I', int32(7), 'N\0\x02', 't', int32(value.length), value, 'n');
const alive = (wantsAnswer = false) => {
  const message = Buffer.alloc(18);
  message.write('k');
  message.write('0000000A000000FF', 1, 'hex');
  message[17] = wantsAnswer ? 1 : 0;
  return message;
};

const sender = { pause: vi.fn(), resume: vi.fn(), sendStatus: vi.fn(), requestPosition: vi.fn() };
let feed: ReplicationFeed;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  feed = new ReplicationFeed(sender);
});
afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});

const kindsOf = (portions: LogEvent[][]) => portions.flat().map(({ kind }) => kind);
const look = () => Array.fromAsync(feed.read());

describe('what a source sends of its log', () => {
  it('is read up to where the source says that it has sent everything, which it is asked', async () => {
    for (const message of [BEGIN, TABLE, insert('one'), COMMIT]) feed.receive(message);
    sender.requestPosition.mockImplementation(() => queueMicrotask(() => feed.receive(alive())));
    const found = await look();
    expect(kindsOf(found)).toEqual(['begin', 'relation', 'insert', 'commit', 'idle']);
    expect(found.flat()[2]).toMatchObject({ relation: { name: 'public.t' }, row: ['one', null] });
    expect(found.flat().at(-1)).toEqual({ kind: 'idle', lsn: '0000000A/000000FF' });
  });

  it('comes to an end after a commit also while more and more comes, and loses nothing of it', async () => {
    feed.receive(BEGIN);
    feed.receive(TABLE);
    const seen: LogEvent[][] = [];
    let sent = 0;
    const oneMore = () => {
      sent += 1;
      for (const message of [insert(String(sent)), COMMIT, BEGIN]) feed.receive(message);
    };
    oneMore();
    for await (const portion of feed.read()) {
      seen.push(portion);
      vi.advanceTimersByTime(100);
      oneMore();
    }
    expect(sent).toBeLessThan(20);
    expect(seen.flat().at(-1)).toEqual({ kind: 'idle', lsn: null });
    expect(seen.flat().at(-2)).toMatchObject({ kind: 'commit' });
    feed.receive(COMMIT);
    sender.requestPosition.mockImplementation(() => queueMicrotask(() => feed.receive(alive())));
    seen.push(...(await look()));
    const rows = seen.flat().flatMap((event) => (event.kind === 'insert' ? event.row[0] : []));
    expect(rows).toEqual(Array.from({ length: sent }, (_, i) => String(i + 1)));
  });

  it('does not end in the middle of a transaction, however long nothing comes', async () => {
    for (const message of [BEGIN, TABLE, insert('one')]) feed.receive(message);
    const found = look();
    await vi.advanceTimersByTimeAsync(5_000);
    feed.receive(COMMIT);
    await vi.advanceTimersByTimeAsync(300);
    expect(kindsOf(await found)).toEqual(['begin', 'relation', 'insert', 'commit', 'idle']);
  });

  it('waits with the source while too much is unread', async () => {
    feed.receive(BEGIN);
    feed.receive(TABLE);
    const large = insert('x'.repeat(1024 * 1024));
    for (let i = 0; i < 20; i += 1) feed.receive(large);
    feed.receive(COMMIT);
    expect(sender.pause).toHaveBeenCalledTimes(1);
    expect(sender.resume).not.toHaveBeenCalled();
    sender.requestPosition.mockImplementation(() => queueMicrotask(() => feed.receive(alive())));
    await look();
    expect(sender.resume).toHaveBeenCalledTimes(1);
  });

  it('is answered when the source wants a sign of life, and fails as a connection when it makes no sense', async () => {
    feed.receive(alive());
    expect(sender.sendStatus).not.toHaveBeenCalled();
    feed.receive(alive(true));
    expect(sender.sendStatus).toHaveBeenCalledTimes(1);
    feed.receive(insert('of a table that was not described'));
    await expect(look()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  });

  it.for([
    ['a row with more columns than its table', log('I', int32(7), 'N\0\x03', 'nnn')],
    ['a value that does not end', log('I', int32(7), 'N\0\x02', 't', int32(1000), 'x')],
    ['a value of an unknown kind', log('I', int32(7), 'N\0\x02', '??')],
    ['a message that is cut off', log('I', int32(7), 'N\0\x02', 't')],
  ] as const)('refuses %s', async ([, message]) => {
    feed.receive(BEGIN);
    feed.receive(TABLE);
    feed.receive(message);
    await expect(look()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  });
});
