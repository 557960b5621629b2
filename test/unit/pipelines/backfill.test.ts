import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advanceBackfill } from '../../../shared/domains/pipelines/backfills/advance-backfill.ts';
import { backfillDays, claimBackfill, runsOf } from '../../../shared/domains/pipelines/backfills/backfill.ts';
import {
  type Admission,
  admit,
  assignSlots,
  NEW_ADMISSION,
  readAdmission,
  releaseSlot,
} from '../../../shared/domains/pipelines/runs/admission.ts';
import { endRun } from '../../../shared/domains/pipelines/runs/end-run.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { runRepository } from '../../../shared/domains/pipelines/store/run-store.ts';
import { daysBetween } from '../../../shared/platform/schedule/days.ts';
import { Crashed } from '../../support/crash.ts';
import { createBackfill, givenBackfill, placeOf } from './given-backfill.ts';
import { dagOf, into, load, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

const now = new Date('2026-06-01T12:00:00Z');

describe('the days of a window', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2025-10-26', '2025-10-25T22:00:00.000Z', '2025-10-26T23:00:00.000Z'],
    // At midnight itself the clock goes from 0 to 1: the day begins at 1.
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z', '2026-01-01T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-01-01', '2026-01-01T11:00:00.000Z', '2026-01-02T11:00:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z', '2026-01-01T18:15:00.000Z'],
  ])('in %s %s lasts from %s until %s', (zone, date, start, end) => {
    expect(daysBetween(date, date, zone)).toEqual([{ date, start: new Date(start), end: new Date(end) }]);
  });

  it('follow each other without hole or overlap in every zone over a year', () => {
    for (const zone of Intl.supportedValuesOf('timeZone').filter((_zone, index) => index % 60 === 0)) {
      const days = daysBetween('2025-01-01', '2025-12-31', zone);
      expect(new Set(days.map(({ date }) => date)).size, zone).toBe(365);
      for (const [index, day] of days.slice(1).entries()) expect(day.start).toEqual(days[index]!.end);
    }
  });

  it('are those of a calendar', () => {
    const window = { from: '2026-13-01', to: '2026-02-30' };
    expect(() => backfillDays(window, 'UTC', now)).toThrow(
      expect.objectContaining({ code: 'BACKFILL_WINDOW_INVALID' }),
    );
  });
});

describe('the lane of a backfill', () => {
  const lane = (waiting: string[]): Admission => ({
    ...NEW_ADMISSION,
    backfill: { id: 'b', from: '', to: '', waiting, running: [], others: 0 },
  });

  it('never takes more slots than there are, leaves one to other runs, and loses no run', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.boolean(), { maxLength: 60 }),
        (maxConcurrentRuns, days, moves) => {
          const dates = Array.from({ length: days }, (_, index) => `d${index}`);
          let state = assignSlots({ ...lane(dates), maxConcurrentRuns }).next;
          const arrive = (index: number) => {
            const later = new Date(now.getTime() + index * 60_000);
            const decision = admit(state, `r${index}`, { maxConcurrentRuns, onOverlap: 'queue' }, later);
            if (decision.kind === 'rejected') throw new Error(decision.code);
            state = decision.next;
          };
          for (const [index, arrives] of moves.entries()) {
            if (arrives) arrive(index);
            else if (state.running[0]) state = releaseSlot(state, state.running[0]).next;
            const backfilling = state.backfill?.running ?? [];
            expect(state.running.length).toBeLessThanOrEqual(maxConcurrentRuns);
            expect(backfilling.length).toBeLessThanOrEqual(Math.max(1, maxConcurrentRuns - 1));
            expect(backfilling.every((id) => state.running.includes(id))).toBe(true);
          }
          while (state.running[0]) state = releaseSlot(state, state.running[0]).next;
          expect(state.waiting).toEqual([]);
          expect(state.backfill ?? null).toBeNull();
        },
      ),
    );
  });

  it('gives every third start to the backfill where there is one slot, and the others the rest', () => {
    let state: Admission = { ...lane(['d1', 'd2', 'd3']), maxConcurrentRuns: 1 };
    state = { ...state, waiting: ['r1', 'r2', 'r3', 'r4', 'r5'] };
    const order: string[] = [];
    for (
      let { next, promoted } = assignSlots(state);
      promoted.length > 0;
      { next, promoted } = releaseSlot(next, promoted[0]!)
    ) {
      order.push(...promoted);
    }
    expect(order).toEqual(['r1', 'r2', 'd1', 'r3', 'r4', 'd2', 'r5', 'd3']);
  });

  it('is no overlap: a run that finds only the backfill at work waits for its turn, whatever the policy', () => {
    const state = assignSlots({ ...lane(['d1', 'd2']), maxConcurrentRuns: 1 }).next;
    const policy = { maxConcurrentRuns: 1, onOverlap: 'skip' } as const;
    const decision = admit(state, 'r1', policy, now);
    expect(decision).toMatchObject({ kind: 'waiting', replaces: [] });
    if (decision.kind !== 'waiting') throw new Error('it waits');
    expect(admit(decision.next, 'r2', policy, now)).toMatchObject({ kind: 'rejected', code: 'RUN_OVERLAP' });
  });
});

describe('a backfill whose creator dies', () => {
  let setup: RunSetup;
  beforeAll(async () => {
    setup = await RunSetup.open();
  });
  afterAll(() => setup.close());

  it('keeps the slot of a day that is not stored yet, while other runs come and go', async () => {
    const backfill = await givenBackfill(setup, { from: '2026-05-01', to: '2026-05-03' }, { onOverlap: 'queue' });
    const live = [];
    for (let count = 0; count < 4; count++) live.push(await setup.run(backfill.pipeline));
    setup.jobs.splice(0);
    await claimBackfill(setup.context, backfill);
    // Its creator dies here; every third turn is its own.
    for (const { id } of live.slice(0, 3))
      await endRun(setup.context, { ...setup.place(id), epoch: 1 }, { status: 'succeeded' });
    const days = runsOf(backfill).map(({ id }) => id);
    const { running } = await readAdmission(setup.context.table, setup.workspaceId, backfill.pipelineId);
    expect(running).toEqual([days[0]]);
    await repairRun(setup.context, setup.place(live[3]!.id));
    for (let minute = 0; minute < 3; minute++) {
      await advanceBackfill(setup.context, placeOf(backfill), setup.context.now());
      await setup.drain();
    }
    const ended = await Promise.all([...days, live[3]!.id].map((id) => setup.stored(id)));
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'succeeded'));
  });

  it.each(['before', 'after'] as const)('%s any one of its writes still runs each day once', async (side) => {
    for (let write = 1; write <= 5; write++) {
      const backfill = await givenBackfill(setup, { from: '2026-01-01', to: '2026-02-01' }, { maxConcurrentRuns: 2 });
      const { pipelineId, days } = backfill;
      const create = () => createBackfill(setup, backfill);
      let count = 0;
      setup.crash = () => {
        count += 1;
        return count === write ? side : undefined;
      };
      const died = await create().then(
        () => false,
        (error: unknown) => error instanceof Crashed,
      );
      setup.crash = () => undefined;
      // The client repeats what got no answer when nothing was stored at all.
      if (died && write === 1) await create();
      const place = placeOf(backfill);
      await advanceBackfill(setup.context, place, setup.context.now());
      await setup.drain();
      await advanceBackfill(setup.context, place, setup.context.now());
      const page = await runRepository(setup.context.table).list(
        setup.workspaceId,
        { limit: 100, offset: 0 },
        pipelineId,
      );
      expect(page.total, `write ${write}`).toBe(days.length);
      expect(page.items.every(({ status }) => status === 'succeeded')).toBe(true);
      // Nor does a request that is repeated when all is over begin again, or take slots for runs that are over.
      await create();
      expect(await readAdmission(setup.context.table, setup.workspaceId, pipelineId)).toMatchObject({
        running: [],
        waiting: [],
        backfill: null,
      });
    }
  });
});

describe('the date of a backfilled day', () => {
  let setup: RunSetup;
  beforeAll(async () => {
    setup = await RunSetup.open();
  });
  afterAll(() => setup.close());

  it.each(['Asia/Kolkata', 'America/New_York'])('has the days of the guide by the clock of %s', async (timezone) => {
    const guide = await readFile(new URL('../../../docs/pipelines-triggers.md', import.meta.url), 'utf8');
    const [statement] = /SELECT [^"]*run\.logicalDate[^"]* AS day/.exec(guide)!;
    const dag = dagOf(
      sql('day', statement.replace("'UTC'", `'${timezone}'`)),
      load('keep', 'day', { target: into(`day in ${timezone}`), mode: 'append' }),
    );
    const window = { from: '2026-03-01', to: '2026-03-01' };
    const backfill = await givenBackfill(setup, window, {}, { steps: dag.steps, timezone });
    await createBackfill(setup, backfill);
    await setup.drain();
    expect(await setup.rows(`day in ${timezone}`, 'day::VARCHAR')).toEqual([['2026-03-01']]);
  });
});
