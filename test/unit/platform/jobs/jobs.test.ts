import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type JobControl, JobFailure, type JobWork } from '../../../../functions/platform/workers/run-job/job-kind.ts';
import { workOnJob } from '../../../../functions/platform/workers/run-job/work-on-job.ts';
import { cancelJob, scheduledJobId } from '../../../../shared/platform/jobs/jobs.ts';
import { jobList } from '../../../../shared/platform/jobs/repository.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { JobSetup } from './job-setup.ts';

let setup: JobSetup;
beforeAll(async () => {
  setup = await JobSetup.open();
});
afterAll(() => setup.close());
beforeEach(() => {
  setup.messages.splice(0);
  setup.reported.splice(0);
});

const MINUTE_MS = 60_000;

/** Work that takes effect by adding 1 to a number, once per job. */
const effect = (subjectId: string) => ({ pk: `W#${setup.workspaceId}#EFFECT`, sk: subjectId });
function counting(before: (control: JobControl) => Promise<void> = async () => undefined): JobWork {
  return {
    async run(job, control) {
      await before(control);
      const key = effect(job.subjectId);
      const done = await setup.table.db.send(new GetCommand({ TableName: 'table', Key: key, ConsistentRead: true }));
      if (done.Item?.job !== job.id) {
        const change = { add: { times: 1 }, set: { job: job.id } };
        await transact(setup.table, [{ Update: updateOf(setup.table, key, change) }, control.fence()]);
      }
      return { rows: 1 };
    },
  };
}
async function times(subjectId: string): Promise<number> {
  const found = await setup.table.db.send(new GetCommand({ TableName: 'table', Key: effect(subjectId) }));
  return (found.Item?.times as number | undefined) ?? 0;
}

describe('a job', () => {
  it('takes effect once however often its message comes, and shows its result', async () => {
    const job = await setup.start();
    setup.messages.push(...setup.messages, ...setup.messages);
    await setup.drain(counting());
    expect(await setup.stored(job)).toMatchObject({
      status: 'succeeded',
      attempt: 1,
      result: { rows: 1 },
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    });
    expect(await times(job.subjectId)).toBe(1);
  });

  it('works on its subject alone: a second one is refused until the first is over', async () => {
    const first = await setup.start();
    await expect(setup.start(first.subjectId)).rejects.toMatchObject({ code: 'JOB_ACTIVE' });
    await setup.drain(counting());
    const second = await setup.start(first.subjectId);
    await setup.drain(counting());
    expect((await setup.stored(second)).status).toBe('succeeded');
    const history = await setup.context.jobs.list(
      setup.workspaceId,
      { limit: 10, offset: 0 },
      jobList('dataset_refresh', first.subjectId),
    );
    expect(history).toMatchObject({ total: 2, items: [{ id: second.id }, { id: first.id }] });
  });

  it('fails at once with a reason of its own, and is tried three times over an issue of ours', async () => {
    const own = await setup.start();
    await setup.drain({
      run: async () => {
        throw new JobFailure('SCHEMA_MISMATCH', 'Column b is gone.');
      },
    });
    expect(await setup.stored(own)).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: { code: 'SCHEMA_MISMATCH', message: 'Column b is gone.' },
    });
    const ours = await setup.start();
    await setup.drain({
      run: async () => {
        throw new Error('secret detail');
      },
    });
    expect(await setup.stored(ours)).toMatchObject({ status: 'failed', attempt: 3, error: { code: 'INTERNAL' } });
    expect(JSON.stringify(await setup.stored(ours))).not.toContain('secret detail');
    expect(setup.reported).toHaveLength(3);
  });

  it('is taken over from a dead worker, whose late commit changes nothing', async () => {
    const job = await setup.start();
    setup.messages.splice(0);
    const dead = (await setup.context.jobs.claim(job, setup.context.now()))!;
    await transact(setup.table, [setup.context.jobs.fence(dead)]);
    setup.aheadMs += MINUTE_MS;
    await setup.check();
    await setup.drain(counting());
    expect(await setup.stored(job)).toMatchObject({ status: 'succeeded', attempt: 2 });
    await expect(transact(setup.table, [setup.context.jobs.fence(dead)])).rejects.toThrow();
    expect(await setup.context.jobs.end(dead, { status: 'cancelled' }, setup.context.now())).toBe(false);
    expect(await times(job.subjectId)).toBe(1);
  });

  it('ends as WORKER_LOST when every worker dies, and frees its subject', async () => {
    const job = await setup.start();
    for (let death = 1; death <= 3; death++) {
      setup.messages.splice(0);
      const claimed = await setup.context.jobs.claim(await setup.stored(job), setup.context.now());
      expect(claimed?.attempt).toBe(death);
      setup.aheadMs += MINUTE_MS;
      await setup.check();
    }
    await setup.drain(counting());
    expect(await setup.stored(job)).toMatchObject({ status: 'failed', error: { code: 'WORKER_LOST' } });
    expect(await times(job.subjectId)).toBe(0);
    await setup.start(job.subjectId);
  });

  it('is cancelled at once while it waits, and within seconds while it is worked on', async () => {
    const waiting = await setup.start();
    expect(await cancelJob(setup.context, waiting)).toMatchObject({ status: 'cancelled' });
    await setup.drain(counting());
    expect(await times(waiting.subjectId)).toBe(0);

    const running = await setup.start();
    await setup.drain(
      counting(async ({ signal }) => {
        await cancelJob(setup.context, await setup.stored(running));
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      }),
    );
    expect(await setup.stored(running)).toMatchObject({ status: 'cancelled', error: null });
    expect(await times(running.subjectId)).toBe(0);
    expect(await cancelJob(setup.context, await setup.stored(running))).toMatchObject({ status: 'cancelled' });
  });

  it('is cancelled although a worker takes it up just then', async () => {
    const waiting = await setup.start();
    let isCancelled = false;
    await setup.drain(
      counting(async ({ signal }) => {
        // As it was read before the worker came.
        expect(await cancelJob(setup.context, waiting)).toMatchObject({ cancelRequestedAt: expect.any(String) });
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        isCancelled = true;
        signal.throwIfAborted();
      }),
    );
    expect(isCancelled).toBe(true);
    expect(await setup.stored(waiting)).toMatchObject({ status: 'cancelled' });
    expect(await times(waiting.subjectId)).toBe(0);
  });

  it('stores why before the process ends over work that nothing else can stop', async () => {
    const job = await setup.start();
    const exits = setup.exits;
    const worker = setup.worker({
      run: (_job, control) => {
        control.die({ code: 'OUT_OF_MEMORY', message: 'It needs too much.' });
        return new Promise(() => undefined);
      },
    });
    void workOnJob(worker, setup.workspaceId, job.id);
    await expect.poll(() => setup.exits, { timeout: 60_000 }).toBeGreaterThan(exits);
    expect(await setup.stored(job)).toMatchObject({ status: 'failed', error: { code: 'OUT_OF_MEMORY' } });
  });

  it.each([
    ['is handed on when the process ends over such work and has stored what it knows', async () => undefined, 1],
    ['is repeated as after a crash when it could not be stored', () => Promise.reject(new Error('lost')), undefined],
  ])('%s', async (_title, store, continuedAttempt) => {
    const job = await setup.start();
    const exits = setup.exits;
    const stuck: JobWork = {
      run: (_job, control) => {
        control.dieAndContinue(store);
        return new Promise(() => undefined);
      },
    };
    void workOnJob(setup.worker(stuck), setup.workspaceId, job.id);
    await expect.poll(() => setup.exits, { timeout: 60_000 }).toBeGreaterThan(exits);
    const left = await setup.stored(job);
    expect(left).toMatchObject({ status: continuedAttempt ? 'queued' : 'running', attempt: 1 });
    expect(left.continuedAttempt).toBe(continuedAttempt);
    // Its lease is over, which a job that was handed on does not have any more.
    setup.aheadMs += 2 * MINUTE_MS;
    await setup.check();
    await setup.drain(counting());
    expect(await setup.stored(job)).toMatchObject({ status: 'succeeded', attempt: 2 });
  });

  it('is announced again when its message was lost, and removed when its time is over', async () => {
    const job = await setup.start();
    setup.messages.splice(0);
    await setup.check();
    expect(setup.messages).toEqual([]);
    setup.aheadMs += MINUTE_MS + 1000;
    await setup.check();
    expect(setup.messages).toContainEqual({ op: 'work', workspaceId: setup.workspaceId, jobId: job.id });
    await setup.check();
    expect(setup.messages.filter((message) => message.op === 'work' && message.jobId === job.id)).toHaveLength(1);
    await setup.drain(counting());
    expect((await setup.stored(job)).status).toBe('succeeded');
    setup.aheadMs += 366 * 24 * 60 * MINUTE_MS;
    await setup.check();
    expect(await setup.stored(job)).toBeUndefined();
    const list = jobList('dataset_refresh', job.subjectId);
    expect(await setup.context.jobs.list(setup.workspaceId, { limit: 1, offset: 0 }, list)).toMatchObject({ total: 0 });
  });

  it('starts once for an instant of its schedule, and not at all for one that is not planned any more', async () => {
    const subjectId = newId();
    const scheduledAt = '2026-01-01T00:00:00.000Z';
    const due = { op: 'due', workspaceId: setup.workspaceId, kind: 'dataset_refresh', subjectId, scheduledAt } as const;
    const planned: JobWork = { ...counting(), due: async () => ({ full: true }) };
    setup.messages.push(due, due);
    await setup.drain(planned);
    setup.messages.push(due);
    await setup.drain(planned);
    expect(await times(subjectId)).toBe(1);
    const job = await setup.stored({ id: scheduledJobId('dataset_refresh', subjectId, scheduledAt) });
    expect(job).toMatchObject({
      status: 'succeeded',
      trigger: { kind: 'schedule', scheduledAt },
      input: { full: true },
    });

    const unplanned = newId();
    setup.messages.push({ ...due, subjectId: unplanned });
    await setup.drain({ ...counting(), due: async () => undefined });
    expect(await times(unplanned)).toBe(0);
  });

  it.each(['before', 'after'] as const)(
    'takes effect once when the worker dies %s any one of its writes',
    async (side) => {
      for (let write = 1; write <= 5; write++) {
        const job = await setup.start();
        let count = 0;
        setup.crash = () => {
          count += 1;
          return count === write ? side : undefined;
        };
        await setup.drain(counting());
        setup.crash = () => undefined;
        for (let minute = 0; minute < 3; minute++) {
          setup.aheadMs += MINUTE_MS + 1000;
          await setup.check();
          await setup.drain(counting());
        }
        expect(await setup.stored(job), `write ${write}`).toMatchObject({ status: 'succeeded', result: { rows: 1 } });
        expect(await times(job.subjectId), `write ${write}`).toBe(1);
        await setup.start(job.subjectId);
        setup.messages.splice(0);
      }
    },
  );
});
