import { describe, expect, it } from 'vitest';
import { type Hop, joinGraph } from '../../../../shared/data/semantics/join-graph.ts';
import type { JoinType, Relationship } from '../../../../shared/data/semantics/model.ts';

function graphOf(...relationships: Relationship[]) {
  return joinGraph({ tables: [], fields: [], relationships });
}

/** `one>many`, `one=one` or `many<>many`. */
function related(text: string, { joinType = 'left' as JoinType, isActive = true, id = text } = {}): Relationship {
  const [, from, sign, to] = /^(\w+)(>|=|<>)(\w+)$/.exec(text)!;
  const cardinality = ({ '>': '1:N', '=': '1:1', '<>': 'N:M' } as const)[sign as '>'];
  const end = (tableId: string) => ({ tableId, fieldId: `${tableId}.key` });
  return { id, from: end(from!), to: end(to!), cardinality, joinType, isActive };
}

const route = (hops: readonly Hop[]) => hops.map(({ to, toMany }) => `${toMany ? '*' : ''}${to.tableId}`).join(' ');

const hopsOf = (result: ReturnType<ReturnType<typeof graphOf>['path']>) => {
  if ('problem' in result) throw new Error(`no path: ${result.problem.kind}`);
  return result.hops;
};

describe('the path between two tables', () => {
  const star = graphOf(
    related('customers>orders'),
    related('regions>customers'),
    related('orders>items'),
    related('products>items'),
  );

  it('is empty to the table itself, and leads over several tables', () => {
    expect(route(hopsOf(star.path('orders', 'orders')))).toBe('');
    expect(route(hopsOf(star.path('items', 'regions')))).toBe('orders customers regions');
    expect(route(hopsOf(star.path('regions', 'products')))).toBe('*customers *orders *items products');
  });

  it('avoids many rows even where that is longer', () => {
    const graph = graphOf(related('a>b'), related('c>a'), related('d>c'), related('b>d'));
    expect(route(hopsOf(graph.path('a', 'b')))).toBe('c d b');
  });

  it('keeps the rows that it comes from unless the join is inner, and adds others only where the author says so', () => {
    for (const [joinType, forwards, backwards] of [
      ['inner', 'inner', 'inner'],
      ['left', 'left', 'left'],
      ['right', 'full', 'left'],
      ['full', 'full', 'full'],
    ] as const) {
      const graph = graphOf(related('customers>orders', { joinType }));
      expect(hopsOf(graph.path('customers', 'orders'))).toMatchObject([{ joinType: forwards, toMany: true }]);
      expect(hopsOf(graph.path('orders', 'customers'))).toMatchObject([{ joinType: backwards, toMany: false }]);
    }
  });

  it('leads to many rows in both directions of N:M, and in none of 1:1', () => {
    const graph = graphOf(related('students<>courses'), related('courses=rooms'));
    expect(route(hopsOf(graph.path('students', 'rooms')))).toBe('*courses rooms');
    expect(route(hopsOf(graph.path('rooms', 'students')))).toBe('courses *students');
  });

  it('is ambiguous where two are equally good, and where two relationships join the same tables', () => {
    const diamond = graphOf(
      related('customers>orders'),
      related('stores>orders'),
      related('regions>customers'),
      related('regions>stores'),
    );
    expect(diamond.path('orders', 'regions')).toMatchObject({
      problem: { kind: 'ambiguous', from: 'orders', to: 'regions' },
    });
    const roles = graphOf(related('dates>orders', { id: 'ordered' }), related('dates>orders', { id: 'shipped' }));
    const { problem } = roles.path('orders', 'dates') as { problem: { paths: readonly (readonly Hop[])[] } };
    expect(problem.paths.map((path) => path.map(({ relationshipId }) => relationshipId))).toEqual([
      ['ordered'],
      ['shipped'],
    ]);
  });

  it('is ambiguous only where it is: not before two paths part, and not by a longer one', () => {
    const graph = graphOf(
      related('b>a'),
      related('c>a'),
      related('d>b'),
      related('d>c'),
      related('e>d'),
      related('e>b'),
    );
    expect(route(hopsOf(graph.path('a', 'e')))).toBe('b e');
    expect(graph.path('a', 'd')).toMatchObject({ problem: { kind: 'ambiguous' } });
    const { problem } = graphOf(related('b>a'), related('c>a'), related('d>b'), related('d>c'), related('e>d')).path(
      'a',
      'e',
    ) as { problem: { paths: readonly (readonly Hop[])[] } };
    expect(problem.paths.map(route)).toEqual(['b d e', 'c d e']);
  });

  it('does not use inactive relationships, but names those that would lead there', () => {
    const graph = graphOf(related('dates>orders', { isActive: false }), related('customers>orders'));
    expect(graph.path('customers', 'dates')).toEqual({
      problem: { kind: 'none', from: 'customers', to: 'dates', inactive: ['dates>orders'] },
    });
    expect(graph.path('orders', 'elsewhere')).toMatchObject({ problem: { kind: 'none', inactive: [] } });
  });

  it('ends on cycles', () => {
    const cycle = graphOf(related('a>b'), related('b>c'), related('c>a'));
    expect(route(hopsOf(cycle.path('a', 'c')))).toBe('c');
    expect(route(hopsOf(cycle.path('a', 'b')))).toBe('c b');
  });
});

it('knows the tables with at most one partner for each row', () => {
  const graph = graphOf(related('customers>orders'), related('regions>customers'), related('orders>items'));
  expect([...graph.toOne('orders')].sort()).toEqual(['customers', 'orders', 'regions']);
  expect([...graph.toOne('regions')]).toEqual(['regions']);
});
