import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { DataType, SqlColumn } from '../expressions/index.ts';
import { commaSeparated, indent, type Lines, select, where } from '../semantics/lines.ts';

/** A column of a query that is being built. */
export interface Output {
  name: string;
  type: DataType;
  stored?: SqlColumn['stored'];
  /** Either the column of the query's input, or an expression over them. */
  value: { column: string } | { sql: string };
}

/** A term of the order in which the rows of a table are shown. */
export interface OrderTerm {
  column: string;
  direction: 'asc' | 'desc';
  nulls: 'first' | 'last';
}

interface Level {
  outputs: readonly Output[];
  conditions?: readonly string[];
  rest?: Lines;
  /** A name of the input within the query, where that is itself a query. */
  from?: Lines;
}

/**
 * Builds a chain of queries, each over the one before. Several changes share a query as long as none needs the result
 * of another.
 */
export class SelectBuilder {
  readonly #expressions: { name: string; lines: Lines }[] = [];
  readonly #source: string;
  readonly #names = new Set<string>();
  #from: string;
  #outputs: readonly Output[];
  #conditions: string[] = [];
  #isChanged = false;

  constructor(source: string, columns: readonly Omit<Output, 'value'>[], taken: readonly string[]) {
    this.#source = source;
    this.#from = source;
    this.#outputs = columns.map((column) => ({ ...column, value: { column: column.name } }));
    for (const name of taken) this.#names.add(name);
  }

  get outputs(): readonly Output[] {
    return this.#outputs;
  }

  output(name: string): Output {
    return this.#outputs.find((output) => output.name === name)!;
  }

  /**
   * Makes the columns ones of the input, so that expressions can use them; `name` is that of the query if one is made.
   */
  prepare(columns: Iterable<string>, name: string): void {
    const wanted = new Set(columns);
    if (this.#outputs.some((output) => wanted.has(output.name) && 'sql' in output.value)) this.#wrap(name);
  }

  /**
   * Makes every column one of the input with its own name: a term of ORDER BY would else mean a column of the output.
   */
  prepareOrder(name: string): void {
    const isOfInput = ({ name: own, value }: Output) => 'column' in value && value.column === own;
    if (!this.#outputs.every(isOfInput)) this.#wrap(name);
  }

  setOutputs(outputs: readonly Output[]): void {
    this.#isChanged = true;
    this.#outputs = outputs;
  }

  filter(condition: string): void {
    this.#conditions.push(condition);
  }

  /** A query with other columns or rows than its input, in which only columns of the input are used. */
  next(name: string, { outputs, from, conditions, rest = [] }: Level): void {
    const all = from ? (conditions ?? []) : this.#conditions;
    this.#close(name, this.#level({ outputs, conditions: all, rest, ...(from ? { from } : {}) }), outputs);
  }

  /** The query so far with another column, to stand within another one. */
  inner(added: string): Lines {
    return [...select([...this.#outputs.map(writeOutput), added]), `FROM ${this.#from}`, ...where(this.#conditions)];
  }

  #wrap(name: string): void {
    this.#close(name, this.#level({ outputs: this.#outputs, conditions: this.#conditions }), this.#outputs);
  }

  get #isOpen(): boolean {
    return this.#isChanged || this.#conditions.length > 0;
  }

  /** What stands in FROM: the name of the source, or a query in parentheses. */
  get sql(): string {
    if (this.#expressions.length === 0 && !this.#isOpen) return this.#source;
    const open = this.#isOpen ? [this.#level({ outputs: this.#outputs, conditions: this.#conditions })] : [];
    const queries = [...this.#expressions.map(({ lines }) => lines), ...open];
    const expressions = queries
      .slice(0, -1)
      .map((lines, index) => [`${quoteIdentifier(this.#expressions[index]!.name)} AS (`, ...indent(lines), ')']);
    const last = queries.at(-1)!;
    const query = expressions.length > 0 ? ['WITH', ...indent(commaSeparated(expressions)), ...last] : last;
    return ['(', ...indent(query), ')'].join('\n');
  }

  #level({ outputs, conditions = [], rest = [], from }: Level): Lines {
    const input = from ? ['FROM (', ...indent(from), ') AS ranked'] : [`FROM ${this.#from}`];
    return [...select(outputs.map(writeOutput)), ...input, ...where(conditions), ...rest];
  }

  #close(wanted: string, lines: Lines, outputs: readonly Output[]): void {
    let name = wanted;
    while (this.#names.has(name)) name += '_';
    this.#names.add(name);
    this.#expressions.push({ name, lines });
    this.#from = quoteIdentifier(name);
    this.#outputs = outputs.map((output) => ({ ...output, value: { column: output.name } }));
    this.#conditions = [];
    this.#isChanged = false;
  }
}

function writeOutput({ name, value }: Output): string {
  if ('sql' in value) return `${value.sql} AS ${quoteIdentifier(name)}`;
  const column = quoteIdentifier(value.column);
  return value.column === name ? column : `${column} AS ${quoteIdentifier(name)}`;
}
