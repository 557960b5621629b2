import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frame, lastEventId } from '../../../functions/pipelines/pipeline-events/frames.ts';
import { stepErrorOf } from '../../../functions/pipelines/workers/run-step/run-attempt.ts';
import type { Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { parameterIssues, resolveParameters } from '../../../shared/domains/pipelines/definition/parameters.ts';
import type { ReferenceValues } from '../../../shared/domains/pipelines/definition/references.ts';
import { DEFAULT_RETRY, retryDelayMs } from '../../../shared/domains/pipelines/definition/retry.ts';
import { isMet } from '../../../shared/domains/pipelines/definition/when.ts';
import { type Admission, admit, NEW_ADMISSION, releaseSlot } from '../../../shared/domains/pipelines/runs/admission.ts';
import { codeCallOf } from '../../../shared/domains/pipelines/runs/code-call.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import { DataError } from '../../../shared/platform/errors/data-error.ts';

describe('what the author of a step reads', () => {
  const open = new AbortController().signal;

  it('is the issue by a code of its own where it is of the rows, and nothing of ours', () => {
    const tooLarge = new DataError('RESULT_TOO_LARGE', 'The pages are larger than allowed.');
    expect(stepErrorOf(tooLarge, open)).toEqual({ code: 'RESULT_TOO_LARGE', message: tooLarge.message });
    expect(stepErrorOf(new DataError('ADDRESS_BLOCKED', 'no'), open).code).toBe('PERMISSION_DENIED');
    const own = stepErrorOf(new TypeError('secret'), open);
    expect(own).toEqual({ code: 'INTERNAL', message: expect.not.stringContaining('secret') });
  });
});

describe('retryDelayMs', () => {
  it('grows by the coefficient and adds up to a fifth, never less than promised', () => {
    expect(retryDelayMs(DEFAULT_RETRY, 1, 'SQL_ERROR', () => 0)).toBe(1000);
    expect(retryDelayMs(DEFAULT_RETRY, 2, 'SQL_ERROR', () => 0)).toBe(2000);
    expect(retryDelayMs(DEFAULT_RETRY, 2, 'SQL_ERROR', () => 1)).toBe(2400);
  });

  it('has none for what another attempt would meet again', () => {
    for (const code of [
      'VALUES_LOST',
      'RESULT_TOO_LARGE',
      'GATE_FAILED',
      'ALLOWANCE_EXHAUSTED',
      'OVERTAKEN',
      'CANCELLED',
    ] as const) {
      expect(retryDelayMs(DEFAULT_RETRY, 1, code, () => 0)).toBeUndefined();
    }
  });

  it('stops at the last attempt and caps the delay at 15 minutes', () => {
    expect(retryDelayMs(DEFAULT_RETRY, 3, 'SQL_ERROR', () => 0)).toBeUndefined();
    const patient = { ...DEFAULT_RETRY, maxAttempts: 10, initialIntervalMs: 600_000 };
    expect(retryDelayMs(patient, 5, 'SQL_ERROR', () => 1)).toBe(900_000);
  });

  it.each([
    [['SQL_ERROR'], 'SQL_ERROR', false],
    [['SQL_*'], 'SQL_ERROR', false],
    [['SQL'], 'SQL_ERROR', true],
    [[], 'GATE_FAILED', false],
    [[], 'CANCELLED', false],
  ] as const)('with %j, an attempt that failed with %s is repeated: %s', (nonRetryableErrors, error, repeated) => {
    const policy = { ...DEFAULT_RETRY, nonRetryableErrors: [...nonRetryableErrors] };
    expect(retryDelayMs(policy, 1, error, () => 0) !== undefined).toBe(repeated);
  });
});

describe('isMet', () => {
  it.each([
    ['eq', 'a', 'a', true],
    ['eq', 1, '1', false],
    ['ne', 'a', 'b', true],
    ['in', 'a', ['a', 'b'], true],
    ['not_in', 'c', ['a', 'b'], true],
    ['in', ['c', 'a'], ['a', 'b'], true],
    ['eq', ['a', 'b'], ['a', 'b'], true],
    ['eq', ['b', 'a'], ['a', 'b'], false],
    ['truthy', 0, undefined, false],
    ['truthy', '0', undefined, true],
    ['falsy', [], undefined, true],
    ['falsy', null, undefined, true],
  ] as const)('%s of %j with %j is %s', (op, actual, value, taken) => {
    const when = { param: 'p', op, ...(value === undefined ? {} : { value }) };
    expect(isMet(when as Parameters<typeof isMet>[0], { p: actual })).toBe(taken);
  });
});

describe('resolveParameters', () => {
  it('takes given values, then defaults, and names everything that does not fit', () => {
    const declared = [
      { name: 'a', type: 'number', default: 1 },
      { name: 'b', type: 'list' },
      { name: 'c', type: 'string', required: true },
    ] as const;
    expect(resolveParameters(declared, { b: ['x', 1], c: 'y' })).toEqual({
      values: { a: 1, b: ['x', 1], c: 'y' },
      issues: [],
    });
    expect(resolveParameters(declared, { a: '1', d: 1 }).issues.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/parameters/d', 'PARAMETER_UNKNOWN'],
      ['/parameters/a', 'TYPE'],
      ['/parameters/c', 'REQUIRED'],
    ]);
  });

  it.each<[string, 'number' | 'list', unknown, string]>([
    ['a whole number that is not distinguishable from its neighbours', 'number', 9007199254740992, ' NUMBER_RANGE'],
    ['a number that no item of the table holds', 'number', -1e300, ' NUMBER_RANGE'],
    ['one too close to zero', 'number', 1e-131, ' NUMBER_RANGE'],
    ['one beyond all', 'number', Number('1e400'), ' NUMBER_RANGE'],
    ['one of a list', 'list', ['x', 1e20], '/1 NUMBER_RANGE'],
  ])('refuses %s', (_title, type, value, expected) => {
    const { issues } = resolveParameters([{ name: 'p', type }], { p: value });
    expect(issues.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([`/parameters/p${expected}`]);
    const declared = parameterIssues([{ name: 'p', type, default: value as number }], '/dag/parameters');
    expect(declared.map(({ code }) => code)).toEqual(issues.map(({ code }) => code));
  });

  it('takes every number that the table holds as it is', () => {
    const p = [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 0, 0.1, 1e-130, 123456789.12345679];
    expect(resolveParameters([{ name: 'p', type: 'list' }], { p })).toEqual({ values: { p }, issues: [] });
  });
});

describe('the values of many parameters', () => {
  it('have a bound together, as the record of the run has', () => {
    const declared = Array.from({ length: 50 }, (_, index) => ({ name: `p${index}`, type: 'list' as const }));
    const list = Array.from({ length: 100 }, () => 'x'.repeat(256));
    const given = Object.fromEntries(declared.map(({ name }) => [name, list]));
    expect(resolveParameters(declared, given).issues).toMatchObject([{ pointer: '/parameters', code: 'MAX_LENGTH' }]);
    expect(resolveParameters(declared, { p0: list, p1: list }).issues).toEqual([]);
  });
});

describe('the values of a run', () => {
  const texts = (length: number) => 'x'.repeat(length);
  const items = (count: number) => Array.from({ length: count }, (_, index) => index);
  it.each<[string, 'string' | 'list', unknown, string | null]>([
    ['a text of 1,024 characters', 'string', texts(1024), null],
    ['a text of 1,025 characters', 'string', texts(1025), ' MAX_LENGTH'],
    ['a list without items', 'list', [], null],
    ['a list of 100 items', 'list', items(100), null],
    ['a list of 101 items', 'list', items(101), ' MAX_ITEMS'],
    ['a list with a text of 256 characters', 'list', [texts(256)], null],
    ['a list with a text of 257 characters', 'list', [texts(257)], '/0 MAX_LENGTH'],
    ['a text in place of a list', 'list', 'x', ' TYPE'],
    ['a list with a truth value', 'list', [1, true], '/1 TYPE'],
  ])('may be %s (%s)', (_what, type, value, issue) => {
    const { issues } = resolveParameters([{ name: 'p', type }], { p: value });
    const reported = issues.map(({ pointer, code }) => `${pointer} ${code}`);
    expect(reported).toEqual(issue === null ? [] : [`/parameters/p${issue}`]);
  });
});

describe('admission', () => {
  const now = new Date('2026-01-01T00:00:00Z');

  it('lets a hundred runs wait and sixty start in a minute, and no more', () => {
    const queue = { maxConcurrentRuns: 1, onOverlap: 'queue' } as const;
    const waiting = (count: number): Admission => ({
      ...NEW_ADMISSION,
      running: ['r'],
      waiting: Array.from({ length: count }, (_, index) => `w${index}`),
    });
    expect(admit(waiting(99), 'own', queue, now)).toMatchObject({ kind: 'waiting', position: 100 });
    expect(admit(waiting(100), 'own', queue, now)).toMatchObject({ kind: 'rejected', code: 'QUEUE_FULL' });
    const started = (count: number): Admission => ({
      ...NEW_ADMISSION,
      starts: { minute: now.toISOString().slice(0, 16), count },
    });
    expect(admit(started(59), 'own', queue, now)).toMatchObject({ kind: 'admitted' });
    expect(admit(started(60), 'own', queue, now)).toMatchObject({ kind: 'rejected', code: 'RATE_LIMITED' });
    expect(admit(started(60), 'own', queue, new Date(now.getTime() + 60_000))).toMatchObject({ kind: 'admitted' });
  });

  it('never gives out more slots than there are, and wakes those who wait in their order', () => {
    const moves = fc.array(fc.oneof(fc.constant('start' as const), fc.nat({ max: 20 })), { maxLength: 50 });
    fc.assert(
      fc.property(moves, fc.integer({ min: 1, max: 4 }), (sequence, maxConcurrentRuns) => {
        let state: Admission = NEW_ADMISSION;
        const started: string[] = [];
        let count = 0;
        const start = () => {
          const id = `r${count++}`;
          const decision = admit(state, id, { maxConcurrentRuns, onOverlap: 'queue' }, now);
          if (decision.kind === 'rejected') throw new Error(decision.code);
          if (decision.kind === 'admitted') started.push(id);
          state = decision.next;
        };
        const end = (move: number) => {
          const released = releaseSlot(state, state.running[move % state.running.length]!);
          started.push(...released.promoted);
          state = released.next;
        };
        for (const move of sequence) {
          if (move === 'start') start();
          else if (state.running.length > 0) end(move);
          expect(state.running.length).toBeLessThanOrEqual(maxConcurrentRuns);
          expect(state.waiting.length === 0 || state.running.length === maxConcurrentRuns).toBe(true);
        }
        expect(started).toEqual(started.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
      }),
    );
  });

  it('refuses, queues or makes room at the limit, as the pipeline says', () => {
    const full = { ...NEW_ADMISSION, running: ['a'], waiting: ['b'] };
    const policy = (onOverlap: 'skip' | 'queue' | 'cancel_previous') => ({ maxConcurrentRuns: 1, onOverlap });
    expect(admit(full, 'c', policy('skip'), now)).toMatchObject({ kind: 'rejected', code: 'RUN_OVERLAP' });
    expect(admit(full, 'c', policy('queue'), now)).toMatchObject({ kind: 'waiting', position: 2 });
    expect(admit(full, 'c', policy('cancel_previous'), now)).toMatchObject({
      kind: 'waiting',
      replaces: ['b', 'a'],
      next: { waiting: ['c'] },
    });
  });

  it('gives the same answer to the same run again', () => {
    const state = { ...NEW_ADMISSION, running: ['a'] };
    expect(admit(state, 'a', { maxConcurrentRuns: 1, onOverlap: 'skip' }, now)).toEqual({
      kind: 'admitted',
      next: state,
    });
  });
});

describe('event frames', () => {
  it('puts id, event and data on lines of their own', () => {
    expect(frame('run.status', 7, { text: 'two\nlines' })).toBe(
      'id: 7\nevent: run.status\ndata: {"text":"two\\nlines"}\n\n',
    );
  });

  it('takes only what it may have sent for an event id', () => {
    expect(['12', '', 'x', '-1', '1.5', undefined].map(lastEventId)).toEqual([
      12,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('the env of code', () => {
  const filled = (env: Record<string, string>) => {
    const step = { id: 'made', type: 'transform_code', config: { code: '', env } } as unknown as Step;
    const run = { id: 'run', createdAt: '2026-11-21T00:00:00.000Z' } as StoredRun;
    const values = { params: {}, run, forEach: {}, trigger: {}, secrets: { A: 'x'.repeat(32 * 1024) } };
    return codeCallOf(step, values as unknown as ReferenceValues, { run, itemIndex: null }).context.env;
  };

  it('takes 256 Ki characters in all, and is refused beyond them by the value with which it is too much', () => {
    const four = '{{secrets.A}}'.repeat(4);
    expect(filled({ ONE: four, TWO: four }).TWO).toHaveLength(128 * 1024);
    expect(() => filled({ ONE: four, TWO: four, THREE: '!' })).toThrow(
      expect.objectContaining({ code: 'RESULT_TOO_LARGE', message: expect.stringContaining('in total at "THREE"') }),
    );
  });
});
