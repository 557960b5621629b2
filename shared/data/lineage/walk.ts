import { folded } from '../duckdb/column-names.ts';
import type { TreeNode } from '../sql/parse-tree.ts';
import type { ColumnUse, IndirectSubtype, Origin } from './origins.ts';

/** An output column of a query. */
export interface OutputColumn {
  /** Absent if only DuckDB knows it. */
  name?: string | undefined;
  origin: Origin;
  /** The type of a column of a table, if it is known. */
  type?: string | undefined;
  /** The column is named by the text of its expression, which no plain word equals. */
  isText?: true;
  /** Stands for any number of columns. */
  isMany?: true;
  /** One column, or the fields of a struct: its type decides. */
  mayBeMany?: true;
}

export const UNKNOWN_COLUMNS: readonly OutputColumn[] = [{ origin: null, isMany: true }];

/** A table, subquery or function call of a FROM clause. */
export interface Relation {
  alias: string | undefined;
  columns: readonly OutputColumn[];
}

/** What a FROM clause offers. */
export interface From {
  relations: readonly Relation[];
  /** What `*` means. */
  star: readonly StarColumn[];
  /** Columns that `USING` or a natural join has merged, by folded name. */
  merged: ReadonlyMap<string, Origin>;
}

export interface StarColumn extends OutputColumn {
  relation?: Relation;
}

export const EMPTY_FROM: From = { relations: [], star: [], merged: new Map() };

/** The names that expressions of one query can use; `outer` are those of the query around it. */
export interface Scope {
  from: From;
  /** Select items with an alias, by folded name. Columns take precedence. */
  aliases: ReadonlyMap<string, Origin>;
  outer?: Scope | undefined;
}

/** Everything that decides what a name means at one place of a statement. */
export interface Place {
  scope?: Scope | undefined;
  /** Columns of WITH queries by folded name. */
  queries: ReadonlyMap<string, readonly OutputColumn[]>;
  /** Folded names of lambda parameters. */
  parameters: ReadonlySet<string>;
  /** The column that `COLUMNS` currently stands for. */
  current?: OutputColumn | undefined;
}

/** A name that means nothing where it stands. */
export interface UnknownName {
  name: string;
  /** The names that could stand there. */
  candidates: string[];
  /** The byte of the statement at which the name starts. */
  location?: number | undefined;
}

/** Larger statements are not analysed: recursive queries are read several times. */
const MAX_NODES = 300_000;

export class TooLarge extends Error {}

type AnalyseQuery = (walk: Walk, node: TreeNode, place: Place) => readonly OutputColumn[];

/** The state of the analysis of one statement. */
export class Walk {
  /** The columns of the tables, by folded name. */
  readonly tables: ReadonlyMap<string, Relation>;
  readonly indirect: ColumnUse<IndirectSubtype>[] = [];
  readonly unknown: UnknownName[] = [];
  /** Whether the origin of something that decides about rows is unknown. */
  isRowsPartial = false;
  readonly #query: AnalyseQuery;
  #nodes = 0;

  /** `query` analyses a subquery: expressions contain queries, and queries expressions. */
  constructor(tables: ReadonlyMap<string, Relation>, query: AnalyseQuery) {
    this.tables = tables;
    this.#query = query;
  }

  query(node: TreeNode, place: Place): readonly OutputColumn[] {
    return this.#query(this, node, place);
  }

  /** Throws `TooLarge`. */
  count(): void {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) throw new TooLarge();
  }

  /** Records columns that decide which rows there are. */
  decides(origin: Origin, subtype: IndirectSubtype): void {
    if (!origin) this.isRowsPartial = true;
    for (const { table, column } of origin?.values() ?? []) this.indirect.push({ table, column, subtype });
  }

  report(name: string, candidates: readonly string[], { query_location: location }: TreeNode): void {
    this.unknown.push({ name, candidates: [...new Set(candidates)], location });
  }

  /** Reports a name of a list, such as `EXCLUDE`, that none of the columns has. */
  expectName(name: string, columns: readonly OutputColumn[], node: TreeNode): void {
    if (named(columns, name).length === 0 && !isOpen(columns, name)) this.report(name, namesOf(columns), node);
  }
}

export const named = <C extends OutputColumn>(columns: readonly C[], name: string): C[] =>
  columns.filter((column) => column.name !== undefined && folded(column.name) === folded(name));

export const namesOf = (columns: readonly OutputColumn[]) =>
  columns.flatMap(({ name }) => (name === undefined ? [] : [name]));

/** Whether there may be a column of that name although none is known. */
export function isOpen(columns: readonly OutputColumn[], name: string): boolean {
  const isPlainWord = /^[a-z_]\w*$/i.test(name);
  return columns.some(
    (column) => column.isMany || column.mayBeMany || (column.name === undefined && !(column.isText && isPlainWord)),
  );
}
