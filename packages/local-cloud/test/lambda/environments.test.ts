import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { startCloud, type TestCloud } from './support/cloud.ts';
import { eventually } from './support/eventually.ts';
import { isRunning } from './support/is-running.ts';

const PID =
  'export const handler = async ({ ms = 0 }) => { await new Promise((done) => setTimeout(done, ms)); return process.pid; };';

/** Expected memory of the smallest function. */
const SMALL_MB = 64;

let cloud: TestCloud;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  cloud = await startCloud({ clock, limits: { memoryMb: 3 * SMALL_MB, idleMs: 60_000, waitMs: 0 } });
});
afterEach(() => cloud.close());

const pid = async (name: string, ms = 0) => (await cloud.call(name, { ms })).answer as number;
describe('execution environments', () => {
  it('serve one call at a time; the most recently used one is taken first and the others end when idle', async () => {
    await cloud.create('pids', PID);
    const [slow, quick] = (await Promise.all([pid('pids', 2000), pid('pids', 50)])) as [number, number];
    expect(slow).not.toBe(quick);
    expect(await pid('pids')).toBe(slow);
    await clock.advance(30_000);
    expect(await pid('pids')).toBe(slow);
    await clock.advance(30_001);
    await eventually(() => isRunning(quick)).toBe(false);
    expect(isRunning(slow)).toBe(true);
  });

  it('serve calls that wait for other environments to load', async () => {
    const loaded = JSON.stringify(join(cloud.dataDir, 'loaded-once'));
    await cloud.create(
      'loads-once',
      `import { existsSync, writeFileSync } from 'node:fs';
       if (existsSync(${loaded})) await new Promise((done) => setTimeout(done, 60_000));
       writeFileSync(${loaded}, '');
       ${PID}`,
    );
    const first = await pid('loads-once');
    const pids = await Promise.all([pid('loads-once', 50), pid('loads-once', 50), pid('loads-once', 50)]);
    expect(pids).toEqual([first, first, first]);
  });

  it('are awaited if they are released before another one is loaded, and not started needlessly', async () => {
    await cloud.create('brief', PID);
    const first = await pid('brief');
    const pids = await Promise.all([pid('brief', 5), pid('brief', 5), pid('brief', 5)]);
    expect(pids).toEqual([first, first, first]);
    const starts = cloud.logged.get('/aws/lambda/brief')?.filter((line) => line.startsWith('INIT_START'));
    expect(starts).toHaveLength(1);
  });

  it('are started for calls if none is released in time', async () => {
    await cloud.create('lasting', PID);
    const first = await pid('lasting');
    const busy = pid('lasting', 60_000);
    busy.catch(() => undefined);
    expect(await pid('lasting')).not.toBe(first);
  });

  it('load a few at a time, until all calls have one', async () => {
    const many = await startCloud({ limits: { memoryMb: 40 * SMALL_MB } });
    try {
      await many.create('pids', PID);
      const calls = Array.from({ length: 20 }, () => many.call('pids', { ms: 1000 }));
      const pids = (await Promise.all(calls)).map(({ answer }) => answer);
      expect(new Set(pids).size).toBeGreaterThan(4);
      expect(pids.every((each) => typeof each === 'number')).toBe(true);
    } finally {
      await many.close();
    }
  });

  it('are far fewer than the calls of a burst, which take turns', async () => {
    const many = await startCloud({ limits: { memoryMb: 40 * SMALL_MB } });
    try {
      await many.create('burst', PID);
      await Promise.all(Array.from({ length: 20 }, () => many.call('burst')));
      const starts = many.logged.get('/aws/lambda/burst')?.filter((line) => line.startsWith('INIT_START'));
      expect(starts?.length).toBeGreaterThan(0);
      // The exact number depends on durations, whose rule `patience.test.ts` checks.
      expect(starts?.length).toBeLessThanOrEqual(Math.max(10, availableParallelism()));
    } finally {
      await many.close();
    }
  });

  it('are started before the first call on request', async () => {
    await cloud.create(
      'warmed',
      `const loadedAt = performance.now(); export const handler = async () => 'warm'; console.log('LOADED');`,
    );
    await cloud.lambda.warm('warmed');
    expect(cloud.logged.get('/aws/lambda/warmed')).toContainEqual(expect.stringMatching(/LOADED$/));
    await cloud.call('warmed');
    expect(cloud.logged.get('/aws/lambda/warmed')?.filter((line) => line.startsWith('INIT_START'))).toHaveLength(1);
  });

  it('are limited in number: running ones throttle further calls, idle ones are replaced', async () => {
    for (const name of ['one', 'two', 'three', 'four']) await cloud.create(name, PID);
    const first = await pid('one');
    await Promise.all([pid('two', 50), pid('three', 50), pid('four', 50)]);
    await eventually(() => isRunning(first)).toBe(false);
    const busy = [pid('two', 300), pid('three', 300), pid('four', 300)];
    const throttled = cloud.call('one');
    await expect(throttled).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      Reason: 'ConcurrentInvocationLimitExceeded',
    });
    await Promise.all(busy);
  });

  it('are shared by calls that wait for memory', async () => {
    const small = await startCloud({ limits: { memoryMb: 2 * SMALL_MB } });
    try {
      await small.create('pids', PID);
      const calls = Array.from({ length: 30 }, () => small.call('pids', { ms: 20 }));
      const pids = (await Promise.all(calls)).map(({ answer }) => answer);
      expect(new Set(pids).size).toBeLessThanOrEqual(2);
    } finally {
      await small.close();
    }
  });

  it('are limited by their expected memory: a large one leaves capacity for fewer', async () => {
    await cloud.create('large', PID, { MemorySize: 1024 });
    await cloud.create('small', PID);
    const busy = pid('large', 300);
    await expect(cloud.call('small')).rejects.toMatchObject({ Reason: 'ConcurrentInvocationLimitExceeded' });
    await busy;
    expect(typeof (await pid('small'))).toBe('number');
  });

  it('die during a call when a fault strikes, and the caller gets an error', async () => {
    await cloud.create('struck', PID);
    cloud.faults.replace([{ effect: 'kill', service: 'lambda', resource: 'struck', times: 1, delayMs: 20 }]);
    const struck = cloud.call('struck', { ms: 60_000 });
    await eventually(() => cloud.logged.get('/aws/lambda/struck')?.some((line) => line.startsWith('START'))).toBe(true);
    await clock.advance(20);
    expect((await struck).answer).toMatchObject({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringMatching(/signal: killed$/),
    });
    expect((await cloud.call('struck')).functionError).toBeUndefined();
  });

  it('throttles and fails calls when a fault strikes', async () => {
    await cloud.create('unlucky', PID);
    cloud.faults.replace([
      { effect: 'throttle', service: 'lambda', operation: 'Invoke', times: 1 },
      { effect: 'error', service: 'lambda', operation: 'Invoke', times: 1 },
    ]);
    await expect(cloud.call('unlucky')).rejects.toMatchObject({ name: 'TooManyRequestsException' });
    await expect(cloud.call('unlucky')).rejects.toMatchObject({
      name: 'ServiceException',
      $metadata: { httpStatusCode: 500 },
    });
    expect((await cloud.call('unlucky')).functionError).toBeUndefined();
  });

  it('have their own temporary and home folders, which are removed with them', async () => {
    await cloud.create(
      'scratch',
      `import { tmpdir, homedir } from 'node:os'; import { writeFileSync } from 'node:fs';
       export const handler = async () => { writeFileSync(tmpdir() + '/kept', 'x'); return [tmpdir(), homedir()]; };`,
    );
    const [temporary, home] = (await cloud.call('scratch')).answer as [string, string];
    expect(home).toBe(temporary);
    expect(temporary.startsWith(cloud.dataDir)).toBe(true);
  });

  it('write JSON log events if the function is configured so', async () => {
    await cloud.create(
      'structured',
      `export const handler = async () => { console.debug('hidden'); console.info({ order: 7 }); console.error('failed', new TypeError('why')); };`,
      { LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'INFO', LogGroup: '/own/group' } },
    );
    await cloud.call('structured');
    const entries = (cloud.logged.get('/own/group') ?? []).map((line) => JSON.parse(line));
    expect(entries).toEqual([
      expect.objectContaining({ type: 'platform.initStart' }),
      expect.objectContaining({
        type: 'platform.start',
        record: { requestId: expect.any(String), version: '$LATEST' },
      }),
      { timestamp: expect.any(String), level: 'INFO', requestId: expect.any(String), message: { order: 7 } },
      expect.objectContaining({
        level: 'ERROR',
        errorType: 'TypeError',
        errorMessage: 'why',
        stackTrace: expect.any(Array),
      }),
      expect.objectContaining({ type: 'platform.runtimeDone' }),
      expect.objectContaining({ type: 'platform.report', record: expect.objectContaining({ status: 'success' }) }),
    ]);
  });
});
