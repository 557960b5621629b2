import { describe, expect, it } from 'vitest';
import {
  type Draft,
  EMPTY,
  isComplete,
  type Known,
  newFilter,
  questionOf,
  readDraft,
  titleOf,
  withOperator,
  writeDraft,
} from '../../../../functions/platform/console/site/screens/explore/question.ts';

const field = (id: string, name: string, dataType: string, table = 'orders') => ({
  id,
  name,
  table,
  dataType,
  aggregation: 'sum',
  isMeasure: false,
  description: '',
});
const known: Known = {
  fields: new Map(
    [
      field('r', 'region', 'string'),
      field('p', 'placed', 'date'),
      field('a', 'amount', 'decimal'),
      field('n', 'name', 'string', 'customers'),
      field('n2', 'name', 'string'),
      field('x', 'net [EUR]', 'decimal'),
    ].map((each) => [each.id, each]),
  ),
  measures: new Map([['m', { id: 'm', name: 'Revenue', folder: '', description: '' }]]),
};
const draft = (given: Partial<Draft>): Draft => ({ ...EMPTY, ...given });

describe('a question of the console', () => {
  it('names its columns, each once', () => {
    const asked = questionOf(
      draft({
        dimensions: [{ fieldId: 'p', grain: 'month' }, { fieldId: 'n' }, { fieldId: 'n2' }],
        measures: [{ measureId: 'm' }, { fieldId: 'a', aggregation: 'count_distinct' }],
      }),
      known,
    );
    expect(asked.dimensions.map(({ label }) => label)).toEqual(['placed (month)', 'name', 'orders.name']);
    expect(asked.measures.map(({ label }) => label)).toEqual(['Revenue', 'count distinct of amount']);
    expect(titleOf(asked)).toBe('Revenue, count distinct of amount by placed (month), name, orders.name');
  });

  it('is sorted by time, or else by the largest, unless the person says', () => {
    const byTime = draft({ dimensions: [{ fieldId: 'p', grain: 'week' }], measures: [{ measureId: 'm' }] });
    expect(questionOf(byTime, known).sort).toEqual([{ column: 'placed (week)', direction: 'asc' }]);
    const byRegion = draft({ dimensions: [{ fieldId: 'r' }], measures: [{ measureId: 'm' }] });
    expect(questionOf(byRegion, known).sort).toEqual([{ column: 'Revenue', direction: 'desc' }]);
    const sorted = { ...byRegion, sort: { column: 'region', direction: 'asc' as const } };
    expect(questionOf(sorted, known).sort).toEqual([{ column: 'region', direction: 'asc' }]);
    expect(questionOf({ ...sorted, dimensions: [] }, known).sort).toEqual([]);
  });

  it('compares with an earlier period', () => {
    const asked = draft({
      dimensions: [{ fieldId: 'p', grain: 'month' }],
      measures: [{ measureId: 'm' }, { fieldId: 'x', aggregation: 'avg' }],
      compare: 'year',
    });
    expect(questionOf(asked, known).measures).toEqual([
      { measureId: 'm', label: 'Revenue' },
      { expression: 'PRIOR({Revenue}, "year")', label: 'Revenue, a year earlier' },
      { fieldId: 'x', aggregation: 'avg', label: 'avg of net [EUR]' },
      { expression: 'PRIOR(AVG([orders."net [EUR]"]), "year")', label: 'avg of net [EUR], a year earlier' },
    ]);
    expect(questionOf({ ...asked, compare: 'previous' }, known).measures[1]!.expression).toBe(
      'PRIOR({Revenue}, "month")',
    );
    // Without a time, there is nothing earlier.
    expect(questionOf({ ...asked, dimensions: [] }, known).measures).toHaveLength(2);
  });

  it('is read from its address, without what is no longer there', () => {
    const asked = draft({
      dimensions: [{ fieldId: 'r' }],
      measures: [{ measureId: 'm' }],
      filters: [{ fieldId: 'r', op: 'in', values: ['North'] }],
      limit: 10,
    });
    expect(readDraft(writeDraft(asked), known)).toEqual(asked);
    expect(writeDraft(EMPTY)).toBe('');
    const old = { dimensions: [{ fieldId: 'gone' }, null], measures: [{ measureId: 'gone' }, { measureId: 'm' }] };
    expect(readDraft(JSON.stringify({ ...old, filters: 'no', limit: 1e9 }), known)).toEqual(
      draft({ measures: [{ measureId: 'm' }], limit: 50_000 }),
    );
    for (const text of ['{', 'null', '[]', '"x"', undefined]) expect(readDraft(text, known)).toEqual(EMPTY);
  });

  it('has the filters that are complete', () => {
    const empty = newFilter(known.fields.get('r')!);
    expect([empty.op, isComplete(empty)]).toEqual(['in', false]);
    const time = newFilter(known.fields.get('p')!);
    expect([time.values, isComplete(time)]).toEqual([[30, 'day'], true]);
    expect(withOperator(time, 'time', 'this').values).toEqual(['month']);
    expect(isComplete({ fieldId: 'a', op: 'between', values: [1, ''] })).toBe(false);
    expect(isComplete({ fieldId: 'a', op: 'is_null', values: [] })).toBe(true);
    expect(questionOf(draft({ measures: [{ measureId: 'm' }], filters: [empty, time] }), known).filters).toEqual([
      time,
    ]);
  });
});
