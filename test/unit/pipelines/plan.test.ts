import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { type Plan, planRun, successorOf } from '../../../shared/domains/pipelines/definition/plan.ts';

const step = (id: string, dependsOn: string[] = [], more: Partial<Step> = {}): Step => ({
  id,
  type: 'transform_sql',
  config: { sql: 'SELECT 1' },
  dependsOn,
  ...more,
});

const named = (plan: Plan, index: number) => {
  const node = plan.nodes[index]!;
  const item = node.itemIndex === null ? '' : `[${node.itemIndex}]`;
  return node.kind === 'step' ? `${node.stepId}${item}` : node.kind === 'barrier' ? `all ${node.stepId}` : 'end';
};
/** Each node with those it waits for. */
const waits = (plan: Plan) =>
  Object.fromEntries(
    plan.nodes.map((node) => [named(plan, node.index), node.initial.pending.map((index) => named(plan, index))]),
  );
const skipped = (plan: Plan) =>
  Object.fromEntries(
    plan.nodes.flatMap((node) => (node.initial.skipReason ? [[named(plan, node.index), node.initial.skipReason]] : [])),
  );

describe('planRun', () => {
  it('keeps edges inside of an item and lets outsiders wait for all items', () => {
    const dag: Dag = {
      version: 1,
      steps: [step('list'), step('get', ['list']), step('clean', ['get']), step('join', ['clean', 'list'])],
      forEach: [{ id: 'shop', items: ['a', 'b'], steps: ['get', 'clean'] }],
    };
    expect(waits(planRun(dag, {}))).toEqual({
      list: [],
      'get[0]': ['list'],
      'get[1]': ['list'],
      'clean[0]': ['get[0]'],
      'clean[1]': ['get[1]'],
      'all clean': ['clean[0]', 'clean[1]'],
      join: ['all clean', 'list'],
      end: ['join'],
    });
  });

  it('lets the end wait for what only skipped steps wait for', () => {
    const never = { when: { param: 'never', op: 'truthy' } } as const;
    const dag: Dag = {
      version: 1,
      steps: [step('a'), step('b', ['a'], never), step('c', ['b']), step('each'), step('last', ['each'], never)],
      forEach: [{ id: 'shop', items: ['x', 'y'], steps: ['each', 'last'] }],
    };
    const plan = planRun(dag, {});
    const end = plan.nodes[plan.end]!;
    expect(end.after.map((at) => [plan.nodes[at]!.kind, plan.nodes[at]!.stepId])).toEqual(
      expect.arrayContaining([
        ['step', 'a'],
        // As a whole: a set of thousands of items would be written as often as it has members.
        ['barrier', 'each'],
      ]),
    );
    expect(end.initial.pending).toHaveLength(2);
  });

  it('numbers the nodes of a definition as it always has: by these numbers runs under way and failed ones are stored', () => {
    const dag: Dag = {
      version: 1,
      parameters: [{ name: 'audit', type: 'boolean' }],
      forEach: [{ id: 'each', items: ['a', 'b'], steps: ['second', 'third'] }],
      steps: [
        step('last', ['third', 'first']),
        step('second', ['first']),
        step('third', ['second']),
        step('first'),
        step('aside', ['third'], { when: { param: 'audit', op: 'truthy' } }),
      ],
    };
    expect(
      planRun(dag, {}).nodes.map(({ index, kind, stepId, itemIndex, after }) => [
        index,
        kind,
        stepId,
        itemIndex,
        after,
      ]),
    ).toEqual([
      [0, 'step', 'first', null, []],
      [1, 'step', 'second', 0, [0]],
      [2, 'step', 'second', 1, [0]],
      [3, 'step', 'third', 0, [1]],
      [4, 'step', 'third', 1, [2]],
      [5, 'barrier', 'third', null, [3, 4]],
      [6, 'step', 'aside', null, [5]],
      [7, 'step', 'last', null, [5, 0]],
      [8, 'end', '', null, [6, 7]],
    ]);
  });

  it('runs ten items of a block at a time', () => {
    const items = Array.from({ length: 12 }, (_, index) => index);
    const plan = planRun({ version: 1, steps: [step('a')], forEach: [{ id: 'x', items, steps: ['a'] }] }, {});
    expect(plan.nodes.filter((node) => node.kind === 'step' && node.initial.status === 'ready')).toHaveLength(10);
    expect(waits(plan)['a[11]']).toEqual(['a[1]']);
  });

  it('since version 2, lets an item of a block with one step wait only for the item ten places earlier', () => {
    const items = Array.from({ length: 12 }, (_, index) => index);
    const one: Dag = {
      version: 1,
      steps: [step('first'), step('a', ['first'])],
      forEach: [{ id: 'x', items, steps: ['a'] }],
    };
    const several = { ...one, steps: [...one.steps, step('b', ['a'])] };
    several.forEach = [{ id: 'x', items, steps: ['a', 'b'] }];
    expect(waits(planRun(one, {}))).toMatchObject({ 'a[1]': ['first'], 'a[11]': ['a[1]'] });
    expect(waits(planRun(one, {}, 1))).toMatchObject({ 'a[1]': ['first'], 'a[11]': ['first', 'a[1]'] });
    expect(waits(planRun(several, {}))['a[11]']).toEqual(['first', 'b[1]']);
  });

  it('knows the step that can begin once another one has succeeded', () => {
    const items = Array.from({ length: 12 }, (_, index) => index);
    const successors = (steps: Step[], block: string[]) => {
      const plan = planRun({ version: 1, steps, forEach: [{ id: 'x', items, steps: block }] }, {});
      const known = plan.nodes.flatMap((node) => {
        const next = successorOf(plan, node);
        return next ? [[named(plan, node.index), named(plan, next.node.index), next.isAwaitedByOthers] as const] : [];
      });
      return known.filter(([name]) => !/\[[2-9]\]/.test(name));
    };
    expect(successors([step('first'), step('a', ['first']), step('last', ['a'])], ['a'])).toEqual([
      ['a[0]', 'a[10]', true],
      ['a[1]', 'a[11]', true],
      ['all a', 'last', true],
    ]);
    const two = [step('a'), step('b', ['a'])];
    const inside = [0, 1, 10, 11].map((item) => [`a[${item}]`, `b[${item}]`, true]);
    const onward = [0, 1].map((item) => [`b[${item}]`, `a[${item + 10}]`, true]);
    expect(successors(two, ['a', 'b'])).toEqual([...inside, ...onward]);
    const read = [...inside.map(([from, to]) => [from, to, false]), ...onward];
    expect(successors([...two, step('reader', ['a', 'b'])], ['a', 'b'])).toEqual(read);
    // Two first steps of an item, two last ones, and a step that waits for another one, too.
    expect(successors([step('a'), step('b'), step('c', ['a', 'b'])], ['a', 'b', 'c'])).toEqual([]);
    expect(successors([step('a'), step('b', ['a']), step('c', ['a'])], ['a', 'b', 'c'])).toEqual([]);
  });

  it('does not know the next item if the end of this one says nothing about what both wait for', () => {
    const items = Array.from({ length: 12 }, (_, index) => index);
    const when = { param: 'extra', op: 'truthy' } as const;
    const dag: Dag = {
      version: 1,
      parameters: [{ name: 'extra', type: 'boolean' }],
      steps: [step('w'), step('z'), step('a', ['w']), step('x', ['a'], { when }), step('b', ['x', 'z'])],
      forEach: [{ id: 'each', items, steps: ['a', 'x', 'b'] }],
    };
    const next = (extra: boolean) => {
      const plan = planRun(dag, { extra });
      const last = plan.nodes.find(({ stepId, itemIndex }) => stepId === 'b' && itemIndex === 0)!;
      const successor = successorOf(plan, last);
      return successor && named(plan, successor.node.index);
    };
    // Without `x`, `b` waits only for `z`, and `w` may still run.
    expect([next(true), next(false)]).toEqual(['a[10]', undefined]);
  });

  it('holds no item back in two blocks that wait for each other', () => {
    const items = Array.from({ length: 12 }, (_, index) => index);
    const dag: Dag = {
      version: 1,
      steps: [step('p1'), step('q1'), step('p2', ['p1', 'q1']), step('q2', ['q1', 'p1'])],
      forEach: [
        { id: 'p', items, steps: ['p1', 'p2'] },
        { id: 'q', items, steps: ['q1', 'q2'] },
      ],
    };
    expect(planRun(dag, {}).nodes.flatMap(({ behind }) => behind)).toEqual([]);
  });

  it('holds no item back where a path leaves the block and comes back', () => {
    const items = Array.from({ length: 12 }, (_, index) => index);
    const dag: Dag = {
      version: 1,
      steps: [step('a'), step('out', ['a']), step('b', ['a', 'out'])],
      forEach: [{ id: 'x', items, steps: ['a', 'b'] }],
    };
    const plan = planRun(dag, {});
    expect(plan.nodes.filter((node) => node.stepId === 'a' && node.initial.status === 'ready')).toHaveLength(12);
  });

  it('skips what is not taken, and a dependent only when all it waits for is skipped', () => {
    const dag: Dag = {
      version: 1,
      parameters: [{ name: 'full', type: 'boolean' }],
      steps: [
        step('a', [], { when: { param: 'full', op: 'truthy' } }),
        step('b'),
        step('only-a', ['a']),
        step('both', ['a', 'b']),
      ],
    };
    const plan = planRun(dag, { full: false });
    expect(skipped(plan)).toEqual({ a: 'when_false', 'only-a': 'upstream_skipped' });
    expect(waits(plan)).toMatchObject({ both: ['b'], end: ['both'] });
  });

  it('shows the steps of an empty block as skipped', () => {
    const dag: Dag = {
      version: 1,
      parameters: [{ name: 'ids', type: 'list' }],
      steps: [step('a'), step('b', ['a'])],
      forEach: [{ id: 'x', items: '{{ params.ids }}', steps: ['a'] }],
    };
    expect(skipped(planRun(dag, { ids: [] }))).toEqual({
      a: 'empty_items',
      'all a': 'upstream_skipped',
      b: 'upstream_skipped',
    });
  });

  it('waits nowhere for more than a hundred others in the largest definition', () => {
    const items = Array.from({ length: 100 }, (_, index) => index);
    const steps = Array.from({ length: 100 }, (_, index) => step(`s${index}`));
    const forEach = Array.from({ length: 10 }, (_, block) => ({
      id: `block${block}`,
      items,
      steps: steps.slice(block * 10, block * 10 + 10).map(({ id }) => id),
    }));
    const plan = planRun({ version: 1, steps, forEach }, {});
    expect(plan.nodes.filter(({ kind }) => kind === 'step')).toHaveLength(10_000);
    expect(Math.max(...plan.nodes.map(({ initial }) => initial.pending.length))).toBe(100);
  });

  it('can always be worked off: every node becomes free by those before it', () => {
    const masks = fc.integer({ min: 0, max: 1023 });
    const edges = fc.array(fc.array(fc.boolean(), { maxLength: 9 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(edges, fc.integer({ min: 0, max: 25 }), masks, masks, (shape, count, block, other) => {
        const steps = shape.map((row, index) =>
          step(
            `s${index}`,
            row.flatMap((edge, other) => (edge && other < index ? [`s${other}`] : [])),
          ),
        );
        const of = (mask: number) => steps.filter((_step, index) => (mask >> index) & 1).map(({ id }) => id);
        const items = Array.from({ length: Math.max(1, count) }, (_, index) => index);
        const blocks = [of(block), of(other & ~block)].filter((ids) => ids.length > 0);
        const forEach = blocks.map((ids, index) => ({ id: `block${index}`, items, steps: ids }));
        const plan = planRun({ version: 1, steps, forEach }, {});
        const done = new Set<number>();
        let free = plan.nodes.filter((node) => node.initial.status === 'ready').map((node) => node.index);
        while (free.length > 0) {
          for (const index of free) done.add(index);
          free = plan.nodes
            .filter((node) => !done.has(node.index) && node.initial.pending.every((index) => done.has(index)))
            .map((node) => node.index);
        }
        expect(done.size).toBe(plan.nodes.length);
      }),
    );
  });
});
