import { Graph, layout } from '@dagrejs/dagre';

export const NODE = { width: 188, height: 52 };

interface Point {
  x: number;
  y: number;
}

interface Placed {
  width: number;
  height: number;
  /** Of each node. */
  size: { width: number; height: number };
  /** The upper left corners, by the ids of the nodes. */
  nodes: ReadonlyMap<string, Point>;
  /** In the order of the edges that were given. */
  edges: readonly { from: string; to: string; points: readonly Point[] }[];
}

/**
 * Of more nodes, edges cross somewhat more often, and the layout takes half the time: it grows faster than their
 * number.
 */
const MANY = 80;

/** Places nodes from left to right, so that edges lead to the right, except for those that close a circle. */
export function placed(ids: readonly string[], edges: readonly { from: string; to: string }[]): Placed {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 44, marginx: 8, marginy: 8 });
  for (const id of ids) graph.setNode(id, { ...NODE });
  for (const [index, { from, to }] of edges.entries()) graph.setEdge(from, to, {}, String(index));
  layout(graph, { disableOptimalOrderHeuristic: ids.length > MANY });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const centre = (id: string) => graph.node(id) as Point;
  const corner = (id: string) => ({ x: centre(id).x - NODE.width / 2, y: centre(id).y - NODE.height / 2 });
  const side = (id: string, isRight: boolean) => ({
    x: centre(id).x + (isRight ? NODE.width : -NODE.width) / 2,
    y: centre(id).y,
  });
  return {
    width,
    height,
    size: NODE,
    nodes: new Map(ids.map((id) => [id, corner(id)])),
    edges: edges.map(({ from, to }, index) => {
      const { points } = graph.edge(from, to, String(index)) as { points: Point[] };
      const isForward = centre(from).x <= centre(to).x;
      return { from, to, points: [side(from, isForward), ...points.slice(1, -1), side(to, !isForward)] };
    }),
  };
}
