import { Client } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { followStreams } from '../../../../functions/pipelines/workers/stream-changes/follow-streams.ts';
import { streamRepository } from '../../../../shared/domains/pipelines/cdc/repository.ts';
import { streamingReader } from '../../../../shared/domains/pipelines/cdc/streaming-reader.ts';
import { GUARD } from '../../warehouse/sources/use-postgres.ts';
import { useCdc } from './cdc-setup.ts';

const under = useCdc();

/** The container's part: it follows streams until the test ends. */
function follow() {
  const { cdc } = under;
  const ending = new AbortController();
  const openReader = vi.fn((target, slotName) => streamingReader(target, slotName, GUARD));
  const followed = followStreams({ ...cdc.context, openReader, isContinuous: true }, ending.signal);
  const end = async () => {
    ending.abort();
    await followed;
  };
  onTestFinished(end);
  return { end };
}

describe('a CDC stream that is streamed', () => {
  it('takes a snapshot and then every change within moments, and goes on where it ended', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run('CREATE TABLE live (id INT PRIMARY KEY, n INT); INSERT INTO live VALUES (1, 0)');
    const stream = await cdc.givenStream('live', ['live'], { capture: 'streaming' });
    const seen = (changes: string[]) =>
      vi.waitFor(async () => expect(await cdc.changes(stream, 'live')).toEqual(changes), {
        timeout: 60_000,
        interval: 50,
      });
    const first = follow();
    await seen(['t', 'r 1 0']);
    await run('INSERT INTO live VALUES (2, 0); UPDATE live SET n = 1 WHERE id = 1');
    await seen(['t', 'r 1 0', 'i 2 0', 'u 1 1']);
    await first.end();
    await run('DELETE FROM live WHERE id = 2');
    follow();
    await seen(['t', 'r 1 0', 'i 2 0', 'u 1 1', 'd 2']);
    const confirmed = async () => {
      const { committedLsn } = await cdc.state(stream);
      return cdc.postgres.rows(`SELECT confirmed_flush_lsn >= '${committedLsn}' FROM pg_replication_slots`);
    };
    await vi.waitFor(async () => expect(await confirmed()).toEqual([[true]]), { timeout: 60_000 });
    const status = async () => (await cdc.state(stream)).tables['public.live']?.status;
    await vi.waitFor(async () => expect(await status()).toBe('streaming'), { timeout: 60_000, interval: 200 });
  });

  it('is left alone by the polling capture, goes on after a restart of its source, and is deleted within seconds', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run('CREATE TABLE shared (id INT PRIMARY KEY); INSERT INTO shared VALUES (1)');
    const stream = await cdc.givenStream('shared', ['shared'], { capture: 'streaming' });
    // Without a container it is polled.
    expect(await cdc.capture(stream)).toBe('done');
    const seen = (changes: string[]) =>
      vi.waitFor(async () => expect(await cdc.changes(stream, 'shared')).toEqual(changes), {
        timeout: 60_000,
        interval: 50,
      });
    const { end } = follow();
    await run('INSERT INTO shared VALUES (2)');
    await seen(['t', 'r 1', 'i 2']);
    for (let turn = 0; turn < 3; turn += 1) expect(await cdc.capture(stream)).toBe('busy');

    await cdc.postgres.shutDown();
    await vi.waitFor(async () => expect((await cdc.state(stream)).error?.code).toBe('CONNECTION_FAILED'), {
      timeout: 60_000,
      interval: 50,
    });
    await cdc.postgres.startUp();
    await run('INSERT INTO shared VALUES (3)');
    await seen(['t', 'r 1', 'i 2', 'i 3']);

    await cdc.ask(stream, { deletedAt: new Date().toISOString() });
    const { context } = cdc;
    const stored = () => streamRepository(context.table).get(stream.workspaceId, stream.id);
    await vi.waitFor(async () => expect(await stored()).toBeUndefined(), { timeout: 60_000, interval: 100 });
    const named = `WHERE slot_name = '${stream.slotName}'`;
    expect(await cdc.postgres.rows(`SELECT 1 FROM pg_replication_slots ${named}`)).toEqual([]);
    expect(await cdc.postgres.rows(`SELECT 1 FROM pg_publication WHERE pubname = '${stream.slotName}'`)).toEqual([]);
    await end();
  });

  it('says that its slot is lost, and is polled again as soon as the container has ended', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run('CREATE TABLE taken (id INT PRIMARY KEY)');
    const stream = await cdc.givenStream('taken', ['taken'], { capture: 'streaming' });
    await cdc.capture(stream);
    const { end } = follow();
    await vi.waitFor(async () => expect((await cdc.state(stream)).streamedAt).toBeDefined(), {
      timeout: 60_000,
      interval: 50,
    });
    // The container may be back before the slot is gone.
    const drop = async () => {
      await run(`SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active_pid IS NOT NULL`);
      await run(`SELECT pg_drop_replication_slot('${stream.slotName}')`);
    };
    await vi.waitFor(drop, { timeout: 60_000, interval: 20 });
    await vi.waitFor(async () => expect((await cdc.state(stream)).error?.code).toBe('SLOT_LOST'), {
      timeout: 60_000,
      interval: 50,
    });
    await end();
    expect(await cdc.capture(stream)).toBe('failed');
    await cdc.ask(stream, { slotGeneration: 2, tables: stream.tables.map((each) => ({ ...each, generation: 2 })) });
    expect(await cdc.capture(stream)).toBe('done');
  });

  it('keeps up with a source that never rests, and hears what is asked for meanwhile', async () => {
    const { cdc } = under;
    await cdc.postgres.run('CREATE TABLE restless (id INT PRIMARY KEY, n INT); INSERT INTO restless VALUES (0, 0)');
    const stream = await cdc.givenStream('restless', ['restless'], { capture: 'streaming' });
    const { host, port, database, user, password } = cdc.postgres;
    const client = new Client({ host, port, database, user, password });
    await client.connect();
    let isOver = false;
    let last = 0;
    const writing = (async () => {
      for (; !isOver; last += 1) await client.query(`INSERT INTO restless VALUES (${last + 1}, 0)`);
    })();
    follow();
    try {
      // Behind by no more than moments, again and again.
      for (let round = 0; round < 3; round += 1) {
        const seen = last + 200;
        const rows = async () => (await cdc.state(stream)).tables['public.restless']?.rows ?? 0;
        await vi.waitFor(async () => expect(await rows()).toBeGreaterThan(seen), { timeout: 60_000, interval: 50 });
      }
      expect((await cdc.state(stream)).drainedAt).not.toBeNull();
      await cdc.ask(stream, { enabled: false });
      const streamed = async () => (await cdc.state(stream)).streamedAt;
      await vi.waitFor(async () => expect(await streamed()).toBeUndefined(), { timeout: 60_000, interval: 50 });
    } finally {
      isOver = true;
      await writing;
      await client.end();
    }
    await cdc.ask(stream, { enabled: true });
    expect(await cdc.capture(stream)).toMatch(/done|busy/);
    const all = Array.from({ length: last }, (_, i) => i + 1);
    const rows = async () => (await cdc.changes(stream, 'restless')).filter((line) => /^[ri]/.test(line));
    const ids = async () => new Set((await rows()).map((line) => Number(line.split(' ')[1])));
    await vi.waitFor(async () => expect(await ids()).toEqual(new Set([0, ...all])), { timeout: 60_000, interval: 200 });
  });
});
