import type { Types } from '../data/client.ts';
import type { Query } from '../data/query.ts';
import { counted } from '../ui/format.ts';
import { Loading } from '../ui/states.tsx';
import { ObjectLink } from './object-link.tsx';
import { objectType, typeOf } from './types.ts';

const EFFECTS: Readonly<Record<string, string>> = {
  breaks: 'would fail',
  loses_columns: 'would lose columns',
  outdated: 'would get no new rows',
};

interface AffectedProps {
  impact: Query<{ affected: readonly Types.AffectedObject[] }>;
  verb: 'use' | 'depend on';
  /** If there are no such objects: `Nothing uses it.` */
  nothing: string;
  /** The effect on an object if it is not known; without it, effects are not shown. */
  unknown?: string;
}

/** What the deletion of an object would affect. */
export function Affected({ impact: { data, isLoading }, verb, nothing, unknown }: AffectedProps) {
  if (!data) return isLoading ? <Loading rows={2} /> : null;
  const count = data.affected.length;
  if (count === 0) return <p>{nothing}</p>;
  return (
    <>
      <p>{`${counted(count, 'object')} ${count === 1 ? verb.replace(/^\w+/, '$&s') : verb} it:`}</p>
      <ul class="used">
        {data.affected.map(({ type, id, name, effect }) => (
          <li key={`${type} ${id}`}>
            <ObjectLink type={objectType(type)} id={id} name={name} />{' '}
            <span class="hint">
              {typeOf(objectType(type)).label}
              {unknown !== undefined && `: ${EFFECTS[effect] ?? unknown}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
