import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { placed } from './graph-layout.ts';
import { NotLoaded } from './lazy-part.tsx';
import { loadScript } from './loading.ts';
import { reveal } from './reveal.ts';
import { Loading } from './states.tsx';

export interface GraphNode {
  id: string;
  /** Its name in full, as a tip. */
  title: string;
  content: ComponentChildren;
  /** Without an address, it is only shown. */
  href?: string | undefined;
  /** How it stands, as a class such as `failed`. */
  look?: string;
  /** At its lower edge, such as a button. */
  beside?: ComponentChildren;
}

export interface GraphEdge {
  from: string;
  to: string;
  /** At its ends, such as the sides of a relationship. */
  labels?: readonly [from: string, to: string];
  isDashed?: boolean;
  /** At its middle, such as a button. */
  between?: ComponentChildren;
}

interface GraphProps {
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  currentId?: string | undefined;
  /** After the arrow keys have moved the focus to a node. */
  onMove?: (id: string) => void;
  /** Other keys on a node; whether the key is used. */
  onKey?: (id: string, event: KeyboardEvent) => boolean;
}

/** Nodes and what leads from one to another. Arrows move along the edges. What it shows is also said by a list. */
export function Graph({ nodes, edges: given, currentId, onMove, onKey }: GraphProps) {
  // The other end of an edge may be beyond what was read.
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = given.filter(({ from, to }) => ids.has(from) && ids.has(to));
  const { places, error } = usePlaces(nodes, edges);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const current = box.current?.querySelector('[aria-current]');
    if (current) reveal(box.current!, current);
  }, [places, currentId]);
  if (!places) return error ? <NotLoaded error={error} /> : <Loading rows={3} />;
  const onKeyDown = (event: KeyboardEvent) => {
    const from = (event.target as HTMLElement).dataset.node;
    if (from === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = neighbour(nodes, edges, places.nodes, from, event.key);
    if (next === undefined && !onKey?.(from, event)) return;
    event.preventDefault();
    // The keys of the screen are for elsewhere.
    event.stopPropagation();
    if (next === undefined) return;
    box.current!.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`)!.focus();
    onMove?.(next);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard.
    <section class="graph" ref={box} tabIndex={0} aria-label="Graph">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links in it have the focus. */}
      <div style={{ width: `${places.width}px`, height: `${places.height}px` }} onKeyDown={onKeyDown}>
        <svg width={places.width} height={places.height} aria-hidden="true">
          {places.edges.map(({ points }, index) => (
            <Edge key={index} points={points} {...edges[index]} />
          ))}
        </svg>
        {nodes.map((node) => (
          <Node key={node.id} node={node} at={places.nodes.get(node.id)!} isCurrent={node.id === currentId} />
        ))}
        {nodes.map(
          ({ id, beside }) =>
            beside && <Pinned key={id} at={cornerOf(places.nodes.get(id)!, places.size)} content={beside} />,
        )}
        {places.edges.map(
          ({ points }, index) =>
            edges[index]?.between && <Pinned key={index} at={middleOf(points)} content={edges[index].between} />,
        )}
      </div>
    </section>
  );
}

interface NodeProps {
  node: GraphNode;
  at: { x: number; y: number };
  isCurrent: boolean;
}

function Node({ node: { id, title, content, href, look }, at, isCurrent }: NodeProps) {
  const common = {
    class: look ? `node ${look}` : 'node',
    'data-node': id,
    style: { left: `${at.x}px`, top: `${at.y}px` },
    title,
  };
  return href === undefined ? (
    <div {...common}>{content}</div>
  ) : (
    <a {...common} href={href} aria-current={isCurrent || undefined}>
      {content}
    </a>
  );
}

/** What is centered at a point. */
const Pinned = ({ at, content }: { at: Point; content: ComponentChildren }) => (
  <div class="pinned" style={{ left: `${at.x}px`, top: `${at.y}px` }}>
    {content}
  </div>
);

const CORNER_PX = 20;

const cornerOf = ({ x, y }: Point, { width, height }: { width: number; height: number }): Point => ({
  x: x + width - CORNER_PX,
  y: y + height,
});

function middleOf(points: readonly Point[]): Point {
  const at = points.length >> 1;
  if (points.length % 2 === 1) return points[at]!;
  const [before, after] = [points[at - 1]!, points[at]!];
  return { x: (before.x + after.x) / 2, y: (before.y + after.y) / 2 };
}

const LABEL_PX = 8;

function Edge({ points, labels, isDashed }: { points: readonly Point[] } & Partial<GraphEdge>) {
  const [first, last] = [points[0]!, points.at(-1)!];
  const sign = first.x <= last.x ? 1 : -1;
  return (
    <>
      <path d={pathOf(points)} stroke-dasharray={isDashed ? '4 4' : undefined} />
      {labels && (
        <>
          <text x={first.x + sign * LABEL_PX} y={first.y - 5} text-anchor={sign > 0 ? 'start' : 'end'}>
            {labels[0]}
          </text>
          <text x={last.x - sign * LABEL_PX} y={last.y - 5} text-anchor={sign > 0 ? 'end' : 'start'}>
            {labels[1]}
          </text>
        </>
      )}
    </>
  );
}

interface Point {
  x: number;
  y: number;
}

/** Places change only with the nodes and edges, not with what the nodes show. */
function usePlaces(nodes: readonly GraphNode[], edges: readonly GraphEdge[]) {
  const shape = JSON.stringify([nodes.map(({ id }) => id), edges.map(({ from, to }) => [from, to])]);
  const given = useMemo(() => ({ ids: nodes.map(({ id }) => id), edges }), [shape]);
  const [places, setPlaces] = useState<{ of: string; value: ReturnType<typeof placed> }>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    let isCurrent = true;
    loadScript(() => import('./graph-layout.ts')).then(
      (layout) => isCurrent && setPlaces({ of: shape, value: layout.placed(given.ids, given.edges) }),
      (failure: Error) => isCurrent && setError(failure),
    );
    return () => {
      isCurrent = false;
    };
  }, [given]);
  return { places: places?.of === shape ? places.value : undefined, error };
}

const pathOf = (points: readonly Point[]): string => {
  const [first, ...rest] = points;
  const middles = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1]!;
    return `Q${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}`;
  });
  const last = points.at(-1)!;
  return `M${first!.x},${first!.y}${middles.join('')}L${last.x},${last.y}`;
};

/** Along an edge by left and right, within a column by up and down. */
function neighbour(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  places: ReadonlyMap<string, Point>,
  from: string,
  key: string,
): string | undefined {
  const isOpen = (id: string | undefined) => nodes.some((node) => node.id === id && node.href !== undefined);
  if (key === 'ArrowLeft') return edges.find((edge) => edge.to === from && isOpen(edge.from))?.from;
  if (key === 'ArrowRight') return edges.find((edge) => edge.from === from && isOpen(edge.to))?.to;
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const { x } = places.get(from)!;
  const column = nodes
    .map(({ id }) => id)
    .filter((id) => places.get(id)!.x === x && isOpen(id))
    .sort((one, other) => places.get(one)!.y - places.get(other)!.y);
  return column[column.indexOf(from) + (key === 'ArrowDown' ? 1 : -1)];
}
