import { describe, expect, it } from 'vitest';
import { advance, groupOf, newClassState } from '../../../../shared/domains/alerts/conditions/index.ts';

const policy = { for: 1, recoverFor: 1, noData: 'keep', repeatMs: null, isSnoozed: false } as const;

describe('Groups with the names of members of objects', () => {
  it.each(['__proto__', 'constructor', 'toString'])('have a state of their own: %s', (group) => {
    const findings = [{ group, finding: { kind: 'breach' } as const, value: 1 }];
    expect(groupOf(newClassState(), group)).toBeUndefined();
    const first = advance(newClassState(), { at: '2026-03-01T00:00:00.000Z', findings }, policy)!;
    expect(first.edges).toEqual([{ group, edge: 'fire' }]);
    const second = advance(first.next, { at: '2026-03-01T01:00:00.000Z', findings }, policy)!;
    expect(second.edges).toEqual([]);
    expect(groupOf(second.next, group)).toMatchObject({ state: 'triggered', value: 1, earlier: [1, 1] });
  });
});
