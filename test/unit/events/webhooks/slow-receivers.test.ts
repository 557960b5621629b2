import { beforeEach, describe, expect, it, vi } from 'vitest';
import { workWhileWaiting } from '../../../../functions/events/workers/deliver-webhook/slow-receivers.ts';

/** A batch whose end the test decides. */
const batch = () => Promise.withResolvers<void>();

let waiting: ((messages: string[] | undefined) => void)[];
let worked: string[];
const take = () => new Promise<string[] | undefined>((resolve) => waiting.push(resolve));
const work = async (messages: string[]) => void worked.push(...messages);
beforeEach(() => {
  waiting = [];
  worked = [];
});
const asked = (times: number) =>
  vi.waitFor(() => expect(waiting).toHaveLength(times), { timeout: 60_000, interval: 10 });

describe('a sender whose batch waits for a receiver', () => {
  it('takes and handles further messages until the batch is through', async () => {
    const { promise, resolve } = batch();
    const all = workWhileWaiting({ batch: promise, longRequest: Promise.resolve() }, { take, work });
    await asked(1);
    waiting[0]!(['a', 'b']);
    await asked(2);
    expect(worked).toEqual(['a', 'b']);
    resolve();
    waiting[1]!(['c']);
    await all;
    expect(worked).toEqual(['a', 'b', 'c']);
    expect(waiting).toHaveLength(2);
  });

  it('waits for what it has taken, and takes nothing more when that cannot be taken', async () => {
    const first = batch();
    const further = batch();
    let isOver = false;
    const all = workWhileWaiting(
      { batch: first.promise, longRequest: Promise.resolve() },
      { take, work: () => further.promise },
    ).then(() => {
      isOver = true;
    });
    await asked(1);
    waiting[0]!(['a']);
    await asked(2);
    waiting[1]!(undefined);
    first.resolve();
    await first.promise;
    await new Promise((turn) => setImmediate(turn));
    expect(isOver).toBe(false);
    further.resolve();
    await all;
    expect(waiting).toHaveLength(2);
  });

  it('takes nothing when no receiver keeps it waiting', async () => {
    const { promise, resolve } = batch();
    const all = workWhileWaiting({ batch: promise, longRequest: new Promise(() => undefined) }, { take, work });
    await new Promise((turn) => setImmediate(turn));
    resolve();
    await all;
    expect(waiting).toEqual([]);
  });
});
