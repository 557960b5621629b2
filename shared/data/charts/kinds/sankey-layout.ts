import { sumOfDecimals } from '../../../platform/text/sum-of-decimals.ts';

/** A flow between two nodes, by their names. */
export interface Flow {
  from: string;
  to: string;
  value: number;
  row: number;
}

export interface SankeyNode {
  name: string;
  layer: number;
  /** What flows through it. */
  value: number;
  y: number;
  height: number;
}

export interface SankeyLink extends Flow {
  /** The middle of its ends, and its thickness. */
  start: number;
  end: number;
  thickness: number;
}

export interface Sankey {
  nodes: readonly SankeyNode[];
  links: readonly SankeyLink[];
  layers: number;
}

/** The layers of the nodes, each right of all that flow into it. Undefined if flows lead back to where they began. */
export function layersOf(flows: readonly Flow[]): Map<string, number> | undefined {
  const layers = new Map<string, number>(flows.flatMap(({ from, to }) => [[from, 0] as const, [to, 0] as const]));
  const open = new Map([...layers.keys()].map((name) => [name, flows.filter(({ to }) => to === name).length]));
  const outgoing = Map.groupBy(flows, ({ from }) => from);
  const ready = [...open].filter(([, count]) => count === 0).map(([name]) => name);
  let done = 0;
  for (let name = ready.shift(); name !== undefined; name = ready.shift()) {
    done += 1;
    for (const { to } of outgoing.get(name) ?? []) {
      layers.set(to, Math.max(layers.get(to)!, layers.get(name)! + 1));
      open.set(to, open.get(to)! - 1);
      if (open.get(to) === 0) ready.push(to);
    }
  }
  return done === layers.size ? layers : undefined;
}

/** What reaches or leaves a name, whichever is more. */
export function throughput(flows: readonly Flow[], name: string): number {
  const sum = (side: 'from' | 'to') =>
    sumOfDecimals(flows.flatMap((flow) => (flow[side] === name ? [flow.value] : [])));
  return Math.max(sum('from'), sum('to'));
}

/** How often nodes move towards those that they are linked with. */
const ROUNDS = 12;

/** Where nodes and flows stand in the height: flows that belong together are near each other. */
export function sankeyLayout(flows: readonly Flow[], layers: ReadonlyMap<string, number>, height: number): Sankey {
  const nodes = [...layers].map(
    ([name, layer]): SankeyNode => ({ name, layer, value: throughput(flows, name), y: 0, height: 0 }),
  );
  const columns = [...Map.groupBy(nodes, ({ layer }) => layer)]
    .sort(([one], [other]) => one - other)
    .map(([, each]) => each);
  const gapOf = (count: number) => Math.min(14, (height * 0.4) / Math.max(1, count - 1));
  const scale = Math.min(
    ...columns.map((column) => {
      const sum = column.reduce((total, { value }) => total + value, 0);
      return (height - gapOf(column.length) * (column.length - 1)) / (sum || 1);
    }),
  );
  const byName = new Map(nodes.map((node) => [node.name, node]));
  for (const column of columns) {
    for (const node of column) node.height = Math.max(1, node.value * scale);
    spread(column, gapOf(column.length), height);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? columns : columns.toReversed();
    for (const column of order) {
      for (const node of column) {
        const near = flows.flatMap(({ from, to, value }) => {
          const other = from === node.name ? byName.get(to)! : to === node.name ? byName.get(from)! : undefined;
          return other && value > 0 ? [{ middle: other.y + other.height / 2, value }] : [];
        });
        const weight = near.reduce((sum, { value }) => sum + value, 0);
        if (weight > 0)
          node.y = near.reduce((sum, { middle, value }) => sum + middle * value, 0) / weight - node.height / 2;
      }
      column.sort((one, other) => one.y - other.y);
      separate(column, gapOf(column.length), height);
    }
  }
  return { nodes, links: linksOf(flows, byName, scale), layers: columns.length };
}

/** The nodes below each other, in the middle of the height. */
function spread(column: readonly SankeyNode[], gap: number, height: number): void {
  let y = (height - column.reduce((sum, node) => sum + node.height + gap, -gap)) / 2;
  for (const node of column) {
    node.y = y;
    y += node.height + gap;
  }
}

/** Nodes in their order do not cover each other, and stay within the height. */
function separate(column: readonly SankeyNode[], gap: number, height: number): void {
  let free = 0;
  for (const node of column) {
    node.y = Math.max(node.y, free);
    free = node.y + node.height + gap;
  }
  let end = height;
  for (const node of column.toReversed()) {
    node.y = Math.min(node.y, end - node.height);
    end = node.y - gap;
  }
}

/** The flows of a node stand in the order of where they lead. */
function linksOf(flows: readonly Flow[], byName: ReadonlyMap<string, SankeyNode>, scale: number): SankeyLink[] {
  const links = flows.map((flow): SankeyLink => ({ ...flow, start: 0, end: 0, thickness: flow.value * scale }));
  for (const node of byName.values()) {
    const place = (side: 'from' | 'to', other: 'from' | 'to', member: 'start' | 'end') => {
      let y = node.y;
      const own = links.filter((link) => link[side] === node.name);
      for (const link of own.sort((one, two) => byName.get(one[other])!.y - byName.get(two[other])!.y)) {
        link[member] = y + link.thickness / 2;
        y += link.thickness;
      }
    };
    place('from', 'to', 'start');
    place('to', 'from', 'end');
  }
  return links;
}
