import { describe, expect, it } from 'vitest';
import { latestQuery } from '../../../../shared/domains/boards/cards/latest-query.ts';
import type { ChartSpec } from '../../../../shared/domains/boards/charts/index.ts';

const source = { kind: 'dataset' as const, id: 'days' };
const dimensions = [{ column: 'day' }];

const isFromEnd = (query: object, look: object = { mark: { type: 'kpi' } }) =>
  latestQuery({ version: 1, ...look, query: { source, dimensions, ...query } } as ChartSpec).isFromEnd ?? false;

describe('the query of a number', () => {
  it('keeps the last rows of its order', () => {
    expect(isFromEnd({})).toBe(true);
    expect(isFromEnd({ limit: 30 })).toBe(true);
    expect(isFromEnd({}, { mark: { type: 'gauge' } })).toBe(true);
    expect(isFromEnd({ sort: [{ column: 'day' }] })).toBe(true);
    expect(isFromEnd({ source: { kind: 'savedQuery', id: 'q' }, dimensions: [], sort: [{ column: 'day' }] })).toBe(
      true,
    );
  });

  it('keeps the first ones that its author has chosen', () => {
    expect(isFromEnd({ sort: [{ column: 'day' }], limit: 30 })).toBe(false);
    expect(isFromEnd({ sort: [{ column: 'day', direction: 'desc' }] })).toBe(false);
    expect(isFromEnd({ source: { kind: 'savedQuery', id: 'q' }, dimensions: [] })).toBe(false);
  });

  it('is left to metrics, and to other marks', () => {
    expect(isFromEnd({ source: { kind: 'metric', id: 'm' } })).toBe(false);
    expect(isFromEnd({}, { mark: { type: 'line' } })).toBe(false);
    expect(isFromEnd({}, { mark: { type: 'kpi' }, layer: [{ mark: { type: 'line' } }] })).toBe(false);
  });
});
