import { describe, expect, it } from 'vitest';
import { findDagIssues } from '../../../shared/domains/pipelines/definition/dag-issues.ts';
import { chainOf, criticalPath, lightDag, randomDag } from '../../bench/dags.ts';

const SOURCE = '01890000-0000-7000-8000-000000000000';

describe('the definitions of the benchmark', () => {
  it.each([
    ['a chain', chainOf(40)],
    ['a random graph', randomDag(100, 7)],
  ])('are valid: %s', (_what, parents) => {
    expect(findDagIssues(lightDag(SOURCE, parents))).toEqual([]);
  });

  it('have one shape for one seed', () => {
    expect(randomDag(100, 7)).toEqual(randomDag(100, 7));
    expect(randomDag(100, 7)).not.toEqual(randomDag(100, 8));
  });

  it('wait for earlier steps only', () => {
    for (const [index, parents] of randomDag(100, 7).entries()) {
      expect(parents.every((parent) => parent < index)).toBe(true);
      expect(new Set(parents).size).toBe(parents.length);
    }
  });
});

describe('criticalPath', () => {
  it('is the sum of a chain', () => {
    expect(criticalPath(chainOf(3), [10, 20, 30])).toBe(60);
  });

  it('is the longest way through a diamond', () => {
    expect(criticalPath([[], [0], [0], [1, 2]], [1, 5, 2, 1])).toBe(7);
  });
});
