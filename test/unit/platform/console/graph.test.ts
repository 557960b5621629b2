import { describe, expect, it } from 'vitest';
import { placed } from '../../../../functions/platform/console/site/ui/graph-layout.ts';

const edge = (from: string, to: string) => ({ from, to });

describe('the nodes of a graph', () => {
  it('are placed to the right of those that lead to them', () => {
    const given = [edge('a', 'b'), edge('a', 'c'), edge('b', 'c')];
    const { nodes, edges, width } = placed(['a', 'b', 'c', 'alone'], given);
    expect(nodes.get('a')!.x).toBeLessThan(nodes.get('b')!.x);
    expect(nodes.get('b')!.x).toBeLessThan(nodes.get('c')!.x);
    expect(edges.map(({ from, to }) => edge(from, to))).toEqual(given);
    expect(width).toBeGreaterThan(500);
  });

  it('may be joined twice and in circles', () => {
    const { nodes, edges } = placed(['a', 'b'], [edge('a', 'b'), edge('a', 'b'), edge('b', 'a')]);
    expect(nodes.size).toBe(2);
    const [one, other, back] = edges;
    expect(one!.points).not.toEqual(other!.points);
    // Each begins and ends at the sides that face each other.
    expect(back!.points[0]!.x).toBeGreaterThan(back!.points.at(-1)!.x);
  });
});
