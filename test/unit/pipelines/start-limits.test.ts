import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { settings } from '../../../infra/settings.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { START_LIMITS, startLimitsFrom } from '../../../shared/domains/pipelines/store/start-limit-settings.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());
beforeEach(() => {
  // A minute of its own, from its first second on.
  setup.aheadMs += 120_000 - (setup.context.now().getTime() % 60_000);
});

const limit = (perPipeline: number, perWorkspace: number) =>
  Object.assign(setup.context, { startLimits: { perPipeline, perWorkspace } });
const given = (sqlText = 'SELECT 1 AS x') => setup.pipeline(dagOf(sql('a', sqlText)), { maxConcurrentRuns: 10 });
const codeOf = (start: Promise<unknown>) =>
  start.then(
    () => 'started',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
const by = (kind: 'schedule' | 'webhook') => ({
  trigger: { kind, scheduledAt: null, upstreamRunId: null, actor: null },
});

describe('starts in a minute', () => {
  it('of a pipeline are as many as the operator allows, until the next minute begins', async () => {
    limit(2, 100);
    const [one, other] = [await given(), await given()];
    for (const _start of [1, 2]) await setup.run(one);
    const refused = await setup.run(one, by('schedule')).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'RATE_LIMITED' });
    expect((refused as AppError).retryAfterSeconds).toBeGreaterThan(0);
    expect((refused as AppError).retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(await codeOf(setup.run(other))).toBe('started');
    setup.aheadMs += 60_000;
    expect(await codeOf(setup.run(one))).toBe('started');
    await setup.drain();
  });

  it('of a workspace are exact however many users start at once, and leave schedules alone', async () => {
    limit(100, 12);
    const pipelines = await Promise.all(Array.from({ length: 4 }, () => given()));
    const starts = Array.from({ length: 20 }, (_, index) =>
      codeOf(setup.run(pipelines[index % 4]!, index % 2 === 0 ? {} : by('webhook'))),
    );
    const codes = await Promise.all(starts);
    expect(codes.filter((code) => code === 'started')).toHaveLength(12);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(8);
    expect(await codeOf(setup.run(await given(), by('schedule')))).toBe('started');
    setup.aheadMs += 60_000;
    expect(await codeOf(setup.run(await given()))).toBe('started');
    await setup.drain();
  });

  it('count retries, and no start that is refused for another reason', async () => {
    limit(100, 100);
    const run = await setup.run(await given('SELECT error(1) AS x'));
    expect(await setup.untilOver(run.id)).toMatchObject({ status: 'failed' });
    setup.aheadMs += 120_000 - (setup.context.now().getTime() % 60_000);
    limit(100, 2);
    const busy = await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x')));
    await setup.run(busy);
    for (const _again of [1, 2]) expect(await codeOf(setup.run(busy))).toBe('RUN_OVERLAP');
    expect(await codeOf(retryRun(setup.context, setup.place(run.id)))).toBe('started');
    await setup.drain();
    expect(await codeOf(retryRun(setup.context, setup.place(run.id)))).toBe('RATE_LIMITED');
    expect(await setup.stored(run.id)).toMatchObject({ status: 'failed', attempt: 2 });
  });

  it('are those of the environment, and 60 and 600 without it', () => {
    expect(startLimitsFrom({})).toEqual(START_LIMITS);
    expect(START_LIMITS).toEqual({ perPipeline: 60, perWorkspace: 600 });
    expect(settings({}).startLimits).toEqual(START_LIMITS);
    const set = { PIPELINE_STARTS_PER_MINUTE: '5', WORKSPACE_STARTS_PER_MINUTE: '7000' };
    expect(startLimitsFrom(set)).toEqual({ perPipeline: 5, perWorkspace: 7000 });
  });
});
