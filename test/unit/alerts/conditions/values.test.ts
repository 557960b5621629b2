import { describe, expect, it } from 'vitest';
import {
  type AlertCondition,
  type Check,
  changeFrom,
  checkReading,
  conditionIssues,
  numberOf,
  reduceValues,
} from '../../../../shared/domains/alerts/conditions/index.ts';

const check = (given: Partial<Check>): Check => ({
  operator: 'gt',
  threshold: 10,
  recover: null,
  unit: 'percent',
  ...given,
});
const zone = (value: number, given: Partial<Check>, around = {}) =>
  checkReading({ kind: 'value', value }, check(given), around).kind;

describe('Reducers', () => {
  it.each([
    ['last', [1, 2, null], { kind: 'none', reason: 'NO_VALUE' }],
    ['last', [1, 2], { kind: 'value', value: 2 }],
    ['first', [1, 2], { kind: 'value', value: 1 }],
    ['min', [3, null, -1], { kind: 'value', value: -1 }],
    ['max', [3, null, -1], { kind: 'value', value: 3 }],
    ['sum', [1, null, 2], { kind: 'value', value: 3 }],
    ['avg', [1, null, 2], { kind: 'value', value: 1.5 }],
    ['median', [5, 1, 3], { kind: 'value', value: 3 }],
    ['median', [4, 1, 2, 3], { kind: 'value', value: 2.5 }],
    ['count', [null, 1], { kind: 'value', value: 2 }],
    ['any_row', [null, 1, 2], { kind: 'rows', values: [1, 2] }],
    ['sum', [null], { kind: 'none', reason: 'NO_VALUE' }],
    ['count', [], { kind: 'value', value: 0 }],
    ...(['last', 'first', 'min', 'max', 'sum', 'avg', 'median', 'any_row'] as const).map(
      (reduce) => [reduce, [], { kind: 'none', reason: 'NO_ROWS' }] as const,
    ),
  ] as const)('%s of %o is %o', (reduce, values, expected) => {
    expect(reduceValues(values, reduce)).toEqual(expected);
  });

  it('add numbers as they are written', () => {
    expect(reduceValues([0.1, 0.2], 'sum')).toEqual({ kind: 'value', value: 0.3 });
    expect(reduceValues([0.1, 0.1, 0.1], 'avg')).toEqual({ kind: 'value', value: 0.1 });
    expect(reduceValues([1e-7, 2], 'sum')).toEqual({ kind: 'value', value: 2.0000001 });
  });

  it('read exact numbers from text, and nothing else', () => {
    expect(['12.50', '', ' ', 'abc', true, null, Number.NaN, 7, '1e400'].map(numberOf)).toEqual([
      12.5,
      ...[null, null, null, null, null, null, 7, null],
    ]);
  });
});

describe('Operators', () => {
  it.each([
    ['gt', 10, 10.01, 10],
    ['gte', 10, 10, 9.99],
    ['lt', 10, 9.99, 10],
    ['lte', 10, 10, 10.01],
    ['eq', 10, 10, 11],
    ['ne', 10, 11, 10],
    ['between', [1, 5], 5, 5.01],
    ['outside', [1, 5], 0.99, 1],
  ] as const)('%s %o fires at %d and not at %d', (operator, threshold, fires, not) => {
    expect([zone(fires, { operator, threshold }), zone(not, { operator, threshold })]).toEqual(['breach', 'clear']);
  });

  it('leave a band between firing and recovering', () => {
    const given = { recover: { operator: 'lt' as const, threshold: 8 } };
    expect([11, 10, 8, 7.9].map((value) => zone(value, given))).toEqual(['breach', 'band', 'band', 'clear']);
  });

  it.each([
    ['increases_by', 10, 100, 110, 'breach'],
    ['increases_by', 10, 100, 109, 'clear'],
    // Floats make it 6.999… %.
    ['increases_by', 7, 10, 10.7, 'breach'],
    ['increases_by', 10, -100, -90, 'breach'],
    ['decreases_by', 10, 100, 90, 'breach'],
    ['decreases_by', 10, 100, 110, 'clear'],
    ['changes_by', 10, 100, 90, 'breach'],
    ['changes_by', 10, 100, 105, 'clear'],
    ['changes_by', 10, 0, 5, 'none'],
    ['changes_by', 10, null, 5, 'none'],
  ] as const)('%s %d percent from %o to %d: %s', (operator, threshold, base, value, expected) => {
    expect(zone(value, { operator, threshold }, { base })).toBe(expected);
  });

  it('never give a percentage of zero, but a difference', () => {
    expect(changeFrom(0, 5, 'percent')).toBeUndefined();
    expect(changeFrom(0, 5, 'absolute')).toBe(5);
    expect(changeFrom(Number.MIN_VALUE, 1e300, 'percent')).toBeUndefined();
  });

  it('call a value unusual by at least seven earlier ones', () => {
    const usual = { operator: 'unusual' as const, threshold: 3.5 };
    const baseline = [100, 101, 99, 100, 102, 98, 100];
    expect(zone(200, usual, { baseline })).toBe('breach');
    expect(zone(101, usual, { baseline })).toBe('clear');
    expect(checkReading({ kind: 'value', value: 200 }, check(usual), { baseline: baseline.slice(1) })).toEqual({
      kind: 'none',
      reason: 'TOO_FEW_POINTS',
    });
  });

  it('are behind a target by its pace', () => {
    const behind = { operator: 'is_behind_target' as const, threshold: null };
    expect(zone(1, behind, { pace: 'behind' })).toBe('breach');
    expect(zone(1, behind, { pace: 'on_track' })).toBe('clear');
    expect(zone(1, behind, { pace: null })).toBe('none');
  });

  it('fire if any of several rows meets the condition, with its value', () => {
    expect(checkReading({ kind: 'rows', values: [1, 12, 30] }, check({}))).toEqual({ kind: 'breach', value: 12 });
    expect(checkReading({ kind: 'rows', values: [1, 2] }, check({}))).toEqual({ kind: 'clear', value: 1 });
  });
});

describe('Issues of a condition', () => {
  const id = '018f8e5e-0000-7000-8000-000000000000';
  const field = (given: object): AlertCondition =>
    ({
      ...{ kind: 'field', source: { kind: 'savedQuery', id }, column: 'n', reduce: 'last', operator: 'gt' },
      threshold: 1,
      ...given,
    }) as AlertCondition;
  const metric = (given: object): AlertCondition =>
    ({ kind: 'metric', metricId: id, operator: 'gt', threshold: 1, ...given }) as AlertCondition;

  it.each([
    ['none', field({}), []],
    ['none', metric({ threshold: { ref: 'target' } }), []],
    ['none', field({ operator: 'unusual', threshold: undefined }), []],
    ['none', metric({ operator: 'is_behind_target', threshold: undefined }), []],
    ['a missing threshold', field({ threshold: undefined }), ['/condition/threshold REQUIRED']],
    ['a range for gt', field({ threshold: [1, 2] }), ['/condition/threshold WRONG_TYPE']],
    ['a number for between', field({ operator: 'between' }), ['/condition/threshold WRONG_TYPE']],
    ['ends in the wrong order', field({ operator: 'outside', threshold: [2, 1] }), ['/condition/threshold ORDER']],
    ['a target of a column', field({ threshold: { ref: 'target' } }), ['/condition/threshold NOT_ALLOWED']],
    ['the pace of a column', field({ operator: 'is_behind_target' }), ['/condition/operator NOT_A_METRIC']],
    [
      'a threshold of the pace',
      metric({ operator: 'is_behind_target', threshold: 5 }),
      ['/condition/threshold NOT_ALLOWED'],
    ],
    ['a small deviation', metric({ operator: 'unusual', threshold: 1 }), ['/condition/threshold OUT_OF_RANGE']],
    ['a negative change', metric({ operator: 'changes_by', threshold: -1 }), ['/condition/threshold OUT_OF_RANGE']],
    ['a comparison of gt', metric({ compare: { to: 'previous_run' } }), ['/condition/compare NOT_ALLOWED']],
    [
      'periods of a column',
      field({ operator: 'changes_by', compare: { to: 'previous_period' } }),
      ['/condition/compare/to NOT_A_METRIC'],
    ],
    ['changes of any row', field({ operator: 'changes_by', reduce: 'any_row' }), ['/condition/reduce NOT_ALLOWED']],
    [
      'a recovery that fires',
      field({ threshold: 10, recover: { operator: 'lt', threshold: 20 } }),
      ['/condition/recover/threshold OVERLAPS'],
    ],
    ['a recovery at the threshold', field({ threshold: 10, recover: { operator: 'lte', threshold: 10 } }), []],
    [
      'a recovery of unusual values',
      field({ operator: 'unusual', threshold: 4, recover: { operator: 'lt', threshold: 1 } }),
      ['/condition/recover NOT_ALLOWED'],
    ],
    [
      'a card without its dashboard',
      field({ source: { kind: 'card', id } }),
      ['/condition/source/dashboardId REQUIRED'],
    ],
    [
      'a dataset without a query whose last row is wanted',
      field({ source: { kind: 'dataset', id } }),
      ['/condition/source/query REQUIRED'],
    ],
    [
      'members of other sources',
      field({ source: { kind: 'savedQuery', id, dashboardId: id, filters: [], query: {} } }),
      [
        '/condition/source/dashboardId NOT_ALLOWED',
        '/condition/source/filters NOT_ALLOWED',
        '/condition/source/query NOT_ALLOWED',
      ],
    ],
    [
      'parameters of a model',
      field({ source: { kind: 'model', id, params: {} }, reduce: 'sum' }),
      ['/condition/source/params NOT_ALLOWED'],
    ],
  ] as const)('%s', (_title, condition, expected) => {
    expect(conditionIssues(condition).map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(expected);
  });
});
