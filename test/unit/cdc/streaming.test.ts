import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { followStreams } from '../../../functions/workers/stream-changes/follow-streams.ts';
import { streamingReader } from '../../../shared/cdc/streaming-reader.ts';
import { GUARD } from '../sources/use-postgres.ts';
import { useCdc } from './cdc-plane.ts';

const under = useCdc();

/** The container's part: it follows streams until the test ends. */
function follow() {
  const { cdc } = under;
  const ending = new AbortController();
  const openReader = vi.fn((target, slotName) => streamingReader(target, slotName, GUARD));
  const followed = followStreams({ ...cdc.context, openReader, stays: true }, ending.signal);
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
        timeout: 20_000,
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
    await vi.waitFor(async () => expect(await confirmed()).toEqual([[true]]), { timeout: 5_000 });
    const status = async () => (await cdc.state(stream)).tables['public.live']?.status;
    await vi.waitFor(async () => expect(await status()).toBe('streaming'), { timeout: 40_000, interval: 200 });
  });
});
