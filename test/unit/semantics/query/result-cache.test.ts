import { expect, it } from 'vitest';
import { type CacheKey, resultCache } from '../../../../shared/domains/semantics/queries/result-cache.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const WANTED = { maxAgeSeconds: 60, waitMs: 25_000 };

/** A cache whose time passes while callers wait, and whose leaders extend their leases unless they are dead. */
function setup() {
  const texts = new Map<string, Buffer>();
  const beats = new Set<() => void>();
  const waits: number[] = [];
  let nowMs = Date.UTC(2026, 0, 1);
  let dueMs = nowMs;
  const cache = resultCache({
    table: local.open(),
    objects: {
      read: async (key) => texts.get(key)!,
      write: async (key, text) => void texts.set(key, text as Buffer),
    },
    now: () => new Date(nowMs),
    newId: () => newId(),
    pause: async (ms) => {
      waits.push(ms);
      nowMs += ms;
      if (nowMs < dueMs) return;
      dueMs = nowMs + 2_500;
      for (const beat of beats) beat();
    },
    every: (_ms, work) => {
      beats.add(work);
      return () => beats.delete(work);
    },
  });
  const key = { sql: newId() } as unknown as CacheKey;
  const ask = (compute: () => Promise<string>, { maxAgeSeconds } = WANTED) =>
    cache.through('workspace', key, { ...WANTED, maxAgeSeconds }, compute);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { ask, pass, beats, texts, waitedMs: () => waits.reduce((sum, ms) => sum + ms, 0) };
}

it('a caller waits for an answer that takes longer than a lease', async () => {
  const { ask, beats, waitedMs } = setup();
  const { promise, resolve } = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const leader = ask(async () => {
    started.resolve();
    return promise;
  });
  await started.promise;
  const beat = [...beats][0]!;
  beats.add(() => {
    if (waitedMs() > 15_000) resolve('the answer');
  });
  const follower = await ask(async () => 'another answer');
  expect(follower).toMatchObject({ text: 'the answer', outcome: 'shared' });
  expect(await leader).toMatchObject({ text: 'the answer', outcome: 'miss' });
  expect(beats.has(beat)).toBe(false);
});

it('a caller takes over ten seconds after the process of another one has died', async () => {
  const { ask, beats, waitedMs } = setup();
  const started = Promise.withResolvers<void>();
  void ask(() => {
    started.resolve();
    return new Promise(() => undefined);
  });
  await started.promise;
  beats.clear();
  expect(await ask(async () => 'the answer')).toMatchObject({ text: 'the answer', outcome: 'miss' });
  expect(waitedMs()).toBeGreaterThanOrEqual(10_000);
  expect(waitedMs()).toBeLessThan(11_000);
});

it('a caller shares no answer whose computation began earlier than it allows', async () => {
  const { ask, pass } = setup();
  const { promise, resolve } = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const slow = ask(() => {
    started.resolve();
    return promise;
  });
  await started.promise;
  pass(5_000);
  const asked = { ...WANTED, maxAgeSeconds: 5 };
  expect(await ask(async () => 'a newer answer', asked)).toMatchObject({ text: 'a newer answer', outcome: 'miss' });
  resolve('the answer');
  expect(await slow).toMatchObject({ text: 'the answer', outcome: 'miss' });
  // The older answer replaces no newer one.
  expect(await ask(async () => 'another answer', asked)).toMatchObject({ text: 'a newer answer', outcome: 'hit' });
});

it('an answer is stored in the table unless it is long', async () => {
  for (const [length, objects] of [
    [50_000, 0],
    [80_000, 1],
  ] as const) {
    const { ask, texts } = setup();
    const text = 'ä "quoted"\n'.repeat(length / 11);
    expect(await ask(async () => text)).toMatchObject({ text, outcome: 'miss' });
    expect(await ask(async () => 'another answer')).toMatchObject({ text, outcome: 'hit' });
    expect(texts.size, `${length} characters`).toBe(objects);
  }
});
