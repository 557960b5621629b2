import { useState } from 'preact/hooks';
import { api, type Types } from '../../data/client.ts';
import type { Dataset } from '../../data/datasets.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { ObjectLink } from '../../shell/object-link.tsx';
import { typeOf } from '../../shell/types.ts';
import { SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { objectType } from './object-type.ts';

type Node = Types.ObjectLineageNode;

/** What the dataset is made of, and what is made of it: as a whole, or by one of its columns. */
export function UsedBy({ dataset: { id, columns, version } }: { dataset: Dataset }) {
  const [column, setColumn] = useState('');
  const { data, error, isRefreshing, refresh } = useQuery(
    ['datasets', id, 'lineage', version, column],
    () => api.catalog.getLineage('dataset', id, { direction: 'both', ...(column && { column }) }),
    { keepsLast: true },
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  const found = (sign: number) =>
    data.nodes
      .filter(({ distance }) => Math.sign(distance) === sign)
      .sort((one, other) => Math.abs(one.distance) - Math.abs(other.distance));
  return (
    <div class="lineage" aria-busy={isRefreshing || undefined}>
      <SelectField label="Show uses of" value={column} onChange={({ currentTarget }) => setColumn(currentTarget.value)}>
        <option value="">the whole dataset</option>
        {columns.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <Section title="Used by">
        <Nodes nodes={found(1)} otherwise="Nothing uses it yet." />
      </Section>
      <Section title="Made from">
        <Nodes nodes={found(-1)} otherwise="Its origin is not known." />
      </Section>
      {data.isTruncated && <p class="hint">Not all objects are shown.</p>}
    </div>
  );
}

function Nodes({ nodes, otherwise }: { nodes: readonly Node[]; otherwise: string }) {
  if (nodes.length === 0) return <Empty title={otherwise} />;
  return (
    <ul class="list used">
      {nodes.map((node) => (
        <NodeItem key={`${node.type} ${node.id}`} node={node} />
      ))}
    </ul>
  );
}

function NodeItem({ node: { type, id, name, distance, columns } }: { node: Node }) {
  const kind = objectType(type);
  const parts = columns.map((column) => column.name).join(', ');
  return (
    <li>
      <Icon name={typeOf(kind).icon} />
      <ObjectLink type={kind} id={id} name={name} />
      <span class="hint">
        {typeOf(kind).label}
        {Math.abs(distance) > 1 && `, ${Math.abs(distance)} steps away`}
        {parts && `: ${parts}`}
      </span>
    </li>
  );
}
