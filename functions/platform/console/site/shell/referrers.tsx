import type { Problem } from '../data/problem.ts';
import { ObjectLink } from './object-link.tsx';
import { objectType, typeOf } from './types.ts';

/** What uses an object, and so prevents a change. */
export function Referrers({ problem }: { problem: Problem | undefined }) {
  const all = problem?.referencedBy ?? [];
  if (all.length === 0) return null;
  return (
    <ul class="used">
      {all.map(({ type, id, name }) => (
        <li key={`${type} ${id}`}>
          <ObjectLink type={objectType(type)} id={id} name={name} />{' '}
          <span class="hint">{typeOf(objectType(type)).label}</span>
        </li>
      ))}
    </ul>
  );
}
