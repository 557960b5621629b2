import { api, type Types } from '../data/client.ts';
import { problemOf } from '../data/problem.ts';
import { useQuery } from '../data/query.ts';
import { Graph, type GraphNode } from '../ui/graph.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { ObjectLink } from './object-link.tsx';
import { addressOf } from './registry.ts';
import { objectType, typeOf } from './types.ts';

type Node = Types.ObjectLineageNode;
export type LineageType = Parameters<typeof api.catalog.getLineage>[0];

interface LineageProps {
  type: LineageType;
  id: string;
  /** One column, field or measure of the object, by its name or id, instead of all of it. */
  column?: string | undefined;
}

/** Of larger lineages, only the list is readable. */
const MAX_DRAWN = 120;
const keyOf = ({ type, id }: { type: string; id: string }) => `${type} ${id}`;

/** What an object is made of and what is made of it, as a graph and as lists. */
export function Lineage({ type, id, column = '' }: LineageProps) {
  const { data, error, isRefreshing, refresh } = useQuery(
    ['lineage', type, id, column],
    () => api.catalog.getLineage(type, id, { direction: 'both', ...(column && { column }) }),
    { keepsLast: true },
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  const { nodes, edges, isTruncated } = data;
  const found = (sign: number) =>
    nodes
      .filter(({ distance }) => Math.sign(distance) === sign)
      .sort((one, other) => Math.abs(one.distance) - Math.abs(other.distance));
  if (nodes.length < 2) {
    return (
      <Empty icon="workflow" title="Nothing is connected to it">
        Its origin is not known. Nothing uses it yet.
      </Empty>
    );
  }
  return (
    <div class="lineage" aria-busy={isRefreshing || undefined}>
      {nodes.length <= MAX_DRAWN ? (
        <Graph
          nodes={nodes.map(nodeOf)}
          edges={edges.filter(joins(nodes)).map(({ from, to, via }) => ({
            from: keyOf(from),
            to: keyOf(to),
            isDashed: via !== undefined,
          }))}
          currentId={keyOf(nodes.find(({ distance }) => distance === 0) ?? { type, id })}
        />
      ) : (
        <p class="hint">The graph has {nodes.length} objects, too many to draw. They are listed below.</p>
      )}
      <div class="lineage-lists">
        <Nodes title="Used by" nodes={found(1)} otherwise="Nothing uses it yet." />
        <Nodes title="Made from" nodes={found(-1)} otherwise="Its origin is not known." />
      </div>
      {nodes.some(({ isComplete }) => !isComplete) && (
        <p class="hint">Objects marked “may have more” can have dependencies that are not listed.</p>
      )}
      {isTruncated && <p class="hint">Not all objects are shown.</p>}
    </div>
  );
}

/** Edges of a model to itself, between its fields, are not drawn. */
const joins = (nodes: readonly Node[]) => {
  const known = new Set(nodes.map(keyOf));
  return ({ from, to }: Types.ObjectLineageEdge) =>
    keyOf(from) !== keyOf(to) && known.has(keyOf(from)) && known.has(keyOf(to));
};

function nodeOf(node: Node): GraphNode {
  const { icon, label } = typeOf(objectType(node.type));
  const parts = node.columns.map(({ name }) => name).join(', ');
  return {
    id: keyOf(node),
    title: parts ? `${node.name}: ${parts}` : node.name,
    href: addressOf(objectType(node.type), node.id),
    content: (
      <>
        <span class="node-name">{node.name}</span>
        <span class="node-kind">
          <Icon name={icon} size={13} /> {parts || label}
        </span>
      </>
    ),
  };
}

function Nodes({ title, nodes, otherwise }: { title: string; nodes: readonly Node[]; otherwise: string }) {
  return (
    <section class="section">
      <header>
        <h2>{title}</h2>
      </header>
      {nodes.length === 0 ? (
        <p class="hint">{otherwise}</p>
      ) : (
        <ul class="list used">
          {nodes.map((node) => (
            <NodeItem key={keyOf(node)} node={node} />
          ))}
        </ul>
      )}
    </section>
  );
}

function NodeItem({ node: { type, id, name, distance, columns, isComplete } }: { node: Node }) {
  const kind = objectType(type);
  const notes = [
    typeOf(kind).label,
    Math.abs(distance) > 1 && `${Math.abs(distance)} steps away`,
    columns.map((column) => column.name).join(', '),
    !isComplete && 'may have more',
  ];
  return (
    <li>
      <Icon name={typeOf(kind).icon} />
      <ObjectLink type={kind} id={id} name={name} />
      <span class="hint">{notes.filter(Boolean).join(' · ')}</span>
    </li>
  );
}
