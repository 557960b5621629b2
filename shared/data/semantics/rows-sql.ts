import { quoteIdentifier } from '../duckdb/quoting.ts';
import { column, readsOf, type SqlColumn } from '../expressions/index.ts';
import { FromRenderer } from './from-sql.ts';
import type { Leg } from './legs.ts';
import { indent, type Lines, orderBy, select, where } from './lines.ts';
import type { SemanticModel } from './model.ts';
import { ROW } from './names.ts';
import type { RowsQuestion } from './question.ts';
import type { Restrictions } from './restrictions.ts';
import { conditionsOnRows } from './rows-condition.ts';
import { columnSql, type Source, type Writer } from './writer.ts';

interface RowsContext {
  model: SemanticModel;
  source: Source;
  restrictions: Restrictions;
  writer: Writer;
  question: RowsQuestion;
  leg: Leg;
}

/** Throws `NotWritable`. */
export function renderRows({ question, leg, ...context }: RowsContext): string {
  const { writer } = context;
  const { columns, limit } = question;
  const filters = conditionsOnRows(question);
  const trees = [...columns.map(({ tree }) => tree), ...filters];
  const tables = new FromRenderer({ ...context, fields: trees.flatMap((tree) => readsOf(tree).fields) }, [leg]);
  const columnOf = (field: string) => tables.column(field);
  const rest = [...tables.from(leg), ...where(filters.map((filter) => writer.sql(filter, columnOf)))];
  const values = columns.map(({ tree, label }) => ({ tree, label, sql: writer.sql(tree, columnOf) }));
  if (!leg.repeatsRows) {
    const labelled = values.map(({ sql, label }) => `${sql} AS ${quoteIdentifier(label)}`);
    const order = orderOf(question).map((term) => writer.order(term, columnOf));
    return [...select(labelled), ...rest, ...orderBy(order), ...limited(limit)].join('\n');
  }
  const row = columnSql({ table: tables.nameOf(leg.home), column: tables.row });
  const matching = values.map(({ sql }, index) => `${sql} AS ${nameAt(index)}`);
  const named = {
    ...question,
    columns: columns.map(({ label, tree }, index) => ({ label, tree: column(nameAt(index), tree.type) })),
  };
  const ofMatching = (name: string): SqlColumn => ({ column: name });
  const lines: Lines = [
    ...select(columns.map(({ label }, index) => `${nameAt(index)} AS ${quoteIdentifier(label)}`)),
    'FROM (',
    ...indent([...select([`${row} AS ${quoteIdentifier(ROW)}`, ...matching], true), ...rest]),
    ') AS matching',
    ...orderBy(orderOf(named).map((term) => writer.order(term, ofMatching))),
    ...limited(limit),
  ];
  return lines.join('\n');
}

const limited = (limit: number | undefined): Lines => (limit === undefined ? [] : [`LIMIT ${limit}`]);

const nameAt = (index: number) => `c${index + 1}`;

/** By the sort, then by each other column; all rows are not put in order. */
function orderOf({ columns, sort = [], limit }: RowsQuestion) {
  if (limit === undefined) return [];
  const sorted = new Set(sort.map(({ position }) => position));
  const others = columns.map((_, position) => ({ position, descending: false }));
  return [...sort, ...others.filter(({ position }) => !sorted.has(position))].map(({ position, descending }) => ({
    tree: columns[position]!.tree,
    number: position + 1,
    descending,
  }));
}
