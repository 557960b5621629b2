import { describe, expect, it } from 'vitest';
import { daysBetween } from '../../../../functions/platform/console/site/screens/pipelines/days.ts';
import {
  canFollow,
  type DraftDag,
  type DraftStep,
  freeId,
  isDag,
  withEdge,
  withId,
  withoutStep,
  withStep,
} from '../../../../functions/platform/console/site/screens/pipelines/editor/draft.ts';
import { bySteps } from '../../../../functions/platform/console/site/screens/pipelines/editor/issues.ts';
import {
  KINDS,
  kindOf,
  kindsAt,
  nameFromObject,
  newStep,
  schemaOf,
} from '../../../../functions/platform/console/site/screens/pipelines/editor/kinds.ts';
import { differencesIn, merged } from '../../../../functions/platform/console/site/screens/pipelines/editor/merge.ts';

const step = (id: string, dependsOn: string[] = [], more: object = {}): DraftStep => ({
  id,
  type: 'transform_sql',
  config: {},
  dependsOn,
  ...more,
});
const dagOf = (...steps: DraftStep[]): DraftDag => ({ version: 1, steps });
const ids = ({ steps }: DraftDag) => steps.map(({ id, dependsOn = [] }) => `${id}<${dependsOn}`);

const ROUTE = step('split', ['orders'], { type: 'route', config: { routes: [{ port: 'big' }] } });

describe('the draft of a pipeline', () => {
  it('gets steps that are wired at once: after one, between two, at the first port of a route', () => {
    const dag = dagOf(step('orders'), ROUTE, step('b', ['split'], { fromPorts: { split: 'default' } }));
    expect(ids(withStep(dag, step('new'), { after: 'orders' }))).toContain('new<orders');
    const between = withStep(dag, step('new'), { after: 'split', before: 'b' });
    expect(ids(between)).toEqual(['orders<', 'split<orders', 'new<split', 'b<new']);
    // The step takes the port that was read, and the one after it reads the step.
    expect(between.steps.map(({ fromPorts }) => fromPorts)).toEqual([
      undefined,
      undefined,
      { split: 'default' },
      undefined,
    ]);
    expect(withStep(dag, step('c'), { after: 'split' }).steps.at(-1)!.fromPorts).toEqual({ split: 'big' });
  });

  it('keeps what was before and after a removed step together', () => {
    const dag: DraftDag = {
      ...dagOf(step('a'), step('b', ['a']), step('c', ['b'], { config: { input: 'b', inputs: { x: 'b' } } })),
      forEach: [{ id: 'each', items: [1], steps: ['b'] }],
    };
    const removed = withoutStep(dag, 'b');
    expect(ids(removed)).toEqual(['a<', 'c<a']);
    expect(removed.steps[1]!.config).toEqual({ input: 'a', inputs: { x: 'a' } });
    expect(removed.forEach).toBeUndefined();
    expect(withoutStep(dag, 'a').steps[0]).toEqual(step('b'));
  });

  it('knows a renamed step wherever it is named', () => {
    const dag: DraftDag = {
      ...dagOf(
        step('orders'),
        ROUTE,
        step('b', ['split'], { fromPorts: { split: 'big' }, config: { input: 'split' } }),
      ),
      forEach: [{ id: 'each', items: [1], steps: ['orders', 'split'] }],
    };
    const renamed = withId(dag, 'split', 'parts');
    expect(ids(renamed)).toEqual(['orders<', 'parts<orders', 'b<parts']);
    expect(renamed.steps[2]).toMatchObject({ fromPorts: { parts: 'big' }, config: { input: 'parts' } });
    expect(renamed.forEach![0]!.steps).toEqual(['orders', 'parts']);
  });

  it('connects steps, and never in a circle', () => {
    const dag = dagOf(step('a'), step('b', ['a']), step('c', ['b']));
    expect(canFollow(dag, 'a', 'c')).toBe(true);
    expect(canFollow(dag, 'c', 'a')).toBe(false);
    expect(canFollow(dag, 'a', 'a')).toBe(false);
    expect(ids(withEdge(dag, 'a', 'c', true))).toContain('c<b,a');
    expect(ids(withEdge(dag, 'b', 'c', false))).toContain('c<');
  });

  it('has ids that the API takes', () => {
    expect(freeId(dagOf(step('a')), 'a')).toBe('a_2');
    expect(freeId(dagOf(), '  Größe der Bestellungen / 2026.csv ')).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);
    expect(freeId(dagOf(), '…')).toBe('step');
    expect(freeId(dagOf(step('x'.repeat(64))), 'x'.repeat(80))).toHaveLength(62);
  });

  it('is read from a text only if it can be drawn', () => {
    expect(isDag(dagOf(step('a')))).toBe(true);
    for (const wrong of [null, [], {}, { steps: {} }, { steps: [null] }, { steps: [step('a'), step('a')] }])
      expect(isDag(wrong)).toBe(false);
    expect(isDag({ steps: [{ ...step('a'), config: [] }] })).toBe(false);
    expect(isDag({ steps: [{ ...step('a'), dependsOn: [1] }] })).toBe(false);
  });
});

describe('kinds of steps', () => {
  it('have a schema, and are recognized by the settings that they begin with', () => {
    for (const kind of KINDS) {
      const added = newStep(dagOf(step('orders')), kind, { after: 'orders' });
      expect(kindOf(added)).toBe(kind);
      expect(schemaOf(added)).toBeDefined();
    }
  });

  it('are offered where they fit', () => {
    const dag = dagOf(step('orders'), step('keep', ['orders'], { type: 'load' }));
    const groups = (place: object) => [...new Set(kindsAt(dag, place).map(({ group }) => group))];
    expect(groups({})).toEqual(['Read', 'Change', 'Load']);
    expect(groups({ after: 'orders' })).toEqual(['Change', 'Load']);
    expect(groups({ after: 'keep' })).toEqual(['Read']);
    expect(groups({ after: 'orders', before: 'keep' })).toEqual(['Change']);
  });

  it('are named after what they read', () => {
    const dag = dagOf(step('clean_orders'));
    const byId = (id: string) => KINDS.find((kind) => kind.id === id)!;
    expect(newStep(dag, byId('to-dataset'), { after: 'clean_orders' })).toMatchObject({
      id: 'keep_orders',
      config: { target: { name: 'orders' } },
    });
    expect(newStep(dag, byId('sql'), { after: 'clean_orders' })).toMatchObject({
      id: 'clean_orders_2',
      config: { sql: 'SELECT * FROM clean_orders' },
    });
    const read = { id: 'table', type: 'extract', config: { object: { table: 'sales orders' } } };
    expect(nameFromObject(dagOf(read), read)).toBe('sales_orders');
    expect(nameFromObject(dagOf(read), { ...read, id: 'mine' })).toBeUndefined();
  });
});

describe('changes of two people', () => {
  const content = (name: string, ...steps: DraftStep[]) => ({ name, dag: dagOf(...steps) });
  const base = content('p', step('a'), step('b', ['a']));

  it('are put together as far as they do not meet', () => {
    const mine = content('p', step('a'), step('b', ['a'], { config: { sql: 'mine' } }), step('c'));
    const theirs = content('q', step('a', [], { config: { sql: 'theirs' } }), step('b', ['a']));
    const both = merged(base, mine, theirs);
    expect(both.conflicts).toEqual([]);
    expect(both.mine).toEqual(both.theirs);
    expect(both.mine).toMatchObject({ name: 'q' });
    expect(both.mine.dag.steps.map(({ id, config }) => [id, config.sql])).toEqual([
      ['a', 'theirs'],
      ['b', 'mine'],
      ['c', undefined],
    ]);
  });

  it('are decided where they do, and only there', () => {
    const mine = content('mine', step('a'), step('b', ['a'], { config: { sql: 'mine' } }));
    const theirs = content('p', step('a', [], { config: { sql: 'theirs' } }));
    const both = merged(base, mine, theirs);
    expect(both.conflicts).toEqual(['Step b']);
    expect(both.mine.dag.steps.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(both.theirs.dag.steps.map(({ id }) => id)).toEqual(['a']);
    // Their choice does not lose the name that only one has changed.
    expect(both.theirs.name).toBe('mine');
    expect(differencesIn('Step b', theirs, mine)).toMatchObject([{ theirs: 'nothing' }]);
    const other = content('p', step('a'), step('b', [], { config: { sql: 'theirs' } }));
    expect(differencesIn('Step b', other, mine)).toEqual([
      { label: 'Step b: dependsOn', theirs: '[]', mine: '["a"]' },
      { label: 'Step b: sql', theirs: 'theirs', mine: 'mine' },
    ]);
  });
});

describe('issues', () => {
  it('belong to their steps, wherever these move', () => {
    const found = bySteps(
      [
        { pointer: '/dag/steps/1/config/sql', message: 'x' },
        { pointer: '/dag/parameters/0', message: 'y' },
        { pointer: '/dag/steps/7', message: 'z' },
      ],
      dagOf(step('a'), step('b')),
    );
    expect(found.get('b')).toEqual([{ pointer: '/config/sql', message: 'x' }]);
    expect(found.get('')).toEqual([
      { pointer: '/parameters/0', message: 'y' },
      { pointer: '/steps/7', message: 'z' },
    ]);
  });
});

describe('the days of a backfill', () => {
  it('are counted with both ends, also over a change of clocks', () => {
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(3);
    expect(daysBetween('2026-01-01', '2026-01-01')).toBe(1);
    expect(daysBetween('2026-01-02', '2026-01-01')).toBeUndefined();
    expect(daysBetween('', '2026-01-01')).toBeUndefined();
  });
});
