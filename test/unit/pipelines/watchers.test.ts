import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { followRun } from '../../../functions/pipelines/pipeline-events/follow-run.ts';
import { eventItem } from '../../../shared/domains/pipelines/store/run-events.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
let run: StoredRun;
let nowMs = 0;
/** How long each read of the table takes. */
let readMs = 0;
let reads = 0;

beforeAll(async () => {
  setup = await RunSetup.open();
  run = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x'))));
  setup.context.table.db.middlewareStack.add(
    (next) => async (args) => {
      reads += 1;
      nowMs += readMs;
      return next(args);
    },
    { step: 'initialize' },
  );
});
beforeEach(() => {
  nowMs = readMs = reads = 0;
});
afterAll(() => setup.close());

/** Follows the run for so long; answers the pauses between the reads, and what was sent. */
async function followed(minutes: number, meanwhile: () => Promise<unknown> = async () => {}) {
  const pauses: number[] = [];
  const sent: string[] = [];
  const deps = {
    table: setup.context.table,
    dags: { getMany: async () => new Map() },
    cursors: setup.cursors,
    now: () => new Date(nowMs),
    sleep: async (ms: number) => {
      nowMs += ms;
      pauses.push(ms);
      await meanwhile();
    },
  };
  await followRun(deps, {
    run,
    after: undefined,
    until: new Date(nowMs + minutes * 60_000),
    send: (text) => sent.push(text) > 0,
    errors: () => ({ inRun: async (run) => run, inSteps: async (_run, steps) => [...steps] }),
    hasAccess: async () => true,
  });
  return { pauses, sent };
}

describe('a watcher of a run', () => {
  it('reads once a second while nothing happens', async () => {
    const { sent } = await followed(5);
    expect(reads).toBeLessThan(5 * 60 + 20);
    expect(sent.filter((frame) => frame.includes('event: heartbeat')).length).toBeGreaterThanOrEqual(29);
    expect(sent.at(-1)).toContain('event: reconnect');
  });

  it('reads more rarely the longer the answers take, down to twice a second', async () => {
    const shortest = async (takesMs: number) => {
      readMs = takesMs;
      return Math.min(...(await followed(0.2)).pauses);
    };
    expect(await shortest(25)).toBe(250);
    expect(await shortest(900)).toBe(500);
  });

  it('reads ten times a second while something happens, and hears of everything in order', async () => {
    const { table } = setup.context;
    let seq = run.seq;
    const happening = async () => {
      seq += 1;
      const event = { type: 'run.status', data: { runId: run.id, status: 'running', attempt: 1, at: 'now' } } as const;
      const { Put } = eventItem(table, setup.place(run.id), seq, [event], new Date());
      await table.db.send(new PutCommand(Put!));
    };
    const { pauses, sent } = await followed(0.05, happening);
    expect(pauses.slice(1).every((pause) => pause === 100)).toBe(true);
    const ids = sent.filter((frame) => frame.includes('event: run.status')).map((frame) => Number(frame.match(/\d+/)));
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, place) => run.seq + 1 + place));
    expect(ids.length).toBeGreaterThan(20);
  });
});
