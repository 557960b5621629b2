import { Graph, layout } from '@dagrejs/dagre';
import type { StepGroup } from './step-groups.ts';

export const NODE = { width: 188, height: 52 };

interface Placed {
  width: number;
  height: number;
  /** The upper left corners, by the ids of the steps. */
  nodes: ReadonlyMap<string, Point>;
  edges: readonly { from: string; to: string; points: readonly Point[] }[];
}

/** Places steps from left to right, so that each is right of those it waits for. */
export function placed(groups: readonly Pick<StepGroup, 'stepId' | 'dependsOn'>[]): Placed {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 44, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { stepId } of groups) graph.setNode(stepId, { ...NODE });
  for (const { stepId, dependsOn } of groups) for (const id of dependsOn) graph.setEdge(id, stepId);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const centre = (id: string) => graph.node(id) as Point;
  const corner = (id: string) => ({ x: centre(id).x - NODE.width / 2, y: centre(id).y - NODE.height / 2 });
  return {
    width,
    height,
    nodes: new Map(groups.map(({ stepId }) => [stepId, corner(stepId)])),
    edges: graph.edges().map(({ v, w }: { v: string; w: string }) => {
      const { points } = graph.edge(v, w) as { points: Point[] };
      const start = { x: centre(v).x + NODE.width / 2, y: centre(v).y };
      const end = { x: centre(w).x - NODE.width / 2, y: centre(w).y };
      return { from: v, to: w, points: [start, ...points.slice(1, -1), end] };
    }),
  };
}

interface Point {
  x: number;
  y: number;
}
