import { quoteIdentifier } from '../duckdb/quoting.ts';
import { column, type SqlColumn } from '../expressions/index.ts';
import type { Hop } from './join-graph.ts';
import { type JoinedTables, openNeeds } from './joined-tables.ts';
import { after, before, inBrackets, type Lines, select, where } from './lines.ts';
import type { FieldOfTable, ModelField, SemanticModel } from './model.ts';
import { EXISTS, ROW, tableNames } from './names.ts';
import type { Need, Restrictions } from './restrictions.ts';
import { columnSql, type Source, type Writer } from './writer.ts';

export interface FromContext {
  model: SemanticModel;
  source: Source;
  restrictions: Restrictions;
  writer: Writer;
  /** All fields with a column that the statement reads, besides those that join its tables. */
  fields: Iterable<string>;
}

/** Marks of rows, which a table has besides its columns. */
interface Marks {
  isNumbered?: boolean;
  isMarked?: boolean;
}

/** Writes FROM clauses with the conditions that go with them. */
export class FromRenderer {
  /** The column that numbers the rows of the home table. */
  readonly row: string;
  readonly #exists: string;
  readonly #names: ReadonlyMap<string, string>;
  readonly #fields: ReadonlyMap<string, ModelField>;
  readonly #read: ReadonlySet<string>;
  readonly #context: FromContext;

  constructor(context: FromContext, joins: readonly JoinedTables[]) {
    this.#context = context;
    this.#names = tableNames(context.model);
    this.#fields = fieldsById(context.model);
    const keys = joins.flatMap(({ hops }) => hops.flatMap(({ from, to }) => [from.fieldId, to.fieldId]));
    this.#read = new Set([...context.fields, ...keys]);
    const columns = new Set([...this.#read].map((field) => context.source.column(field).column.toLowerCase()));
    this.row = free(ROW, columns);
    this.#exists = free(EXISTS, columns);
  }

  column(fieldId: string): SqlColumn {
    return this.#columnIn(this.nameOf(this.#fields.get(fieldId)!.tableId), fieldId);
  }

  nameOf(tableId: string): string {
    return this.#names.get(tableId)!;
  }

  from(joined: JoinedTables): Lines {
    const { home, hops, repeatsRows, addsGroups } = joined;
    const marked = new Set(strictHops(joined).flatMap(({ from, to }) => [from.tableId, to.tableId]));
    const table = (id: string, isNumbered: boolean) =>
      this.#table(joined, id, { isNumbered, isMarked: marked.has(id) && id !== home });
    return [
      ...before('FROM ', table(home, repeatsRows || addsGroups)),
      ...hops.flatMap(({ joinType, from, to }) => {
        const word = addsGroups && joinType === 'inner' ? WORDS.left : WORDS[joinType];
        const on = this.#isEqual([this.nameOf(from.tableId), from], [this.nameOf(to.tableId), to]);
        return after(before(`${word} `, table(to.tableId, false)), ` ON ${on}`);
      }),
    ];
  }

  /**
   * The conditions of inner joins, where other joins of the same tables add rows: a row that another table adds needs
   * no partner in tables that it is not joined to.
   */
  conditions(joined: JoinedTables): string[] {
    const mark = (tableId: string) =>
      columnSql({ table: this.nameOf(tableId), column: tableId === joined.home ? this.row : this.#exists });
    return strictHops(joined).map(({ from, to }) => {
      const absent = [...new Set([from.tableId, joined.home])].map((table) => `${mark(table)} IS NULL`);
      return `${mark(to.tableId)} IS NOT NULL OR (${absent.join(' AND ')})`;
    });
  }

  #table(joined: JoinedTables, tableId: string, { isNumbered, isMarked }: Marks): Lines {
    const { source, restrictions } = this.#context;
    const name = this.nameOf(tableId);
    const needs = openNeeds(joined, tableId, restrictions);
    const relation = `${source.relation(tableId)} AS ${quoteIdentifier(name)}`;
    if (!isNumbered && !isMarked && needs.length === 0) return [relation];
    const columns = [
      ...this.#columnsOf(tableId),
      ...(isNumbered ? [`row_number() OVER () AS ${quoteIdentifier(this.row)}`] : []),
      ...(isMarked ? [`TRUE AS ${quoteIdentifier(this.#exists)}`] : []),
    ];
    const conditions = needs.map((need) => this.#hasPartner(need, name, 1));
    // Databases may compute a condition of the query around it first, whose error would show a hidden row.
    const barrier = needs.length > 0 ? ['OFFSET 0'] : [];
    return after(
      inBrackets([...select(columns), `FROM ${relation}`, ...where(conditions), ...barrier]),
      ` AS ${quoteIdentifier(name)}`,
    );
  }

  /** Whether a row has a visible partner. */
  #hasPartner({ hop: { from, to }, then }: Need, near: string, depth: number): string {
    const far = `#partner_${depth}`;
    const conditions = [
      this.#isEqual([far, to], [near, from]),
      ...then.map((need) => this.#hasPartner(need, far, depth + 1)),
    ];
    const relation = `${this.#context.source.relation(to.tableId)} AS ${quoteIdentifier(far)}`;
    return `EXISTS (SELECT 1 FROM ${relation} WHERE ${conditions.join(' AND ')})`;
  }

  #columnsOf(tableId: string): string[] {
    const own = [...this.#read].filter((field) => this.#fields.get(field)!.tableId === tableId);
    return [...new Set(own.map((field) => columnSql(this.column(field))))];
  }

  /** Keys that the database stores alike are compared as they are, so that it can use its indexes. */
  #isEqual(...ends: [table: string, field: FieldOfTable][]): string {
    const keys = ends.map(([table, { fieldId }]) => ({ fieldId, column: this.#columnIn(table, fieldId) }));
    const isAlike = keys.every(({ column }) => column.stored === keys[0]!.column.stored);
    const sides = keys.map(({ fieldId, column }) => (isAlike ? columnSql(column) : this.#converted(fieldId, column)));
    return sides.join(' = ');
  }

  #converted(fieldId: string, stored: SqlColumn): string {
    return this.#context.writer.sql(column(fieldId, this.#fields.get(fieldId)!.dataType), () => stored);
  }

  #columnIn(table: string, fieldId: string): SqlColumn {
    return { ...this.#context.source.column(fieldId), table };
  }
}

const FIELDS = new WeakMap<SemanticModel, ReadonlyMap<string, ModelField>>();

/** Made once for each model, which may have thousands of fields. */
function fieldsById(model: SemanticModel): ReadonlyMap<string, ModelField> {
  const known = FIELDS.get(model) ?? new Map(model.fields.map((field) => [field.id, field]));
  FIELDS.set(model, known);
  return known;
}

const WORDS = { inner: 'JOIN', left: 'LEFT JOIN', full: 'FULL JOIN' } as const;

/** Inner joins that would drop the rows that other joins add. */
const strictHops = ({ hops, addsGroups }: JoinedTables): readonly Hop[] =>
  addsGroups ? hops.filter(({ joinType }) => joinType === 'inner') : [];

/** The name, or one like it that no column has. Names are compared as by DuckDB, which ignores case. */
function free(name: string, columns: ReadonlySet<string>): string {
  return columns.has(name) ? free(`#${name}`, columns) : name;
}
