import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merge } from '../../src/definitions/merge.ts';

const BASE = {
  name: 'Orders',
  folder: 'finance',
  steps: [
    { id: 'a', sql: 'SELECT 1' },
    { id: 'b', sql: 'SELECT 2', retry: { times: 3 } },
  ],
  events: ['x', 'y'],
};
const steps = BASE.steps;

describe('a three-way merge', () => {
  it('has the changes of both sides where they are of different members', () => {
    const { folder: _, ...ours } = {
      ...BASE,
      name: 'All orders',
      steps: [steps[0], { ...steps[1], sql: 'SELECT 3' }, { id: 'c' }],
    };
    const theirs = { ...BASE, steps: [{ id: 'z' }, steps[0], { ...steps[1], retry: { times: 5 } }], events: ['x'] };
    expect(merge(BASE, ours, theirs)).toEqual({
      conflicts: [],
      value: {
        name: 'All orders',
        steps: [{ id: 'z' }, steps[0], { id: 'b', sql: 'SELECT 3', retry: { times: 5 } }, { id: 'c' }],
        events: ['x'],
      },
    });
  });

  it.for([
    ['name', { name: 'A' }, { name: 'B' }],
    ['events', { events: ['x'] }, { events: ['y'] }],
    ['steps.b.sql', { steps: [steps[0], { ...steps[1], sql: '3' }] }, { steps: [steps[0], { ...steps[1], sql: '4' }] }],
    // Deleted on one side, changed on the other.
    ['steps.b', { steps: [steps[0]] }, { steps: [steps[0], { ...steps[1], sql: '4' }] }],
    ['added', { added: 1 }, { added: 2 }],
  ] as [string, object, object][])('names a member that both have changed: %s', ([path, ours, theirs]) => {
    expect(merge(BASE, { ...BASE, ...ours }, { ...BASE, ...theirs }).conflicts).toEqual([path]);
  });

  it('of both sides in the other order is the same but for the order, and one side without changes gives the other', () => {
    const part = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constant('x')),
    );
    const file = fc.dictionary(fc.constantFrom('p', 'q', 'r', 's'), fc.oneof(part, fc.integer({ min: 0, max: 2 })));
    fc.assert(
      fc.property(file, file, file, (base, ours, theirs) => {
        expect(merge(base, ours, base)).toEqual({ value: ours, conflicts: [] });
        expect(merge(base, base, theirs)).toEqual({ value: theirs, conflicts: [] });
        const [one, other] = [merge(base, ours, theirs), merge(base, theirs, ours)];
        expect(one.conflicts.toSorted()).toEqual(other.conflicts.toSorted());
        if (one.conflicts.length === 0) expect(one.value).toEqual(other.value);
      }),
    );
  });
});
