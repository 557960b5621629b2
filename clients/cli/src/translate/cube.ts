import { CubeView, withoutUnused } from './cube-views.ts';
import { type Entry, entriesOf, innerEntries, yamlBelow } from './entries.ts';
import { Model, Table } from './model.ts';
import { Names, quoted, slugOf } from './names.ts';
import { Report, Untranslatable } from './report.ts';
import { bracketed, type DataType, type Expression, type Scope, translateSql } from './sql.ts';
import type { Definition, Target, Translator } from './translation.ts';
import { listOf, type Members, membersOf, present, textOf } from './values.ts';

/** The cubes of a project become a model, and each of its views a smaller one. */
export const translateCube: Translator = async (folder, target, report) => {
  const files = await yamlBelow(folder, report);
  const cubes = files.flatMap((file) => entriesOf(file, ['cubes']));
  const [keys, titles] = [new Names(), new Names(200, ' ')];
  const title = titles.free(target.name ?? 'Cube');
  const whole = new Model(keys.free(slugOf(title)), title, target.source);
  new CubeTranslation(cubes, whole, target, report).translate();
  const made: Definition[] = whole.members ? [{ kind: 'model', key: whole.key, members: whole.members }] : [];
  for (const entry of files.flatMap((file) => entriesOf(file, ['views']))) {
    const view = report.attempt(entry.at(), `view ${textOf(entry.members.name)}`, () =>
      translateView(entry, cubes, { target, report, keys, titles }),
    );
    if (view) made.push(view);
  }
  return made;
};

interface ViewContext {
  target: Target;
  report: Report;
  keys: Names;
  titles: Names;
}

/** A model of the cubes of a view, which shows what the view shows. */
function translateView(entry: Entry, cubes: readonly Entry[], { target, report, keys, titles }: ViewContext) {
  const view = new CubeView(entry);
  const { name, description, folders } = entry.members;
  const own = cubes.filter(({ members }) => view.cubes.has(textOf(members.name) ?? ''));
  const title = textOf(entry.members.title) ?? textOf(name) ?? '';
  const model = new Model(keys.free(slugOf(textOf(name) ?? '')), titles.free(title), target.source);
  model.description = textOf(description);
  // What is wrong with the cubes has been reported with them.
  const translation = new CubeTranslation(own, model, target, new Report(), view);
  translation.translate();
  const members = model.members && withoutUnused(model.members);
  if (!members || !translation.isShown) throw new Untranslatable('Nothing that it shows could be translated.');
  view.noteMissing(report, (cube, member) => translation.has(cube, member));
  if (folders !== undefined)
    report.unmapped(entry.at('folders'), `folders of view ${view.name}`, 'They have no counterpart.');
  return { kind: 'model', key: model.key, members: present(members) };
}

interface Cube {
  name: string;
  entry: Entry;
  table: Table;
}

/** Members may be written in either way. */
const memberOf = (members: Members, name: string): unknown =>
  members[name] ?? members[name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];

const isHidden = (members: Members): boolean => members.public === false || members.shown === false;

const TYPES: Readonly<Record<string, DataType>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  time: 'datetime',
};

const IGNORED = new Set(
  'name title description sql sql_table sqlTable data_source dataSource joins dimensions measures segments public shown meta hierarchies refresh_key refreshKey'.split(
    ' ',
  ),
);

class CubeTranslation {
  readonly #entries: readonly Entry[];
  readonly #model: Model;
  readonly #target: Target;
  readonly #report: Report;
  readonly #cubes = new Map<string, Cube>();
  /** Measures by cube and name; those under way have none yet. */
  readonly #measures = new Map<string, string | undefined>();
  readonly #hierarchies = new Set<string>();
  /** Dimensions and segments that are fields, by their names in the cube. */
  readonly #fields = new Set<string>();
  readonly #taken = new Set<string>();
  readonly #repeated: ReadonlySet<string>;
  /** Shows a part of the cubes only. */
  readonly #view: CubeView | undefined;

  constructor(entries: readonly Entry[], model: Model, target: Target, report: Report, view?: CubeView) {
    this.#entries = entries;
    this.#model = model;
    this.#target = target;
    this.#report = report;
    this.#view = view;
    this.#repeated = repeatedNames(entries);
  }

  /** Whether readers see anything. */
  get isShown(): boolean {
    return [...this.#cubes.values()].some(({ name, entry }) =>
      ['dimensions', 'measures', 'segments'].some((list) =>
        innerEntries(entry, list).some(({ members }) => {
          const member = textOf(members.name) ?? '';
          return !this.#isHidden(name, members) && this.has(name, member);
        }),
      ),
    );
  }

  has(cube: string, member: string): boolean {
    return (
      this.#fields.has(`${cube}.${member}`) ||
      this.#measures.get(`${cube}.${member}`) !== undefined ||
      this.#hierarchies.has(`${cube}.${member}`)
    );
  }

  #nameOf = (cube: string, member: string): string => this.#view?.nameOf(cube, member) ?? member;

  #isHidden(cube: string, members: Members): boolean {
    return isHidden(members) || this.#view?.shows(cube, textOf(members.name) ?? '') === false;
  }

  /** A member as the view has it. */
  #seen({ name: cube }: Cube, { members }: Entry): Members {
    return { ...members, ...this.#view?.membersOf(cube, textOf(members.name) ?? '') };
  }

  /** The field of a dimension or segment. */
  #field({ name: cube, table }: Cube, member: string): Expression | undefined {
    return table.field(this.#nameOf(cube, member));
  }

  /** A view may call a member like another one of its cube. */
  #freeName(cube: Cube, member: string): string {
    if (!this.#view) return member;
    const name = this.#nameOf(cube.name, member);
    const key = `${cube.name}.${name}`.toLowerCase();
    if (this.#taken.has(key) || (name !== member && cube.table.has(name)))
      throw new Untranslatable(`The table ${cube.name} has another field "${name}".`);
    this.#taken.add(key);
    return name;
  }

  translate(): void {
    for (const entry of this.#entries) this.#addCube(entry);
    const cubes = [...this.#cubes.values()];
    for (const cube of cubes) this.#addColumns(cube);
    for (const cube of cubes) this.#addCalculated(cube);
    for (const cube of cubes) this.#addSegments(cube);
    for (const cube of cubes) this.#addJoins(cube);
    for (const cube of cubes) this.#addHierarchies(cube);
    for (const cube of cubes)
      for (const measure of innerEntries(cube.entry, 'measures')) this.#addMeasure(cube, measure);
    for (const cube of cubes) this.#noteOthers(cube);
  }

  #addCube(entry: Entry): void {
    const name = textOf(entry.members.name) ?? '';
    this.#report.attempt(entry.at(), `cube ${name}`, () => {
      if (entry.members.extends !== undefined)
        throw new Untranslatable('Cubes that extend others have no counterpart.');
      const source = tableOf(entry.members);
      const table = new Table(name, { name: source.name, schema: this.#schemaOf(source.schema) }, this.#target.types);
      table.description = textOf(entry.members.description);
      for (const { members } of innerEntries(entry, 'dimensions')) {
        const [column, type] = [plainColumn(members, name), TYPES[textOf(members.type) ?? '']];
        if (column !== undefined && type) table.declareType(column, type);
      }
      this.#model.addTable(table);
      const cube = { name, entry, table };
      this.#cubes.set(name, cube);
      this.#declareNumbers(cube);
    });
  }

  /** Datasets have none. */
  #schemaOf(written: string | undefined): string | undefined {
    return this.#target.source === 'datasets' ? undefined : (this.#target.schema ?? written);
  }

  /** Sums and means are of numbers, so a column in one needs no other word about its type. */
  #declareNumbers({ name, entry, table }: Cube): void {
    for (const { members } of innerEntries(entry, 'measures')) {
      if (members.type !== 'sum' && members.type !== 'avg') continue;
      const column = plainColumn(members, name);
      if (column !== undefined && table.typeOf(column) === undefined) table.declareType(column, 'number');
    }
  }

  /** Dimensions that are columns come first, because expressions read them. */
  #addColumns(cube: Cube): void {
    const { name, entry, table } = cube;
    for (const dimension of innerEntries(entry, 'dimensions')) {
      const members = this.#seen(cube, dimension);
      const column = plainColumn(members, name);
      const field = textOf(members.name) ?? '';
      if (column === undefined) continue;
      this.#report.attempt(dimension.at(), `dimension ${name}.${field}`, (checks) => {
        if (!TYPES[textOf(members.type) ?? ''])
          throw new Untranslatable(`The type ${textOf(members.type)} has no counterpart.`);
        table.addColumn({ name: this.#freeName(cube, field), column, ...this.#shownOf(name, members, checks) });
        this.#fields.add(`${name}.${field}`);
        if (isKey(members)) table.key = keysOf(entry) === 1 ? column : undefined;
      });
    }
  }

  #addCalculated(cube: Cube): void {
    for (const dimension of innerEntries(cube.entry, 'dimensions')) {
      const members = this.#seen(cube, dimension);
      const name = textOf(members.name) ?? '';
      if (plainColumn(members, cube.name) !== undefined) continue;
      this.#report.attempt(dimension.at(), `dimension ${cube.name}.${name}`, (checks) => {
        if (!TYPES[textOf(members.type) ?? ''])
          throw new Untranslatable(`The type ${textOf(members.type)} has no counterpart.`);
        if (memberOf(members, 'sub_query') === true)
          throw new Untranslatable('Dimensions of measures (sub_query) have no counterpart.');
        const made = members.case === undefined ? undefined : this.#caseOf(cube, membersOf(members.case), checks);
        const expression = made ?? translateSql(sqlOf(members), this.#rowScope(cube, checks));
        if (expression.type === 'unknown') throw new Untranslatable('The type of its expression is unknown.');
        cube.table.add({
          ...{ name: this.#freeName(cube, name), type: expression.type, expression: expression.text },
          ...this.#shownOf(cube.name, members, checks),
        });
        this.#fields.add(`${cube.name}.${name}`);
      });
    }
  }

  /** A condition becomes a field that says whether it holds: questions filter by it. */
  #addSegments(cube: Cube): void {
    for (const segment of innerEntries(cube.entry, 'segments')) {
      const members = this.#seen(cube, segment);
      const name = textOf(members.name) ?? '';
      this.#report.attempt(segment.at(), `segment ${cube.name}.${name}`, (checks) => {
        const { type, text } = translateSql(sqlOf(members), this.#rowScope(cube, checks));
        if (type !== 'boolean') throw new Untranslatable('It is not a condition.');
        if (this.#field(cube, name)) throw new Untranslatable(`The table ${cube.name} has another field "${name}".`);
        cube.table.add({
          ...{ name: this.#freeName(cube, name), type, expression: text },
          ...this.#shownOf(cube.name, members, checks),
        });
        this.#fields.add(`${cube.name}.${name}`);
      });
    }
  }

  #shownOf(cube: string, members: Members, checks: string[]) {
    return { ...shownOf(members, checks), isHidden: this.#isHidden(cube, members) ? true : undefined };
  }

  #caseOf(cube: Cube, members: Members, checks: string[]): Expression {
    const label = (value: unknown) => {
      const text = textOf(membersOf(value).label ?? value);
      if (text === undefined) throw new Untranslatable('A label of its cases is not a text.');
      return `'${text.replaceAll("'", "''")}'`;
    };
    const whens = listOf(members.when).map(
      (each) => `WHEN ${sqlOf(membersOf(each))} THEN ${label(membersOf(each).label)}`,
    );
    const other = members.else === undefined ? '' : ` ELSE ${label(members.else)}`;
    return translateSql(`CASE ${whens.join(' ')}${other} END`, this.#rowScope(cube, checks));
  }

  /** Columns of the cube, and dimensions of this cube or another one. */
  #rowScope(cube: Cube, checks: string[]): Scope {
    return {
      checks,
      column: (name, of) => {
        if (of !== undefined && of !== cube.name) throw new Untranslatable(`"${of}.${name}" is in another table.`);
        return cube.table.column(name);
      },
      reference: (content, column) => {
        const [first = '', second] = content.split('.');
        const owner = first === 'CUBE' ? cube : this.#cubes.get(first);
        if (column !== undefined) {
          if (!owner || second !== undefined) throw new Untranslatable(`"{${content}}" is not a cube.`);
          return owner.table.column(column);
        }
        const field = second === undefined ? this.#field(cube, first) : owner && this.#field(owner, second);
        if (!field) throw new Untranslatable(`"{${content}}" is not a dimension of the model.`);
        return field;
      },
    };
  }

  #addJoins(cube: Cube): void {
    const { joins } = cube.entry.members;
    const entries = Array.isArray(joins)
      ? innerEntries(cube.entry, 'joins')
      : Object.entries(membersOf(joins)).map(
          ([name, value]): Entry => ({
            members: { name, ...membersOf(value) },
            at: (...path) => cube.entry.at('joins', name, ...path),
          }),
        );
    for (const join of entries) {
      const name = textOf(join.members.name) ?? '';
      if (this.#view?.joins(cube.name, name) === false) continue;
      this.#report.attempt(join.at(), `join of ${cube.name} and ${name}`, () => {
        const other = this.#cubes.get(name);
        if (!other) throw new Untranslatable(`There is no cube ${name}.`);
        const sides = sqlOf(join.members)
          .split('=')
          .map((side) => this.#endOf(cube, side.trim()));
        const own = sides.find((side) => side.table === cube.table);
        const joined = sides.find((side) => side.table === other.table);
        if (sides.length !== 2 || !own || !joined)
          throw new Untranslatable('Tables can be joined only where one column of each is equal.');
        declareAlike(own, joined);
        const relationship = (textOf(join.members.relationship) ?? '').toLowerCase().replaceAll('_', '');
        if (/^(manytoone|belongsto)$/.test(relationship))
          this.#model.addRelationship({ from: joined, to: own, cardinality: '1:N' });
        else if (/^(onetomany|hasmany)$/.test(relationship))
          this.#model.addRelationship({ from: own, to: joined, cardinality: '1:N' });
        else if (/^(onetoone|hasone)$/.test(relationship))
          this.#model.addRelationship({ from: own, to: joined, cardinality: '1:1' });
        else throw new Untranslatable('It is not known how many rows match: set its relationship.');
      });
    }
  }

  /** `{CUBE}.user_id`, `{CUBE.user_id}` or `{users.id}`. */
  #endOf(cube: Cube, text: string): End {
    const [, first = '', member, column] = /^\$?\{(\w+)(?:\.(\w+))?\}(?:\."?(\w+)"?)?$/.exec(text) ?? [];
    const owner = first === 'CUBE' ? cube : this.#cubes.get(first);
    if (!owner) throw new Untranslatable(`"${text}" is not a column of a cube.`);
    const name = column ?? (member === undefined ? undefined : this.#field(owner, member)?.column);
    if (name === undefined) throw new Untranslatable(`"${text}" is not a column of a cube.`);
    return { table: owner.table, column: name };
  }

  #addHierarchies(cube: Cube): void {
    for (const hierarchy of innerEntries(cube.entry, 'hierarchies')) {
      const name = textOf(hierarchy.members.title) ?? textOf(hierarchy.members.name) ?? '';
      this.#report.attempt(hierarchy.at(), `hierarchy ${cube.name}.${name}`, () => {
        const levels = listOf(hierarchy.members.levels).map((level) => {
          const [first = '', second] = String(level).split('.');
          const owner = second === undefined ? cube : this.#cubes.get(first);
          const field = owner && this.#field(owner, second ?? first);
          const isShown = !owner || this.#view?.shows(owner.name, second ?? first) !== false;
          if (!field || !isShown) throw new Untranslatable(`Its level ${String(level)} is not in the model.`);
          return { field: field.text.slice(1, -1) };
        });
        if (levels.length < 2) throw new Untranslatable('A hierarchy has at least two levels.');
        this.#hierarchies.add(`${cube.name}.${textOf(hierarchy.members.name)}`);
        this.#model.addHierarchy({ name, levels });
      });
    }
  }

  #addMeasure(cube: Cube, entry: Entry): string | undefined {
    const name = textOf(entry.members.name) ?? '';
    const key = `${cube.name}.${name}`;
    if (this.#measures.has(key)) return this.#measures.get(key);
    this.#measures.set(key, undefined);
    const made = this.#report.attempt(entry.at(), `measure ${key}`, (checks) => {
      const members = this.#seen(cube, entry);
      const expression = this.#measureText(cube, members, checks);
      const title = textOf(members.title) ?? this.#nameOf(cube.name, name);
      return this.#model.addMeasure({
        name: this.#repeated.has(title.toLowerCase()) ? `${cube.name} ${title}` : title,
        expression,
        description: textOf(members.description),
        format: formatOf(members, checks),
        isHidden: this.#isHidden(cube.name, members),
      });
    });
    this.#measures.set(key, made);
    return made;
  }

  #measureText(cube: Cube, members: Members, checks: string[]): string {
    for (const name of ['multi_stage', 'time_shift', 'group_by', 'reduce_by', 'add_group_by', 'case'])
      if (memberOf(members, name) !== undefined) throw new Untranslatable(`${name} has no counterpart.`);
    const type = textOf(members.type) ?? '';
    const filter = this.#filterOf(cube, listOf(members.filters), checks);
    const aggregate = AGGREGATES[type];
    let text: string;
    if (aggregate) {
      if (type === 'count_distinct_approx') checks.push('The platform counts exactly.');
      text = `${aggregate}(${this.#aggregated(cube, members, checks)})${filter}`;
    } else if (type === 'number' || type === 'string' || type === 'time' || type === 'boolean') {
      if (filter !== '') throw new Untranslatable('Filters of measures that combine others have no counterpart.');
      text = translateSql(sqlOf(members), this.#measureScope(cube, checks)).text;
    } else throw new Untranslatable(`Measures of the type ${type || '(none)'} have no counterpart.`);
    return rolled(text, memberOf(members, 'rolling_window'));
  }

  #aggregated(cube: Cube, members: Members, checks: string[]): string {
    if (textOf(members.sql) !== undefined) {
      return translateSql(sqlOf(members), this.#rowScope(cube, checks)).text;
    }
    if (cube.table.key === undefined)
      throw new Untranslatable('Rows are counted by their key, and the cube has no single-column key.');
    return cube.table.column(cube.table.key).text;
  }

  #filterOf(cube: Cube, filters: readonly unknown[], checks: string[]): string {
    const conditions = filters.map((filter) => translateSql(sqlOf(membersOf(filter)), this.#rowScope(cube, checks)));
    if (conditions.length === 0) return '';
    return ` FILTER (WHERE ${conditions.length === 1 ? conditions[0]!.text : conditions.map(bracketed).join(' AND ')})`;
  }

  /** Measures by their names, and aggregates in SQL. */
  #measureScope(cube: Cube, checks: string[]): Scope {
    const rows = this.#rowScope(cube, checks);
    return {
      ...rows,
      aggregates: true,
      reference: (content, column) => {
        const [first = '', second] = content.split('.');
        const owner = second === undefined || first === 'CUBE' ? cube : this.#cubes.get(first);
        const name = second ?? first;
        const entry = owner && innerEntries(owner.entry, 'measures').find(({ members }) => members.name === name);
        if (!owner || !entry || column !== undefined) return rows.reference(content, column);
        const measure = this.#addMeasure(owner, entry);
        if (measure === undefined) throw new Untranslatable(`The measure {${content}} is not in the model.`);
        return { text: `{${quoted(measure)}}`, type: 'number', isAtom: true, isAggregate: true };
      },
    };
  }

  #noteOthers({ name, entry }: Cube): void {
    for (const [member, value] of Object.entries(entry.members)) {
      if (IGNORED.has(member)) continue;
      const parts = innerEntries(entry, member);
      const reason =
        REASONS[member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] ?? 'It has no counterpart.';
      for (const part of parts)
        this.#report.unmapped(part.at(), `${member} ${name}.${textOf(part.members.name)}`, reason);
      if (parts.length === 0 && value !== undefined && value !== null)
        this.#report.unmapped(entry.at(member), `${member} of ${name}`, reason);
    }
  }
}

const REASONS: Readonly<Record<string, string>> = {
  pre_aggregations: 'The platform caches answers; for a model, define a rollup.',
  access_policy: 'Row-level security is set on the platform, by an admin.',
};

const AGGREGATES: Readonly<Record<string, string>> = {
  count: 'COUNT',
  count_distinct: 'COUNT_DISTINCT',
  count_distinct_approx: 'COUNT_DISTINCT',
  sum: 'SUM',
  avg: 'AVG',
  min: 'MIN',
  max: 'MAX',
};

interface End {
  table: Table;
  column: string;
}

/** Columns that are compared are of the same kind. */
function declareAlike(one: End, other: End): void {
  for (const [known, unknown] of [
    [one, other],
    [other, one],
  ] as const) {
    const type = known.table.typeOf(known.column);
    if (type !== undefined && unknown.table.typeOf(unknown.column) === undefined)
      unknown.table.declareType(unknown.column, type);
  }
}

/** The names of measures that several cubes have, such as `count`. */
function repeatedNames(entries: readonly Entry[]): Set<string> {
  const all = entries.flatMap((entry) =>
    innerEntries(entry, 'measures').map(({ members }) =>
      (textOf(members.title) ?? textOf(members.name) ?? '').toLowerCase(),
    ),
  );
  return new Set(all.filter((name, index) => all.indexOf(name) !== index));
}

function sqlOf({ sql }: Members): string {
  const text = textOf(sql);
  if (text === undefined) throw new Untranslatable('It has no SQL.');
  return text;
}

/** The table of `sql_table`, or of a statement that is nothing but all rows of one. */
function tableOf(members: Members): { name: string; schema: string | undefined } {
  const whole =
    textOf(memberOf(members, 'sql_table')) ??
    /^\s*select\s+\*\s+from\s+([\w."]+)\s*;?\s*$/i.exec(textOf(members.sql) ?? '')?.[1];
  const parts = whole?.split('.').map((part) => part.replaceAll(/["`]/g, ''));
  if (!parts || parts.some((part) => !/^\w+$/.test(part)))
    throw new Untranslatable(
      'Its rows come from a statement; make a dataset or a view of it, and name that in sql_table.',
    );
  return { name: parts.at(-1)!, schema: parts.at(-2) };
}

/** The column of a dimension that is nothing but one. */
function plainColumn(members: Members, cube: string): string | undefined {
  if (members.case !== undefined || memberOf(members, 'sub_query') === true) return undefined;
  const sql = textOf(members.sql) ?? '';
  const [, owner, column] = /^(?:\$?\{(\w+)\}\.)?"?(\w+)"?$/.exec(sql) ?? [];
  return owner === undefined || owner === 'CUBE' || owner === cube ? column : undefined;
}

const isKey = (members: Members): boolean => memberOf(members, 'primary_key') === true;

const keysOf = (entry: Entry): number =>
  innerEntries(entry, 'dimensions').filter(({ members }) => isKey(members)).length;

function shownOf(members: Members, checks: string[]) {
  const format = textOf(members.format);
  if (format !== undefined && format !== 'percent') checks.push(`The format "${format}" has no counterpart.`);
  return {
    description: textOf(members.description),
    isHidden: isHidden(members) ? true : undefined,
    format: format === 'percent' ? 'percent' : undefined,
  };
}

function formatOf(members: Members, checks: string[]): Members | undefined {
  const format = textOf(members.format);
  if (format === 'percent') return { kind: 'percent' };
  const currency = textOf(members.currency);
  if (format === 'currency' && currency !== undefined) return { kind: 'currency', currency: currency.toUpperCase() };
  if (format !== undefined) checks.push(`The format "${format}" has no counterpart.`);
  return undefined;
}

function rolled(text: string, window: unknown): string {
  if (window === undefined) return text;
  const { trailing, leading, offset, type } = membersOf(window);
  if (leading !== undefined || (offset !== undefined && offset !== 'end') || type !== undefined)
    throw new Untranslatable('Its rolling window has no counterpart.');
  if (trailing === 'unbounded') return `CUMULATIVE(${text})`;
  const [, count, grain] = /^(\d+)\s+(day|week|month|quarter|year)s?$/i.exec(textOf(trailing) ?? '') ?? [];
  if (!count || !grain) throw new Untranslatable('Its rolling window has no counterpart.');
  return `TRAILING(${text}, "${grain.toLowerCase()}", ${count})`;
}
