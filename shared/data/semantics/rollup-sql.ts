import { quoteIdentifier } from '../duckdb/quoting.ts';
import { type Lines, select, where } from './lines.ts';
import type { Names } from './names.ts';
import type { RollupTable, RollupUse, RollupValue } from './rollup-table.ts';
import type { Writer } from './writer.ts';

/** What statements call a rollup. No dataset has such a name. */
export const rollupName = (id: string): string => `#rollup ${id}`;

/** The rows of a rollup that the filters leave, with the values of the leading dimensions. */
export function rollupRows(
  { dimensions, filters, values, table }: RollupUse,
  shown: number,
  { names, writer }: { names: Names; writer: Writer },
): Lines {
  const columnOf = (name: string) => ({ column: name });
  const parts = new Set([...values.values()].flatMap(({ columns }) => columns));
  return [
    ...select([
      ...dimensions.slice(0, shown).map((tree, index) => `${writer.sql(tree, columnOf)} AS ${names.dimensions[index]}`),
      ...parts,
    ]),
    `FROM ${quoteIdentifier(rollupName(table.rollup.id))}`,
    ...where(filters.map((tree) => writer.sql(tree, columnOf))),
  ];
}

/** The value of a group from those of its parts, of the same type as by the rows themselves. */
export function rollupValue({ aggregate, columns: [first, second], isWhole }: RollupValue): string {
  switch (aggregate.name) {
    case 'AVG':
      return `CAST(sum(${first}) AS DOUBLE) / sum(${second})`;
    case 'SUM':
      return aggregate.type === 'integer' ? `CAST(sum(${first}) AS HUGEINT)` : `sum(${first})`;
    case 'COUNT':
      return `CAST(coalesce(sum(${first}), 0) AS BIGINT)`;
    case 'MIN':
    case 'MAX':
      return `${aggregate.name.toLowerCase()}(${first})`;
    default:
      if (!isWhole) throw new TypeError(`${aggregate.name} cannot be computed from parts`);
      return `any_value(${first})`;
  }
}

/**
 * Sums of integers have more digits than integers of Parquet files. A column that has become one of other numbers fails
 * the statement: their sums would be rounded.
 */
export function storedColumns({ question, components }: RollupTable): string[] {
  const sums = new Set(
    [...components.values()]
      .filter(({ aggregate: { name, type } }) => name === 'SUM' && type === 'integer')
      .map(({ column }) => column),
  );
  return [...question.dimensions, ...question.measures].map(({ label }) =>
    sums.has(label) ? `${wholeNumber(label)} AS ${label}` : label,
  );
}

const wholeNumber = (column: string) => {
  const cast = (value: string) => `CAST(${value} AS DECIMAL(38, 0))`;
  return `CASE WHEN typeof(${column}) = 'HUGEINT' THEN ${cast(column)} ELSE ${cast(`concat(${column}, ' is no integer')`)} END`;
};
