import type { Issue } from '../../platform/errors/app-error.ts';
import { nearest } from '../../platform/text/nearest.ts';
import { folded } from '../duckdb/column-names.ts';
import { call, column, type Expression, type Output, type Relation, value } from './tree.ts';

/** A column. Its type is unknown if an author's expression determines it. */
export interface RecipeColumn {
  name: string;
  type?: string | undefined;
}

/** The rows between two operations. Their columns are unknown while those of an input are unknown. */
export interface Table {
  relation: Relation;
  columns: RecipeColumn[] | undefined;
}

export type Tables = Readonly<Record<string, Table>>;

/** Rows that must all be checked. `bad` fails at an invalid row and is false otherwise. */
export interface Check {
  of: Relation;
  bad: Expression;
}

interface Context {
  place: string;
  issues: Issue[];
  checks: Check[];
  /** Whether issues name the nearest column. */
  suggests?: boolean | undefined;
}

/**
 * The context in which an operation is compiled: its inputs, where its issues are reported, and checks on rows that
 * later operations may leave out.
 */
export class OpContext {
  readonly tables: Tables;
  readonly #place: string;
  readonly #issues: Issue[];
  readonly #checks: Check[];
  readonly #suggests: boolean;

  constructor(tables: Tables, { place, issues, checks, suggests = false }: Context) {
    this.tables = tables;
    this.#suggests = suggests;
    this.#place = place;
    this.#issues = issues;
    this.#checks = checks;
  }

  check(check: Check): void {
    this.#checks.push(check);
  }

  issue(member: string, code: string, message: string): void {
    this.#issues.push({ pointer: `${this.#place}/${member}`, code, message });
  }

  /** Returns the column as the table spells it. Reports an unknown column, or one of an unsuitable type. */
  find(table: Table, member: string, name: string, expected?: TypeRule): RecipeColumn {
    const found = table.columns?.find((each) => folded(each.name) === folded(name));
    if (table.columns && !found) {
      const names = this.#suggests ? table.columns.map((each) => each.name) : [];
      const near = nearest(name, names);
      this.issue(
        member,
        'COLUMN_UNKNOWN',
        `there is no column ${name}${near === undefined ? '' : `; did you mean "${near}"?`}`,
      );
    }
    if (found?.type && expected && !expected.test(found.type)) {
      this.issue(member, 'COLUMN_TYPE', `${name} is ${found.type}, which ${expected.mismatch}`);
    }
    return found ?? { name };
  }

  findAll(table: Table, member: string, names: readonly string[]): RecipeColumn[] {
    return names.map((name, index) => this.find(table, `${member}/${index}`, name));
  }

  /** Another input of the step. */
  input(member: string, alias: string): Table | undefined {
    const found = Object.hasOwn(this.tables, alias) ? this.tables[alias] : undefined;
    if (!found) this.issue(member, 'INPUT_UNKNOWN', `the step has no input ${alias}`);
    return found;
  }

  /** Reports a new column whose name is already in use. */
  free(table: Table, member: string, name: string): void {
    this.apart(table.columns, [{ member, name }]);
  }

  /** Reports each new column whose name one of the `others`, or an earlier new one, has. */
  apart(others: readonly RecipeColumn[] = [], made: readonly { member: string; name: string }[]): void {
    const taken = new Set(others.map(({ name }) => folded(name)));
    for (const { member, name } of made) {
      if (taken.has(folded(name))) this.issue(member, 'COLUMN_TAKEN', `the name ${name} is already in use`);
      taken.add(folded(name));
    }
  }

  /** Like `findAll`, for columns that each become one column of the result. */
  findEach(table: Table, member: string, names: readonly string[]): RecipeColumn[] {
    const places = names.map((name, index) => ({ member: `${member}/${index}`, name }));
    this.apart([], places);
    return this.findAll(table, member, names);
  }
}

export interface TypeRule {
  test(type: string): boolean;
  mismatch: string;
}

export const NUMBERS: TypeRule = {
  test: (type) => /^(integer|double|decimal)/.test(type),
  mismatch: 'is not a number',
};
export const TEXTS: TypeRule = { test: (type) => type === 'string', mismatch: 'is not text' };
export const LISTS_OR_JSON: TypeRule = {
  test: (type) => type.startsWith('list(') || type === 'json',
  mismatch: 'is neither a list nor JSON',
};
export const TEXTS_OR_JSON: TypeRule = {
  test: (type) => type === 'string' || type === 'json',
  mismatch: 'is neither text nor JSON',
};

type Select = Extract<Relation, { kind: 'select' }>;

/** Keeps all columns unchanged, under the given conditions. */
export function keepAll(table: Table, more: Partial<Omit<Select, 'kind' | 'from' | 'outputs'>>): Table {
  return { ...table, relation: { kind: 'select', from: table.relation, outputs: same(table.columns ?? []), ...more } };
}

export const same = (columns: readonly RecipeColumn[]): Output[] =>
  columns.map(({ name }) => ({ name, value: column(name) }));

/** Replaces the column of that name, or adds it at the end. */
export function withColumn(table: Table, added: RecipeColumn, value: Expression): Table {
  const columns = table.columns ?? [];
  const at = columns.findIndex(({ name }) => folded(name) === folded(added.name));
  const put = <T>(list: T[], item: T) => (at < 0 ? [...list, item] : list.with(at, item));
  const name = at < 0 ? added.name : columns[at]!.name;
  return {
    relation: { kind: 'select', from: table.relation, outputs: put(same(columns), { name, value }) },
    columns: table.columns && put(columns, { ...added, name }),
  };
}

const BAD_ROWS = 'rows that fail';

/**
 * The rows, once all checks have been evaluated. An engine applies the conditions of later operations first, or none if
 * no rows are left to read. Here the rows of each check are counted separately, and a statement that reads the counts
 * cannot skip them.
 */
export function checkedRows({ relation, columns = [] }: Table, checks: readonly Check[]): Relation {
  if (checks.length === 0) return relation;
  const empty = checks.map(({ of, bad }): Relation => {
    const count: Expression = { kind: 'aggregate', fn: 'count', of: null };
    const counted: Relation = {
      kind: 'select',
      from: of,
      where: bad,
      groupBy: [],
      outputs: [{ name: BAD_ROWS, value: count }],
    };
    const where = call('greater', column(BAD_ROWS), value(0));
    return { kind: 'select', from: counted, where, outputs: columns.map(({ name }) => ({ name, value: value(null) })) };
  });
  return { kind: 'set', op: 'union', all: true, inputs: [...empty, relation] };
}
