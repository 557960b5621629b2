import type { Literal } from '../language/tree.ts';
import type { DataType } from '../language/types.ts';

/** What an expression may refer to. Ids are unique among all tables, fields and measures of a scope. */
export interface Scope {
  tables: readonly ScopeTable[];
  measures: readonly ScopeMeasure[];
  /** Constants with a name, which are written like measures; their names differ from those of measures. */
  parameters?: readonly ScopeParameter[];
  /** The id of the table to which names without an alias belong; by default the only table. */
  home?: string;
}

export interface ScopeTable {
  id: string;
  alias: string;
  fields: readonly ScopeField[];
}

export interface ScopeField {
  id: string;
  name: string;
  dataType: DataType;
  /** A denied field cannot be used; a hidden one can, with a warning. */
  access?: 'hidden' | 'denied';
  /** The text of a calculated field, with current names. Names without an alias belong to its own table. */
  expression?: string;
}

export interface ScopeMeasure {
  id: string;
  name: string;
  /** The text, with current names. */
  expression: string;
}

export interface ScopeParameter {
  name: string;
  value: Exclude<Literal, { type: 'null' }>;
}

/** A name matches exactly or, if that is unique, apart from upper and lower case. */
export type Found<T> = { found: T } | { ambiguous: T[] } | undefined;

export interface FieldMatch {
  table: ScopeTable;
  field: ScopeField;
}

/** Finds names and ids of a scope in constant time. */
export class Names {
  readonly #tables: NameMap<ScopeTable>;
  readonly #fields: Map<string, NameMap<ScopeField>>;
  readonly #measures: NameMap<ScopeMeasure>;
  readonly #parameters: NameMap<ScopeParameter>;
  readonly #within = new Map<string, Names>();
  readonly scope: Scope;
  #byId: Map<string, FieldMatch> | undefined;
  #measureById: Map<string, ScopeMeasure> | undefined;

  constructor(scope: Scope, like?: Names) {
    this.scope = scope;
    this.#fields = like ? like.#fields : new Map();
    this.#tables = like ? like.#tables : new NameMap(scope.tables, ({ alias }) => alias);
    this.#measures = like ? like.#measures : new NameMap(scope.measures, ({ name }) => name);
    this.#parameters = like ? like.#parameters : new NameMap(scope.parameters ?? [], ({ name }) => name);
  }

  get homeTable(): ScopeTable | undefined {
    const { home, tables } = this.scope;
    if (home !== undefined) return tables.find(({ id }) => id === home);
    return tables.length === 1 ? tables[0] : undefined;
  }

  /** The same names, with another table for names without an alias. */
  within(home: string): Names {
    let names = this.#within.get(home);
    if (!names) {
      names = new Names({ ...this.scope, home }, this);
      this.#within.set(home, names);
    }
    return names;
  }

  table(alias: string): Found<ScopeTable> {
    return this.#tables.find(alias);
  }

  measure(name: string): Found<ScopeMeasure> {
    return this.#measures.find(name);
  }

  /** Its name is unique apart from upper and lower case. */
  parameter(name: string): ScopeParameter | undefined {
    const match = this.#parameters.find(name);
    return match && 'found' in match ? match.found : undefined;
  }

  field(table: ScopeTable, name: string): Found<ScopeField> {
    let fields = this.#fields.get(table.id);
    if (!fields) {
      fields = new NameMap(table.fields, (field) => field.name);
      this.#fields.set(table.id, fields);
    }
    return fields.find(name);
  }

  /** All fields of a name in any table that the caller may use. */
  fieldsAnywhere(name: string): FieldMatch[] {
    return this.scope.tables.flatMap((table) => {
      const match = this.field(table, name);
      return match && 'found' in match && match.found.access !== 'denied' ? [{ table, field: match.found }] : [];
    });
  }

  fieldById(id: string): FieldMatch | undefined {
    this.#byId ??= new Map(
      this.scope.tables.flatMap((table) => table.fields.map((field) => [field.id, { table, field }] as const)),
    );
    return this.#byId.get(id);
  }

  measureById(id: string): ScopeMeasure | undefined {
    this.#measureById ??= new Map(this.scope.measures.map((measure) => [measure.id, measure]));
    return this.#measureById.get(id);
  }
}

const KNOWN = new WeakMap<Scope, Names>();

/** The names of a scope, which are sorted once: a scope must not be changed afterwards. */
export function namesOf(scope: Scope): Names {
  let names = KNOWN.get(scope);
  if (!names) {
    names = new Names(scope);
    KNOWN.set(scope, names);
  }
  return names;
}

class NameMap<T> {
  readonly #exact = new Map<string, T>();
  readonly #folded = new Map<string, T[]>();

  constructor(items: readonly T[], nameOf: (item: T) => string) {
    for (const item of items) {
      this.#exact.set(nameOf(item), item);
      const folded = nameOf(item).toLowerCase();
      const same = this.#folded.get(folded);
      if (same) same.push(item);
      else this.#folded.set(folded, [item]);
    }
  }

  find(name: string): Found<T> {
    const exact = this.#exact.get(name);
    if (exact !== undefined) return { found: exact };
    const same = this.#folded.get(name.toLowerCase());
    if (!same) return undefined;
    return same.length === 1 ? { found: same[0]! } : { ambiguous: same };
  }
}
