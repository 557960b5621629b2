import type { JoinKey } from '../../../data/blends/join-sql.ts';
import { DATASETS, type ModelDefinition } from '../models/index.ts';
import type { BlendRequest, PushedType } from './protocol.ts';

/** Of what type the database of the right side compares the values as DuckDB does, or as more equal than it does. */
const PUSHED: Partial<Record<JoinKey['as'], PushedType>> = {
  text: 'text',
  uuid: 'text',
  integer: 'bigint',
  decimal: 'numeric',
  date: 'date',
};

/**
 * The keys by whose values the rows of a database can be chosen: those that are compared as they are stored there. A
 * join that keeps the rows of the right side needs all of them.
 */
export function pushedKeys(
  { keys, result }: Pick<BlendRequest, 'keys' | 'result'>,
  { model }: ModelDefinition,
): BlendRequest['pushedKeys'] {
  if (model.sourceId === DATASETS || result.join === 'full' || result.join === 'right') return [];
  return keys.flatMap(({ as, right, caseInsensitive, trim }, index) => {
    const type = PUSHED[as];
    const isAsStored = right.kind === as || (as === 'decimal' && right.kind === 'integer');
    return type && isAsStored && !caseInsensitive && !trim ? [{ index, type }] : [];
  });
}
