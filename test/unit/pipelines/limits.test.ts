import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { previewTransform } from '../../../functions/pipelines/pipeline-authoring/previews/routes.ts';
import { checkedSchedule } from '../../../functions/pipelines/pipelines/definition.ts';
import { listGateEvaluations, summarizeGates } from '../../../functions/pipelines/pipelines/quality/routes.ts';
import { setPipelineSchedule } from '../../../functions/pipelines/pipelines/routes.ts';
import { CreatePipeline, UpdatePipeline } from '../../../functions/pipelines/pipelines/schemas.ts';
import { backfillDays } from '../../../shared/domains/pipelines/backfills/backfill.ts';
import { findDagIssues } from '../../../shared/domains/pipelines/definition/dag-issues.ts';
import { shapeIssues } from '../../../shared/platform/validation/shape-issues.ts';

const ID = '00000000-0000-7000-8000-000000000000';
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const text = (length: number) => 'x'.repeat(length);
const step = (more: object = {}, id = 'a') => ({
  id,
  type: 'transform_sql',
  config: { sql: 'SELECT 1 AS x' },
  ...more,
});
const dag = (more: object = {}, steps: object[] = [step()]) => ({ version: 1, steps, ...more });
const retry = (members: object) => dag({}, [step({ retry: members })]);
const parameter = (members: object) => dag({ parameters: [{ name: 'p', type: 'string', ...members }] });
const when = (members: object, type = 'string') =>
  dag({ parameters: [{ name: 'p', type }] }, [step({ when: { param: 'p', op: 'eq', ...members } })]);
const arrival = (members: object) => dag({ trigger: { kind: 'file_arrival', sourceId: ID, path: 'in/*', ...members } });
const block = (members: object) => dag({ forEach: [{ id: 'each', items: [1], steps: ['a'], ...members }] });

const AT_ONCE = '/concurrency/maxConcurrentRuns';
const atOnce = (maxConcurrentRuns: number) => ({ concurrency: { maxConcurrentRuns } });

interface Limit {
  what: string;
  least?: number;
  most?: number;
  /** How far beyond a limit the next value is. */
  apart?: number;
  /** Where the issue is reported. */
  at: string;
  of: (value: number) => object;
}

const LIMITS: Limit[] = [
  {
    what: 'steps',
    least: 1,
    most: 100,
    at: '/dag/steps',
    of: (n) =>
      dag(
        {},
        times(n, (i) => step({}, `s${i}`)),
      ),
  },
  {
    what: 'characters of a step id',
    least: 1,
    most: 64,
    at: '/dag/steps/0/id',
    of: (n) => dag({}, [step({}, text(n))]),
  },
  { what: 'attempts', least: 1, most: 10, at: '/dag/steps/0/retry/maxAttempts', of: (n) => retry({ maxAttempts: n }) },
  {
    what: 'milliseconds before a retry',
    least: 100,
    at: '/dag/steps/0/retry/initialIntervalMs',
    of: (n) => retry({ initialIntervalMs: n }),
  },
  {
    what: 'growth of the time before a retry',
    least: 1,
    apart: 0.01,
    at: '/dag/steps/0/retry/backoffCoefficient',
    of: (n) => retry({ backoffCoefficient: n }),
  },
  {
    what: 'seconds between scheduled runs',
    least: 15,
    most: 86_400,
    at: '/dag/schedule/everySeconds',
    of: (n) => dag({ schedule: { everySeconds: n } }),
  },
  {
    what: 'runs at once',
    least: 1,
    most: 10,
    at: '/dag/concurrency/maxConcurrentRuns',
    of: (n) => dag({ concurrency: { maxConcurrentRuns: n } }),
  },
  {
    what: 'parameters',
    least: 0,
    most: 50,
    at: '/dag/parameters',
    of: (n) => dag({ parameters: times(n, (i) => ({ name: `p${i}`, type: 'string' })) }),
  },
  {
    what: 'characters of a parameter',
    least: 1,
    most: 64,
    at: '/dag/parameters/0/name',
    of: (n) => parameter({ name: text(n) }),
  },
  {
    what: 'characters of a description',
    most: 500,
    at: '/dag/parameters/0/description',
    of: (n) => parameter({ description: text(n) }),
  },
  {
    what: 'characters of a default',
    most: 1024,
    at: '/dag/parameters/0/default',
    of: (n) => parameter({ default: text(n) }),
  },
  {
    what: 'items of a default',
    most: 100,
    at: '/dag/parameters/0/default',
    of: (n) => parameter({ type: 'list', default: times(n, (i) => i) }),
  },
  {
    what: 'characters of an item of a default',
    most: 256,
    at: '/dag/parameters/0/default',
    of: (n) => parameter({ type: 'list', default: [text(n)] }),
  },
  {
    what: 'characters of the value of when',
    most: 1024,
    at: '/dag/steps/0/when/value',
    of: (n) => when({ value: text(n) }),
  },
  {
    what: 'characters of each value of when',
    most: 1024,
    at: '/dag/steps/0/when/value',
    of: (n) => when({ op: 'in', value: ['v', text(n)] }),
  },
  {
    what: 'characters of the parameter of when',
    least: 1,
    most: 64,
    at: '/dag/steps/0/when/param',
    of: (n) =>
      dag({ parameters: [{ name: text(Math.max(1, Math.min(n, 64))), type: 'string' }] }, [
        step({ when: { param: text(n), op: 'truthy' } }),
      ]),
  },
  {
    what: 'items of the value of when',
    least: 1,
    most: 100,
    at: '/dag/steps/0/when/value',
    of: (n) => when({ op: 'in', value: times(n, (i) => `v${i}`) }),
  },
  {
    what: 'blocks',
    least: 0,
    most: 10,
    at: '/dag/forEach',
    of: (n) =>
      dag(
        { forEach: times(n, (i) => ({ id: `b${i}`, items: [1], steps: [`s${i}`] })) },
        times(Math.max(n, 1), (i) => step({}, `s${i}`)),
      ),
  },
  { what: 'characters of a block id', least: 1, most: 16, at: '/dag/forEach/0/id', of: (n) => block({ id: text(n) }) },
  {
    what: 'items of a block',
    least: 1,
    most: 100,
    at: '/dag/forEach/0/items',
    of: (n) => block({ items: times(n, (i) => i) }),
  },
  { what: 'characters of an item', most: 256, at: '/dag/forEach/0/items', of: (n) => block({ items: [text(n)] }) },
  {
    what: 'characters of the parameter of a block',
    least: 1,
    most: 64,
    at: '/dag/forEach/0/items',
    of: (n) => ({
      ...block({ items: `{{ params.${text(n)} }}` }),
      parameters: [{ name: text(Math.max(1, Math.min(n, 64))), type: 'list', default: [1] }],
    }),
  },
  {
    what: 'steps of a block',
    least: 1,
    most: 50,
    at: '/dag/forEach/0/steps',
    of: (n) =>
      dag(
        { forEach: [{ id: 'each', items: [1], steps: times(n, (i) => `s${i}`) }] },
        times(Math.max(n, 1), (i) => step({}, `s${i}`)),
      ),
  },
  {
    what: 'characters of a file trigger',
    least: 1,
    most: 1024,
    at: '/dag/trigger',
    of: (n) => arrival({ path: text(n) }),
  },
  { what: 'quiet seconds', least: 0, most: 3600, at: '/dag/trigger', of: (n) => arrival({ quietSeconds: n }) },
  { what: 'files of a start', least: 1, most: 10_000, at: '/dag/trigger', of: (n) => arrival({ minFiles: n }) },
  {
    what: 'seconds of a step',
    least: 1,
    most: 840,
    at: '/dag/steps/0/config/timeoutSeconds',
    of: (n) => dag({}, [step({ config: { sql: 'SELECT 1 AS x', timeoutSeconds: n } })]),
  },
];

describe('a definition', () => {
  it.each(LIMITS)('has $what from $least to $most', ({ least, most, apart = 1, at, of }) => {
    const issues = (value: number) => findDagIssues(of(value));
    for (const allowed of [least, most]) {
      if (allowed !== undefined) expect(issues(allowed), `${allowed}`).toEqual([]);
    }
    const beyond = [
      ...(least !== undefined && least > 0 ? [least - apart] : []),
      ...(most === undefined ? [] : [most + apart]),
    ];
    expect(beyond.length).toBeGreaterThan(0);
    for (const refused of beyond) {
      const found = issues(refused);
      expect(found.length, `${refused}`).toBeGreaterThan(0);
      for (const { pointer } of found) expect(pointer, `${refused}`).toMatch(new RegExp(`^${at}(/|$)`));
    }
  });

  it.each([
    ['maxAttempts', { maxAttempts: 2.5 }],
    ['initialIntervalMs', { initialIntervalMs: 100.5 }],
    ['a text for a number', { maxAttempts: '3' }],
  ])('takes whole numbers where they count (%s)', (_what, members) => {
    expect(findDagIssues(retry(members))).toHaveLength(1);
  });
});

describe('a schedule', () => {
  it.each<[string, TSchema, (schedule: object) => object, string]>([
    ['that is set', setPipelineSchedule.body!, (schedule) => schedule, ''],
    ['of a new pipeline', CreatePipeline, (schedule) => ({ name: 'p', dag: dag(), schedule }), '/schedule'],
    ['of a pipeline that is changed', UpdatePipeline, (schedule) => ({ schedule }), '/schedule'],
  ])('%s has 15 seconds to a day between runs, or an expression that is one', (_which, shape, of, at) => {
    const issues = (schedule: object) => shapeIssues(shape, of(schedule), '');
    for (const everySeconds of [15, 86_400]) expect(issues({ everySeconds })).toEqual([]);
    for (const [everySeconds, code] of [
      [14, 'MINIMUM'],
      [86_401, 'MAXIMUM'],
      [15.5, 'TYPE'],
    ] as const) {
      expect(issues({ everySeconds })).toMatchObject([{ pointer: `${at}/everySeconds`, code }]);
    }
    expect(issues({ cron: '' })).toMatchObject([{ pointer: `${at}/cron`, code: 'MIN_LENGTH' }]);
    // One character is enough for the shape, and never an expression.
    expect(issues({ cron: '*' })).toEqual([]);
    expect(() => checkedSchedule({ cron: '*' }, at, null)).toThrow(
      expect.objectContaining({
        code: 'PIPELINE_SCHEDULE_INVALID',
        errors: [expect.objectContaining({ pointer: `${at}/cron`, code: 'CRON_INVALID' })],
      }),
    );
    expect(checkedSchedule({ cron: '* * * * *' }, at, null)).toMatchObject({ cron: '* * * * *', enabled: true });
  });
});

describe('a request', () => {
  it.each<[string, TSchema, (value: number) => object, string, number, number]>([
    ['new pipeline, runs at once', CreatePipeline, (n) => ({ name: 'p', dag: dag(), ...atOnce(n) }), AT_ONCE, 1, 10],
    ['changed pipeline, runs at once', UpdatePipeline, atOnce, AT_ONCE, 1, 10],
    ['preview, rows', previewTransform.body!, (limit) => ({ stepId: 'a', limit }), '/limit', 1, 1000],
    ['gate history, evaluations', listGateEvaluations.query!, (limit) => ({ limit }), '/limit', 1, 200],
    ['gate summary, days', summarizeGates.query!, (days) => ({ days }), '/days', 1, 90],
  ])('has its limits (%s)', (_what, shape, of, pointer, least, most) => {
    const issues = (value: number) => shapeIssues(shape, of(value), '');
    for (const allowed of [least, most]) expect(issues(allowed), `${allowed}`).toEqual([]);
    expect(issues(least - 1)).toMatchObject([{ pointer, code: 'MINIMUM' }]);
    expect(issues(most + 1)).toMatchObject([{ pointer, code: 'MAXIMUM' }]);
  });
});

describe('a backfill', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const days = (from: string, to: string) => backfillDays({ from, to }, 'UTC', now);

  it('has one to 366 days, both ends counted', () => {
    expect(days('2026-11-21', '2026-11-21')).toHaveLength(1);
    expect(days('2025-11-21', '2026-11-20')).toHaveLength(365);
    expect(days('2025-11-21', '2026-11-21')).toHaveLength(366);
    for (const [from, to, code] of [
      ['2025-11-20', '2026-11-21', 'WINDOW_TOO_LONG'],
      ['2026-11-21', '2026-11-20', 'WINDOW_REVERSED'],
    ] as const) {
      expect(() => days(from, to)).toThrow(
        expect.objectContaining({ code: 'BACKFILL_WINDOW_INVALID', errors: [expect.objectContaining({ code })] }),
      );
    }
  });
});
