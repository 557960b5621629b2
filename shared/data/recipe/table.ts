import type { Issue } from '../../platform/errors/app-error.ts';
import { folded } from '../duckdb/column-names.ts';
import { call, column, type Expression, type Output, type Relation, value } from './tree.ts';

/** A column whose type is unknown where an author's expression decides it. */
export interface RecipeColumn {
  name: string;
  type?: string | undefined;
}

/** Rows between two operations; their columns are unknown while it is not known what a source holds. */
export interface Table {
  relation: Relation;
  columns: RecipeColumn[] | undefined;
}

export type Tables = Readonly<Record<string, Table>>;

/** Rows that must all be looked at: `bad` fails at one, and otherwise does not hold. */
export interface Check {
  of: Relation;
  bad: Expression;
}

/** One operation at work: what it reads, where its issues are told, and what it asks of rows that later operations may leave out. */
export class Working {
  readonly tables: Tables;
  readonly #place: string;
  readonly #faults: Issue[];
  readonly #checks: Check[];

  constructor(tables: Tables, { place, issues, checks }: { place: string; issues: Issue[]; checks: Check[] }) {
    this.tables = tables;
    this.#place = place;
    this.#faults = issues;
    this.#checks = checks;
  }

  check(check: Check): void {
    this.#checks.push(check);
  }

  issue(member: string, code: string, message: string): void {
    this.#faults.push({ pointer: `${this.#place}/${member}`, code, message });
  }

  /** The column as the table spells it; tells of one that is not there, or of a type that does not serve. */
  find(table: Table, member: string, name: string, serves?: Serves): RecipeColumn {
    const found = table.columns?.find((each) => folded(each.name) === folded(name));
    if (table.columns && !found) this.issue(member, 'COLUMN_UNKNOWN', `there is no column ${name}`);
    if (found?.type && serves && !serves.test(found.type)) {
      this.issue(member, 'COLUMN_TYPE', `${name} is ${found.type}, which ${serves.refusal}`);
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

  /** Tells of a new column whose name is taken. */
  free(table: Table, member: string, name: string): void {
    this.apart(table.columns, [{ member, name }]);
  }

  /** Tells of each column whose name one of the `others` has, or one before it. */
  apart(others: readonly RecipeColumn[] = [], made: readonly { member: string; name: string }[]): void {
    const taken = new Set(others.map(({ name }) => folded(name)));
    for (const { member, name } of made) {
      if (taken.has(folded(name))) this.issue(member, 'COLUMN_TAKEN', `there is a column ${name} already`);
      taken.add(folded(name));
    }
  }

  /** As `findAll`, where each of the columns becomes one of the result. */
  findEach(table: Table, member: string, names: readonly string[]): RecipeColumn[] {
    const places = names.map((name, index) => ({ member: `${member}/${index}`, name }));
    this.apart([], places);
    return this.findAll(table, member, names);
  }
}

export interface Serves {
  test(type: string): boolean;
  refusal: string;
}

export const NUMBERS: Serves = {
  test: (type) => /^(integer|double|decimal)/.test(type),
  refusal: 'is no number',
};
export const TEXTS: Serves = { test: (type) => type === 'string', refusal: 'is no text' };
export const LISTS: Serves = { test: (type) => type.startsWith('list('), refusal: 'is no list' };
export const TEXTS_OR_JSON: Serves = {
  test: (type) => type === 'string' || type === 'json',
  refusal: 'is neither text nor JSON',
};

type Select = Extract<Relation, { kind: 'select' }>;

/** All columns as they are, under the given conditions. */
export function keepAll(table: Table, more: Partial<Omit<Select, 'kind' | 'from' | 'outputs'>>): Table {
  return { ...table, relation: { kind: 'select', from: table.relation, outputs: same(table.columns ?? []), ...more } };
}

export const same = (columns: readonly RecipeColumn[]): Output[] =>
  columns.map(({ name }) => ({ name, value: column(name) }));

/** The table with a column in the place of the one of that name, or behind the others. */
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
 * The rows, once all that is checked was looked at. An engine applies the conditions of later operations first, or none where
 * nothing is left to read; here the rows of each check are counted for themselves, and a statement that reads the counts cannot
 * leave them out.
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
