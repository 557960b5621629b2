import { describe, expect, it } from 'vitest';
import { conditionsOnRow } from '../../../../shared/domains/boards/cards/selection.ts';

const FIELD = '019b2ce9-5d83-7b59-9c2f-8a7f6e5d4c1a';

describe('a selected range of numbers', () => {
  it.each([
    [0.1, 0.2, 0.3],
    ['-0.3', 0.1, -0.2],
    [20, 10, 30],
    [1e-7, 1e-7, 2e-7],
    [7, 0.25, 7.25],
  ])('from %j with a width of %j ends before %j, where the next one begins', (value, width, end) => {
    const dimensions = [{ fieldId: FIELD, label: 'Rate', bin: { width } }];
    expect(conditionsOnRow(dimensions, { Rate: value }, '/selection')).toEqual([
      { fieldId: FIELD, op: 'gte', values: [value], pointer: '/selection/Rate' },
      { fieldId: FIELD, op: 'lt', values: [end], pointer: '/selection/Rate' },
    ]);
  });
});
