import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLogTail, readStepLog, StepLog } from '../../../shared/domains/pipelines/store/step-logs.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { dagOf, into, load, ranOn, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

function givenLog() {
  const { objects, report } = setup.worker;
  const prefix = `W/${setup.workspaceId}/runs/${newId()}`;
  return { prefix, log: new StepLog(objects, prefix, { mask: (text) => text, now: () => new Date(), report }) };
}

/** The tail of a log with these messages, stored in parts of so many lines. */
async function tailOf(messages: readonly string[], linesOfPart: number) {
  const { prefix, log } = givenLog();
  for (const [index, message] of messages.entries()) {
    log.write('info', message);
    if ((index + 1) % linesOfPart === 0) await log.flush();
  }
  await log.flush();
  return readLogTail(setup.worker.objects, prefix);
}

const numbered = (count: number, text = '') => Array.from({ length: count }, (_, index) => `${index} ${text}`);

describe('a whole log', () => {
  it('is returned while it is short and no part of it is stored, and stored otherwise', async () => {
    const { prefix, log } = givenLog();
    log.write('info', 'short');
    expect(await log.whole()).toMatch(/"message":"short"/);
    expect(await readLogTail(setup.worker.objects, prefix)).toBeUndefined();
    log.write('info', 'long'.repeat(600));
    expect(await log.whole()).toBeUndefined();
    log.write('info', 'late');
    expect(await log.whole()).toBeUndefined();
    expect((await readLogTail(setup.worker.objects, prefix))!.lines.map(({ message }) => message.slice(0, 5))).toEqual([
      'short',
      'longl',
      'late',
    ]);
  });
});

describe('the tail of a log', () => {
  it.each([
    [999, 100],
    [1000, 1000],
    [1000, 300],
  ])('has all of %i lines in parts of %i', async (count, linesOfPart) => {
    const messages = numbered(count);
    const tail = await tailOf(messages, linesOfPart);
    expect(tail).toMatchObject({ truncated: false });
    expect(tail!.lines.map(({ message }) => message)).toEqual(messages);
  });

  it.each([2000, 400])('has the last thousand of 1,001 lines, in parts of %i', async (linesOfPart) => {
    const messages = numbered(1001);
    const tail = await tailOf(messages, linesOfPart);
    expect(tail).toMatchObject({ truncated: true });
    expect(tail!.lines.map(({ message }) => message)).toEqual(messages.slice(1));
  });

  it.each([1000, 50])('has the last mebibyte of long lines, in parts of %i', async (linesOfPart) => {
    const messages = numbered(400, 'x'.repeat(3900));
    const tail = await tailOf(messages, linesOfPart);
    expect(tail!.truncated).toBe(true);
    const kept = tail!.lines.map(({ message }) => message);
    expect(kept).toEqual(messages.slice(-kept.length));
    const bytes = tail!.lines.reduce((sum, line) => sum + JSON.stringify(line).length + 1, 0);
    expect(bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(bytes).toBeGreaterThan(1024 * 1024 - 4100);
    expect(tail!.totalBytes).toBeGreaterThan(1.5 * 1024 * 1024);
  });

  it('cuts a message after 4,000 characters, and is not there without a line', async () => {
    const tail = await tailOf(['x'.repeat(4000), 'y'.repeat(4001)], 10);
    expect(tail!.lines.map(({ message }) => message.length)).toEqual([4000, 4000]);
    expect(await tailOf([], 10)).toBeUndefined();
  });
});

/** The bucket takes no logs whose keys have this in them while the work is done. Answers what was reported of it. */
async function withoutLogs(part: string, work: () => Promise<void>): Promise<Error[]> {
  setup.reported.splice(0);
  setup.crash = ({ command, input }) => {
    const { Key: key = '' } = input as { Key?: string };
    return command === 'PutObjectCommand' && key.includes('/log/') && key.includes(part) ? 'refused' : undefined;
  };
  try {
    await work();
  } finally {
    setup.crash = () => undefined;
  }
  return setup.reported.splice(0);
}

describe('a log that the bucket does not take', () => {
  it('is stored with the next try, in order, and reported once', async () => {
    const { prefix, log } = givenLog();
    log.write('info', 'before');
    await log.flush();
    const reported = await withoutLogs(prefix, async () => {
      log.write('info', 'first');
      await log.flush();
      log.write('info', 'second');
      await log.flush();
    });
    expect(reported).toHaveLength(1);
    log.write('info', 'third');
    await log.flush();
    const tail = await readLogTail(setup.worker.objects, prefix);
    expect(tail!.lines.map(({ message }) => message)).toEqual(['before', 'first', 'second', 'third']);
  });

  it('keeps the last thousand lines, and says how many it has lost', async () => {
    const { prefix, log } = givenLog();
    const messages = numbered(1500);
    await withoutLogs(prefix, async () => {
      for (const part of [messages.slice(0, 900), messages.slice(900)]) {
        for (const message of part) log.write('info', message);
        await log.flush();
      }
    });
    await log.flush();
    const [part] = await setup.worker.objects.list(prefix);
    const stored = (await setup.worker.objects.read(part!.key)).toString().trim().split('\n');
    expect(stored.map((line) => JSON.parse(line).message)).toEqual([
      '500 earlier lines could not be stored.',
      ...messages.slice(500),
    ]);
  });

  it('is not needed for a short log, which is kept with the step', async () => {
    const dag = dagOf(sql('a', 'SELECT 1 AS x'), load('keep', 'a', { target: into('logless'), mode: 'append' }));
    const reported = await withoutLogs('/keep/', async () => {
      const { run, steps } = await ranOn(setup, dag);
      expect(run).toMatchObject({ status: 'succeeded', error: null });
      const step = steps.get('keep')!;
      expect(step).toMatchObject({ status: 'succeeded', attempt: 1, rowsMoved: 1 });
      const tail = await readStepLog(setup.worker.objects, { ...step, runId: run.id });
      expect(tail!.lines.map(({ message }) => message.split(/ |:/)[0])).toEqual(['Attempt', 'Committed', 'Succeeded']);
    });
    expect(await setup.rows('logless')).toEqual([[1]]);
    expect(reported).toEqual([]);
  });

  it('leaves a step that fails its own error', async () => {
    await withoutLogs('', async () => {
      const { run } = await ranOn(setup, dagOf(sql('a', 'SELECT nothing')));
      expect(run.error).toMatchObject({ code: 'SQL_ERROR', stepId: 'a' });
    });
  });
});
