import { distinctKeys, overViews, type SideViews } from '../../../../shared/data/blends/join-sql.ts';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { quoteIdentifier } from '../../../../shared/data/duckdb/quoting.ts';
import type { BlendRequest } from '../../../../shared/domains/semantics/blends/index.ts';

/** With more values, a database would hardly return less than the whole side. */
const MAX_VALUES = 10_000;
const VALUES_AT_ONCE = 1_000;

/** The condition of a statement, with the values of its parameters, which are numbered after the given ones. */
export type PushedCondition = (given: number) => { sql: string; values: (readonly string[])[] };

/**
 * The condition that a row of the right side has values that the left side has too. Undefined if none of the keys has
 * few enough. The rows may be more than those that match: the join decides.
 */
export async function pushedValues(
  engine: Engine,
  { keys, pushedKeys }: Pick<BlendRequest, 'keys' | 'pushedKeys'>,
  views: Pick<SideViews, 'left'>,
): Promise<{ count: number; conditions: PushedCondition } | undefined> {
  const lists: { column: string; type: string; values: string[]; matchNulls: boolean }[] = [];
  for (const { index, type } of pushedKeys) {
    const { right, matchNulls = false } = keys[index]!;
    const values = `SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${distinctKeys('left', index, MAX_VALUES)})`;
    const { sql, params } = overViews(values, views);
    const found = await engine.run(sql, params);
    if (found.length <= MAX_VALUES)
      lists.push({
        column: `side.${quoteIdentifier(right.column)}`,
        type,
        values: found.map(([v]) => String(v)),
        matchNulls,
      });
  }
  if (lists.length === 0) return undefined;
  const conditions: PushedCondition = (given) => {
    const values: (readonly string[])[] = [];
    const terms = lists.map(({ column, type, values: all, matchNulls }) => {
      const chunks = all.length === 0 ? [[]] : chunksOf(all);
      const equal = chunks.map((chunk) => {
        values.push(chunk);
        return `${column} = ANY(CAST($${given + values.length} AS ${type}[]))`;
      });
      // The same text may be stored in other code points, which compare as different there.
      const others = type === 'text' ? [`${column} IS NOT NFC NORMALIZED`] : [];
      return `(${[...equal, ...others, ...(matchNulls ? [`${column} IS NULL`] : [])].join(' OR ')})`;
    });
    return { sql: ` WHERE ${terms.join(' AND ')}`, values };
  };
  return { count: Math.max(...lists.map(({ values }) => values.length)), conditions };
}

const chunksOf = (values: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(values.length / VALUES_AT_ONCE) }, (_, index) =>
    values.slice(index * VALUES_AT_ONCE, (index + 1) * VALUES_AT_ONCE),
  );
