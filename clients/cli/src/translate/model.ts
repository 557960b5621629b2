import { Names, quoted } from './names.ts';
import { Untranslatable } from './report.ts';
import type { DataType, Expression } from './sql.ts';
import { type Members, present } from './values.ts';

/** What is known of the columns of tables, such as from a catalog. */
export interface ColumnTypes {
  typeOf(table: string, column: string): DataType | undefined;
}

export interface NewField {
  name: string;
  /** The name of the column, if it differs. */
  column?: string | undefined;
  type: DataType;
  description?: string | undefined;
  isHidden?: boolean | undefined;
  expression?: string | undefined;
  format?: string | undefined;
}

/** A table of the model that is made. Its fields come in the order in which they were added. */
export class Table {
  readonly alias: string;
  readonly sourceTable: string;
  readonly sourceSchema: string | undefined;
  description: string | undefined;
  /** The column that identifies rows, if it is known. */
  key: string | undefined;
  readonly #types: ColumnTypes;
  readonly #fields = new Map<string, NewField>();
  /** Types that the files state, which count where nothing else is known. */
  readonly #declared = new Map<string, DataType>();

  constructor(alias: string, { name, schema }: { name: string; schema: string | undefined }, types: ColumnTypes) {
    this.alias = alias;
    this.sourceTable = name;
    this.sourceSchema = schema;
    this.#types = types;
  }

  declareType(column: string, type: DataType): void {
    this.#declared.set(column.toLowerCase(), type);
  }

  typeOf(column: string): DataType | undefined {
    return this.#types.typeOf(this.sourceTable, column) ?? this.#declared.get(column.toLowerCase());
  }

  has(name: string): boolean {
    return this.#fields.has(name.toLowerCase());
  }

  add(field: NewField): void {
    const key = field.name.toLowerCase();
    const before = this.#fields.get(key);
    if (before && before.expression !== undefined)
      throw new Untranslatable(`The table ${this.alias} has another field "${field.name}".`);
    this.#fields.set(key, before ? { ...before, ...field } : field);
  }

  /** Adds the field of a column. Throws if nothing says of which type it is. */
  addColumn(field: Omit<NewField, 'type'>): void {
    const column = field.column ?? field.name;
    const type = this.typeOf(column);
    if (type === undefined || type === 'unknown') throw new Untranslatable(unknownType(this.sourceTable, column));
    this.add({ ...field, type, ...(column === field.name && { column: undefined }) });
  }

  /** A column in an expression; becomes a hidden field if it is not one yet. */
  column(name: string): Expression {
    const named = [...this.#fields.values()].find(
      (field) => field.expression === undefined && (field.column ?? field.name).toLowerCase() === name.toLowerCase(),
    );
    if (!named) {
      const other = this.#fields.get(name.toLowerCase());
      if (other) throw new Untranslatable(`The field "${name}" of ${this.alias} has another meaning than the column.`);
      this.addColumn({ name, isHidden: true });
    }
    return this.field(named?.name ?? name)!;
  }

  /** A field in an expression, if the table has it. */
  field(name: string): Expression | undefined {
    const field = this.#fields.get(name.toLowerCase());
    if (!field) return undefined;
    const column = field.expression === undefined ? (field.column ?? field.name) : undefined;
    const text = `[${quoted(this.alias)}.${quoted(field.name)}]`;
    return { text, type: field.type, isAtom: true, ...(column !== undefined && { column }) };
  }

  get members(): Members {
    return present({
      alias: this.alias,
      sourceSchema: this.sourceSchema,
      sourceTable: this.sourceTable,
      description: this.description,
      fields: [...this.#fields.values()].map((field) =>
        present({
          name: field.name,
          sourceColumn: field.column,
          fieldType: field.expression === undefined ? 'dimension' : 'calculated',
          dataType: field.type,
          description: field.description,
          format: field.format,
          isHidden: field.isHidden ? true : undefined,
          expression: field.expression,
        }),
      ),
    });
  }
}

const unknownType = (table: string, column: string): string =>
  `The type of the column ${table}.${column} is unknown. Add it to the files, or use --types.`;

export interface NewMeasure {
  name: string;
  expression: string;
  description?: string | undefined;
  format?: Members | undefined;
  folder?: string | undefined;
  isHidden?: boolean | undefined;
}

export interface NewRelationship {
  /** The side with one row. */
  from: { table: Table; column: string };
  to: { table: Table; column: string };
  cardinality: '1:1' | '1:N';
}

/** A model in the making. */
export class Model {
  readonly key: string;
  description: string | undefined;
  readonly #name: string;
  readonly #source: string;
  readonly #tables = new Map<string, Table>();
  readonly #measures: NewMeasure[] = [];
  readonly #measureNames = new Names(200, ' ');
  readonly #relationships = new Map<string, Members>();
  readonly #hierarchies: Members[] = [];

  constructor(key: string, name: string, source: string) {
    this.key = key;
    this.#name = name;
    this.#source = source;
  }

  addTable(table: Table): void {
    if (this.#tables.has(table.alias.toLowerCase()))
      throw new Untranslatable(`There is another table with the name "${table.alias}".`);
    this.#tables.set(table.alias.toLowerCase(), table);
  }

  table(alias: string): Table | undefined {
    return this.#tables.get(alias.toLowerCase());
  }

  get tables(): Table[] {
    return [...this.#tables.values()];
  }

  /** Adds a measure, and returns the name that it has. */
  addMeasure(measure: NewMeasure): string {
    const name = this.#measureNames.free(measure.name);
    this.#measures.push({ ...measure, name });
    return name;
  }

  addRelationship({ from, to, cardinality }: NewRelationship): void {
    if (from.table === to.table) throw new Untranslatable('A table cannot be joined to itself.');
    const ends = [from, to].map(({ table, column }) => {
      const { text } = table.column(column);
      return text.slice(1, -1);
    });
    const key = [...ends].sort().join(' ').toLowerCase();
    if (this.#relationships.has(key)) return;
    const members = { from: ends[0], to: ends[1], ...(cardinality !== '1:N' && { cardinality }) };
    this.#relationships.set(key, members);
  }

  addHierarchy(hierarchy: Members): void {
    this.#hierarchies.push(hierarchy);
  }

  /** The content of the file; `undefined` without tables. */
  get members(): Members | undefined {
    const tables = this.tables.map((table) => table.members).filter(({ fields }) => (fields as unknown[]).length > 0);
    if (tables.length === 0) return undefined;
    const lists = {
      tables,
      relationships: [...this.#relationships.values()],
      hierarchies: this.#hierarchies,
      measures: this.#measures.map((measure) => present({ ...measure, isHidden: measure.isHidden || undefined })),
    };
    return {
      name: this.#name,
      ...(this.description !== undefined && { description: this.description }),
      ...(this.#source !== 'datasets' && { source: this.#source }),
      version: 1,
      ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    };
  }
}
