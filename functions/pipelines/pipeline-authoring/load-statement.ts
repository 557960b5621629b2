import { quoteIdentifier } from '../../../shared/data/duckdb/quoting.ts';
import type { Step } from '../../../shared/domains/pipelines/definition/index.ts';

/**
 * The rows that a load would take from its input: in mode merge the winning row of each key. Gates and the rows of the
 * target are not considered.
 */
export function loadStatement({ config }: Step): string {
  const { mergeKey, dedupeOrderBy, strategy } = config as {
    mergeKey?: readonly string[];
    dedupeOrderBy?: readonly { column: string; direction?: 'asc' | 'desc' }[];
    strategy?: string;
  };
  if (!mergeKey || !dedupeOrderBy || strategy === 'delete_insert') return 'SELECT * FROM input';
  const keys = mergeKey.map(quoteIdentifier).join(', ');
  const order = dedupeOrderBy.map(
    ({ column, direction }) => `${quoteIdentifier(column)} ${direction === 'desc' ? 'DESC' : 'ASC'} NULLS LAST`,
  );
  return `SELECT * FROM input QUALIFY row_number() OVER (PARTITION BY ${keys} ORDER BY ${order.join(', ')}) = 1`;
}
