import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type JobControl, JobFailure, type JobWork } from '../../../functions/workers/data/run-job/job-kind.ts';
import { workOnJob } from '../../../functions/workers/data/run-job/work-on-job.ts';
import { cancelJob, scheduledJobId } from '../../../shared/platform/jobs/jobs.ts';
import { jobList } from '../../../shared/platform/jobs/repository.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import { JobPlane } from './job-plane.ts';

let plane: JobPlane;
beforeAll(async () => {
  plane = await JobPlane.open();
});
afterAll(() => plane.close());
beforeEach(() => {
  plane.messages.splice(0);
  plane.reported.splice(0);
});

const MINUTE_MS = 60_000;

/** Work that takes effect by adding 1 to a number, once per job. */
const effect = (subjectId: string) => ({ pk: `W#${plane.workspaceId}#EFFECT`, sk: subjectId });
function counting(before: (control: JobControl) => Promise<void> = async () => undefined): JobWork {
  return {
    async run(job, control) {
      await before(control);
      const key = effect(job.subjectId);
      const done = await plane.table.db.send(new GetCommand({ TableName: 'table', Key: key, ConsistentRead: true }));
      if (done.Item?.job !== job.id) {
        const change = { add: { times: 1 }, set: { job: job.id } };
        await transact(plane.table, [{ Update: updateOf(plane.table, key, change) }, control.held()]);
      }
      return { rows: 1 };
    },
  };
}
async function times(subjectId: string): Promise<number> {
  const found = await plane.table.db.send(new GetCommand({ TableName: 'table', Key: effect(subjectId) }));
  return (found.Item?.times as number | undefined) ?? 0;
}

describe('a job', () => {
  it('takes effect once however often its message comes, and shows its result', async () => {
    const job = await plane.start();
    plane.messages.push(...plane.messages, ...plane.messages);
    await plane.drain(counting());
    expect(await plane.stored(job)).toMatchObject({
      status: 'succeeded',
      attempt: 1,
      result: { rows: 1 },
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    });
    expect(await times(job.subjectId)).toBe(1);
  });

  it('works on its subject alone: a second one is refused until the first is over', async () => {
    const first = await plane.start();
    await expect(plane.start(first.subjectId)).rejects.toMatchObject({ code: 'JOB_ACTIVE' });
    await plane.drain(counting());
    const second = await plane.start(first.subjectId);
    await plane.drain(counting());
    expect((await plane.stored(second)).status).toBe('succeeded');
    const history = await plane.context.jobs.list(
      plane.workspaceId,
      { limit: 10, offset: 0 },
      jobList('dataset_refresh', first.subjectId),
    );
    expect(history).toMatchObject({ total: 2, items: [{ id: second.id }, { id: first.id }] });
  });

  it('fails at once with a reason of its own, and is tried three times over a fault of ours', async () => {
    const own = await plane.start();
    await plane.drain({
      run: async () => {
        throw new JobFailure('SCHEMA_MISMATCH', 'Column b is gone.');
      },
    });
    expect(await plane.stored(own)).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: { code: 'SCHEMA_MISMATCH', message: 'Column b is gone.' },
    });
    const ours = await plane.start();
    await plane.drain({
      run: async () => {
        throw new Error('secret detail');
      },
    });
    expect(await plane.stored(ours)).toMatchObject({ status: 'failed', attempt: 3, error: { code: 'INTERNAL' } });
    expect(JSON.stringify(await plane.stored(ours))).not.toContain('secret detail');
    expect(plane.reported).toHaveLength(3);
  });

  it('is taken over from a dead worker, whose late commit changes nothing', async () => {
    const job = await plane.start();
    plane.messages.splice(0);
    const dead = (await plane.context.jobs.claim(job, plane.context.now()))!;
    await transact(plane.table, [plane.context.jobs.held(dead)]);
    plane.aheadMs += MINUTE_MS;
    await plane.care();
    await plane.drain(counting());
    expect(await plane.stored(job)).toMatchObject({ status: 'succeeded', attempt: 2 });
    await expect(transact(plane.table, [plane.context.jobs.held(dead)])).rejects.toThrow();
    expect(await plane.context.jobs.end(dead, { status: 'cancelled' }, plane.context.now())).toBe(false);
    expect(await times(job.subjectId)).toBe(1);
  });

  it('ends as WORKER_LOST when every worker dies, and frees its subject', async () => {
    const job = await plane.start();
    for (let death = 1; death <= 3; death++) {
      plane.messages.splice(0);
      const claimed = await plane.context.jobs.claim(await plane.stored(job), plane.context.now());
      expect(claimed?.attempt).toBe(death);
      plane.aheadMs += MINUTE_MS;
      await plane.care();
    }
    await plane.drain(counting());
    expect(await plane.stored(job)).toMatchObject({ status: 'failed', error: { code: 'WORKER_LOST' } });
    expect(await times(job.subjectId)).toBe(0);
    await plane.start(job.subjectId);
  });

  it('is cancelled at once while it waits, and within seconds while it is worked on', async () => {
    const waiting = await plane.start();
    expect(await cancelJob(plane.context, waiting)).toMatchObject({ status: 'cancelled' });
    await plane.drain(counting());
    expect(await times(waiting.subjectId)).toBe(0);

    const running = await plane.start();
    await plane.drain(
      counting(async ({ signal }) => {
        await cancelJob(plane.context, await plane.stored(running));
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      }),
    );
    expect(await plane.stored(running)).toMatchObject({ status: 'cancelled', error: null });
    expect(await times(running.subjectId)).toBe(0);
    expect(await cancelJob(plane.context, await plane.stored(running))).toMatchObject({ status: 'cancelled' });
  });

  it('is cancelled although a worker takes it up just then', async () => {
    const waiting = await plane.start();
    let isCancelled = false;
    await plane.drain(
      counting(async ({ signal }) => {
        // As it was read before the worker came.
        expect(await cancelJob(plane.context, waiting)).toMatchObject({ cancelRequestedAt: expect.any(String) });
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        isCancelled = true;
        signal.throwIfAborted();
      }),
    );
    expect(isCancelled).toBe(true);
    expect(await plane.stored(waiting)).toMatchObject({ status: 'cancelled' });
    expect(await times(waiting.subjectId)).toBe(0);
  });

  it('stores why before the process ends over work that nothing else can stop', async () => {
    const job = await plane.start();
    const exits = plane.exits;
    const worker = plane.worker({
      run: (_job, control) => {
        control.die({ code: 'OUT_OF_MEMORY', message: 'It needs too much.' });
        return new Promise(() => undefined);
      },
    });
    void workOnJob(worker, plane.workspaceId, job.id);
    await expect.poll(() => plane.exits, { timeout: 10_000 }).toBeGreaterThan(exits);
    expect(await plane.stored(job)).toMatchObject({ status: 'failed', error: { code: 'OUT_OF_MEMORY' } });
  });

  it('is announced again when its message was lost, and removed when its time is over', async () => {
    const job = await plane.start();
    plane.messages.splice(0);
    await plane.care();
    expect(plane.messages).toEqual([]);
    plane.aheadMs += MINUTE_MS + 1000;
    await plane.care();
    expect(plane.messages).toContainEqual({ op: 'work', workspaceId: plane.workspaceId, jobId: job.id });
    await plane.care();
    expect(plane.messages.filter((message) => message.op === 'work' && message.jobId === job.id)).toHaveLength(1);
    await plane.drain(counting());
    expect((await plane.stored(job)).status).toBe('succeeded');
    plane.aheadMs += 366 * 24 * 60 * MINUTE_MS;
    await plane.care();
    expect(await plane.stored(job)).toBeUndefined();
    const list = jobList('dataset_refresh', job.subjectId);
    expect(await plane.context.jobs.list(plane.workspaceId, { limit: 1, offset: 0 }, list)).toMatchObject({ total: 0 });
  });

  it('starts once for an instant of its schedule, and not at all for one that is not planned any more', async () => {
    const subjectId = newId();
    const scheduledAt = '2026-01-01T00:00:00.000Z';
    const due = { op: 'due', workspaceId: plane.workspaceId, kind: 'dataset_refresh', subjectId, scheduledAt } as const;
    const planned: JobWork = { ...counting(), due: async () => ({ full: true }) };
    plane.messages.push(due, due);
    await plane.drain(planned);
    plane.messages.push(due);
    await plane.drain(planned);
    expect(await times(subjectId)).toBe(1);
    const job = await plane.stored({ id: scheduledJobId('dataset_refresh', subjectId, scheduledAt) });
    expect(job).toMatchObject({
      status: 'succeeded',
      trigger: { kind: 'schedule', scheduledAt },
      input: { full: true },
    });

    const unplanned = newId();
    plane.messages.push({ ...due, subjectId: unplanned });
    await plane.drain({ ...counting(), due: async () => undefined });
    expect(await times(unplanned)).toBe(0);
  });

  it.each(['before', 'after'] as const)(
    'takes effect once when the worker dies %s any one of its writes',
    async (side) => {
      for (let write = 1; write <= 5; write++) {
        const job = await plane.start();
        let count = 0;
        plane.crash = () => {
          count += 1;
          return count === write ? side : undefined;
        };
        await plane.drain(counting());
        plane.crash = () => undefined;
        for (let minute = 0; minute < 3; minute++) {
          plane.aheadMs += MINUTE_MS + 1000;
          await plane.care();
          await plane.drain(counting());
        }
        expect(await plane.stored(job), `write ${write}`).toMatchObject({ status: 'succeeded', result: { rows: 1 } });
        expect(await times(job.subjectId), `write ${write}`).toBe(1);
        await plane.start(job.subjectId);
        plane.messages.splice(0);
      }
    },
  );
});
