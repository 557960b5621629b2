import { descriptionOf, readDbtProject, tableNameOf } from './dbt/project.ts';
import { tableFor } from './dbt/tables.ts';
import { qualityTests } from './dbt/tests.ts';
import { type Entry, innerEntries } from './entries.ts';
import { Model, type Table } from './model.ts';
import { Names, quoted, slugOf } from './names.ts';
import { type Report, Untranslatable } from './report.ts';
import { bracketed, type DataType, type Expression, type Scope, textConstant, translateSql } from './sql.ts';
import type { Definition, Target, Translator } from './translation.ts';
import { isMembers, listOf, type Members, membersOf, present, textOf } from './values.ts';

/** Models with what Lightdash adds to them become a model with its measures and metrics; tests of dbt as well. */
export const translateLightdash: Translator = async (folder, target, report) => {
  const project = await readDbtProject(folder, report);
  const model = new Model(slugOf(project.name), project.name, target.source);
  const metrics = new LightdashTranslation(project.relations, model, target, report).translate();
  const { members } = model;
  return [
    ...(members ? [{ kind: 'model', key: model.key, members }] : []),
    ...metrics,
    ...qualityTests({ project, source: target.source, schema: target.schema, report }),
  ];
};

/** What Lightdash reads of a model or a column: `meta`, or (since dbt 1.10) `config.meta`. */
function metaOf({ members, at }: Entry): Entry {
  const config = membersOf(members.config);
  const [inner, outer] = [membersOf(config.meta), membersOf(members.meta)];
  const place = (...path: (string | number)[]) =>
    path[0] !== undefined && path[0] in inner ? at('config', 'meta', ...path) : at('meta', ...path);
  return { members: { ...outer, ...inner }, at: place };
}

interface Metric {
  name: string;
  entry: Entry;
  table: Table;
  /** The column of the metrics that stand at a column. */
  column: string | undefined;
}

const DIMENSION_TYPES: Readonly<Record<string, DataType>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'datetime',
};

class LightdashTranslation {
  readonly #relations: readonly Entry[];
  readonly #model: Model;
  readonly #target: Target;
  readonly #report: Report;
  readonly #metrics: Metric[] = [];
  readonly #measures = new Map<string, string>();
  readonly #underWay = new Set<Metric>();

  constructor(relations: readonly Entry[], model: Model, target: Target, report: Report) {
    this.#relations = relations;
    this.#model = model;
    this.#target = target;
    this.#report = report;
  }

  translate(): Definition[] {
    const tables = this.#relations.flatMap((relation) => this.#addTable(relation));
    for (const { relation, table } of tables) this.#addColumns(relation, table);
    for (const { relation, table } of tables) this.#addCalculated(relation, table);
    for (const { relation, table } of tables) this.#addJoins(relation, table);
    for (const { relation, table } of tables) this.#collectMetrics(relation, table);
    const keys = new Names();
    return this.#metrics.flatMap((metric) => this.#addMetric(metric, keys));
  }

  #addTable(relation: Entry): { relation: Entry; table: Table }[] {
    const name = textOf(relation.members.name);
    if (name === undefined || innerEntries(relation, 'columns').length === 0) return [];
    const table = tableFor(name, relation, tableNameOf(relation) ?? name, this.#target);
    table.description = descriptionOf(relation, `model ${name}`, this.#report);
    const meta = metaOf(relation);
    const { primary_key } = meta.members;
    table.key = textOf(
      Array.isArray(primary_key) ? (primary_key.length === 1 ? primary_key[0] : undefined) : primary_key,
    );
    for (const member of UNKNOWN_OF_TABLES) {
      if (meta.members[member] !== undefined)
        this.#report.unmapped(meta.at(member), `${member} of ${name}`, 'The platform has no counterpart in models.');
    }
    this.#model.addTable(table);
    return [{ relation, table }];
  }

  #addColumns(relation: Entry, table: Table): void {
    for (const column of innerEntries(relation, 'columns')) {
      const name = textOf(column.members.name);
      if (name === undefined) continue;
      const dimension = membersOf(metaOf(column).members.dimension);
      const subject = `dimension ${table.alias}.${name}`;
      const type = DIMENSION_TYPES[textOf(dimension.type) ?? ''];
      if (type) table.declareType(name, type);
      if (isUniqueColumn(column)) table.key ??= name;
      if (textOf(dimension.sql) !== undefined) continue;
      this.#report.attempt(column.at(), subject, () => {
        table.addColumn({ name, ...this.#shown(column, dimension, subject) });
      });
    }
  }

  #shown(column: Entry, dimension: Members, subject: string) {
    return {
      description: textOf(dimension.description) ?? descriptionOf(column, subject, this.#report),
      isHidden: dimension.hidden === true ? true : undefined,
      format: fieldFormat(dimension),
    };
  }

  /** Dimensions with SQL of their own. */
  #addCalculated(relation: Entry, table: Table): void {
    for (const column of innerEntries(relation, 'columns')) {
      const name = textOf(column.members.name);
      if (name === undefined) continue;
      const meta = metaOf(column);
      const dimension = membersOf(meta.members.dimension);
      const sql = textOf(dimension.sql);
      if (sql !== undefined) this.#addExpression(table, name, sql, dimension, meta.at('dimension'));
      for (const [other, value] of Object.entries(membersOf(meta.members.additional_dimensions))) {
        const members = membersOf(value);
        this.#addExpression(table, other, textOf(members.sql) ?? '', members, meta.at('additional_dimensions', other));
      }
    }
  }

  #addExpression(table: Table, name: string, sql: string, members: Members, at: ReturnType<Entry['at']>): void {
    this.#report.attempt(at, `dimension ${table.alias}.${name}`, (checks) => {
      const made = translateSql(sql, this.#rowScope(table, checks));
      if (made.type === 'unknown') throw new Untranslatable('The type of its expression is unknown.');
      const description = textOf(members.description);
      table.add({ name, type: made.type, description, expression: made.text, isHidden: members.hidden === true });
    });
  }

  /** Columns after `${TABLE}.`, and dimensions of this table or another one. */
  #rowScope(table: Table, checks: string[]): Scope {
    return {
      checks,
      column: (name, of) => {
        if (of !== undefined && of.toLowerCase() !== table.alias.toLowerCase())
          throw new Untranslatable(`"${of}.${name}" is in another table.`);
        return table.column(name);
      },
      reference: (content, column) => {
        if (content === 'TABLE' && column !== undefined) return table.column(column);
        const [first = '', second] = content.split('.');
        const owner = second === undefined ? table : this.#model.table(first);
        const field = column === undefined ? owner?.field(second ?? first) : undefined;
        if (!field) throw new Untranslatable(`"\${${content}}" is not a dimension of the model.`);
        return field;
      },
    };
  }

  #addJoins(relation: Entry, table: Table): void {
    const meta = metaOf(relation);
    for (const join of innerEntries(meta, 'joins')) {
      const name = textOf(join.members.join) ?? '';
      this.#report.attempt(join.at(), `join of ${table.alias} and ${name}`, () => {
        if (textOf(join.members.alias) !== undefined)
          throw new Untranslatable('Joins with an alias have no counterpart.');
        const other = this.#model.table(name);
        if (!other) throw new Untranslatable(`There is no table ${name}.`);
        const [, oneTable, oneColumn, otherTable, otherColumn] = JOIN.exec(textOf(join.members.sql_on) ?? '') ?? [];
        const columns = new Map([
          [oneTable, oneColumn],
          [otherTable, otherColumn],
        ]);
        const [own, joined] = [columns.get(table.alias), columns.get(other.alias)];
        if (own === undefined || joined === undefined)
          throw new Untranslatable('Tables can be joined only where one column of each is equal.');
        const relationship = textOf(join.members.relationship) ?? (joined === other.key ? 'many-to-one' : undefined);
        this.#model.addRelationship(endsOf(relationship, { table, column: own }, { table: other, column: joined }));
      });
    }
  }

  #collectMetrics(relation: Entry, table: Table): void {
    const add = (meta: Entry, column: string | undefined) => {
      for (const [name, value] of Object.entries(membersOf(meta.members.metrics))) {
        const entry = {
          members: membersOf(value),
          at: (...path: (string | number)[]) => meta.at('metrics', name, ...path),
        };
        this.#metrics.push({ name, entry, table, column });
      }
    };
    add(metaOf(relation), undefined);
    for (const column of innerEntries(relation, 'columns')) add(metaOf(column), textOf(column.members.name));
  }

  #addMetric(metric: Metric, keys: Names): Definition[] {
    const { name, entry, table } = metric;
    const subject = `metric ${table.alias}.${name}`;
    const measure = this.#report.attempt(entry.at(), subject, (checks) => this.#measureOf(metric, checks));
    if (measure === undefined) return [];
    const relation = this.#relations.find(({ members }) => members.name === table.alias);
    const time = membersOf(
      entry.members.default_time_dimension ?? (relation && metaOf(relation).members.default_time_dimension),
    );
    const field = textOf(time.field);
    if (field === undefined) return [];
    const timeField = table.field(field)?.text.slice(1, -1);
    if (timeField === undefined) {
      this.#report.check(
        entry.at(),
        subject,
        `Its time dimension ${field} is not in the model, so it became a measure alone.`,
      );
      return [];
    }
    const grain = textOf(time.interval)?.toLowerCase();
    const members = {
      name: measure,
      description: textOf(entry.members.description),
      model: this.#model.key,
      measure,
      timeField,
      grain: grain !== undefined && /^(day|week|month|quarter|year)$/.test(grain) ? grain : undefined,
    };
    return [{ kind: 'metric', key: keys.free(slugOf(`${table.alias} ${name}`)), members: present(members) }];
  }

  /** The name of the measure of a metric, which is made when it is first needed. */
  #measureOf(metric: Metric, checks: string[]): string {
    const { name, entry, table } = metric;
    const key = `${table.alias}.${name}`.toLowerCase();
    const known = this.#measures.get(key);
    if (known !== undefined) return known;
    if (this.#underWay.has(metric)) throw new Untranslatable(`The metric ${name} refers to itself.`);
    this.#underWay.add(metric);
    try {
      const expression = this.#expressionOf(metric, checks);
      const measure = this.#model.addMeasure({
        name: textOf(entry.members.label) ?? name,
        expression,
        description: textOf(entry.members.description),
        folder: textOf(entry.members.group_label) ?? textOf(listOf(entry.members.groups)[0]),
        format: measureFormat(entry.members, checks),
        isHidden: entry.members.hidden === true,
      });
      this.#measures.set(key, measure);
      return measure;
    } finally {
      this.#underWay.delete(metric);
    }
  }

  #expressionOf({ entry, table, column }: Metric, checks: string[]): string {
    const { members } = entry;
    const type = textOf(members.type) ?? '';
    const sql = textOf(members.sql);
    const combine = COMBINED[type];
    if (combine) {
      if (members.filters !== undefined)
        throw new Untranslatable('Filters of metrics that combine others have no counterpart.');
      return combine(translateSql(sql ?? '', this.#metricScope(table, checks)).text);
    }
    const aggregate = AGGREGATES[type];
    if (!aggregate) throw new Untranslatable(`Metrics of the type ${type || '(none)'} have no counterpart.`);
    const value = sql === undefined ? this.#ownColumn(table, column) : translateSql(sql, this.#rowScope(table, checks));
    if (/^\d+(?:\.\d+)?$/.test(value.text)) throw new Untranslatable('An aggregate of a constant has no counterpart.');
    return aggregate(value.text, members) + this.#filterOf(listOf(members.filters), table);
  }

  #ownColumn(table: Table, column: string | undefined): Expression {
    if (column === undefined) throw new Untranslatable('It has no SQL.');
    return table.field(column) ?? table.column(column);
  }

  /** Metrics by their names, and aggregates in SQL. */
  #metricScope(table: Table, checks: string[]): Scope {
    const rows = this.#rowScope(table, checks);
    return {
      ...rows,
      aggregates: true,
      reference: (content, column) => {
        const [first = '', second] = content.split('.');
        const [owner, name] = second === undefined ? [table.alias, first] : [first, second];
        const found = this.#metrics.find((each) => each.table.alias === owner && each.name === name);
        if (!found || column !== undefined) return rows.reference(content, column);
        return { text: `{${quoted(this.#measureOf(found, checks))}}`, type: 'number', isAtom: true, isAggregate: true };
      },
    };
  }

  #filterOf(filters: readonly unknown[], table: Table): string {
    const conditions = filters.flatMap((filter) =>
      Object.entries(membersOf(filter)).map(([name, value]) => {
        const [first = '', second] = name.split('.');
        const owner = second === undefined ? table : this.#model.table(first);
        const field = owner?.field(second ?? first);
        if (!field) throw new Untranslatable(`The filter reads ${name}, which is not in the model.`);
        return conditionOf(field, value);
      }),
    );
    if (conditions.length === 0) return '';
    return ` FILTER (WHERE ${conditions.length === 1 ? conditions[0] : conditions.map((each) => `(${each})`).join(' AND ')})`;
  }
}

const UNKNOWN_OF_TABLES = [
  'explores',
  'sets',
  'sql_filter',
  'sql_where',
  'required_attributes',
  'required_filters',
  'default_filters',
];

const JOIN = /^\s*\$\{(\w+)\.(\w+)\}\s*=\s*\$\{(\w+)\.(\w+)\}\s*$/;

function isUniqueColumn(column: Entry): boolean {
  const tests = [...listOf(column.members.tests), ...listOf(column.members.data_tests)];
  return tests.some((test) => test === 'unique' || (isMembers(test) && 'unique' in test));
}

interface End {
  table: Table;
  column: string;
}

function endsOf(relationship: string | undefined, own: End, joined: End) {
  if (relationship === 'one-to-many') return { from: own, to: joined, cardinality: '1:N' as const };
  if (relationship === 'many-to-one') return { from: joined, to: own, cardinality: '1:N' as const };
  if (relationship === 'one-to-one') return { from: own, to: joined, cardinality: '1:1' as const };
  throw new Untranslatable('It is not known how many rows match: set its relationship.');
}

const COMBINED: Readonly<Record<string, (text: string) => string>> = {
  number: (text) => text,
  string: (text) => text,
  date: (text) => text,
  boolean: (text) => text,
  percent_of_total: (text) => `SHARE(${text})`,
  running_total: (text) => `CUMULATIVE(${text})`,
};

const AGGREGATES: Readonly<Record<string, (text: string, members: Members) => string>> = {
  count: (text) => `COUNT(${text})`,
  count_distinct: (text) => `COUNT_DISTINCT(${text})`,
  sum: (text) => `SUM(${text})`,
  average: (text) => `AVG(${text})`,
  min: (text) => `MIN(${text})`,
  max: (text) => `MAX(${text})`,
  median: (text) => `MEDIAN(${text})`,
  percentile: (text, { percentile = 50 }) => `PERCENTILE(${text}, ${Number(percentile) / 100})`,
};

/** Values of filters say how they compare: `completed`, `!completed`, `> 5`, `null`. */
function conditionOf(field: Expression, value: unknown): string {
  if (Array.isArray(value)) {
    if (value.some((each) => typeof each === 'string' && /^\s*[!<>]|%/.test(each)))
      throw new Untranslatable('A list in a filter has conditions in place of values.');
    return `${bracketed(field)} IN (${value.map((each) => constantFor(field, each)).join(', ')})`;
  }
  if (value === null || value === 'null') return `${bracketed(field)} IS NULL`;
  if (value === '!null') return `${bracketed(field)} IS NOT NULL`;
  const text = String(value).trim();
  if (text.includes('%') || /in(?:The)?(?:Past|Next|Current)|between/i.test(text))
    throw new Untranslatable(`The condition "${text}" of a filter has no counterpart.`);
  const [, sign = '=', rest = text] = /^(!|>=|<=|>|<)\s*(.+)$/s.exec(text) ?? [];
  return `${bracketed(field)} ${sign === '!' ? '<>' : sign} ${constantFor(field, rest)}`;
}

function constantFor({ type }: Expression, value: unknown): string {
  const text = String(value);
  if (type === 'string' || type === 'date' || type === 'datetime') return textConstant(text);
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toUpperCase();
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  throw new Untranslatable(`"${text}" is not a value of the type ${type}.`);
}

const CURRENCIES = new Set(['usd', 'eur', 'gbp', 'dkk', 'jpy', 'chf', 'cad', 'aud', 'nzd', 'sek', 'nok', 'brl', 'inr']);

/** How many digits, a currency or percent; patterns of spreadsheets stay. */
function measureFormat(members: Members, checks: string[]): Members | undefined {
  const format = textOf(members.format);
  const decimals = typeof members.round === 'number' && members.round >= 0 ? { decimals: members.round } : {};
  if (format === undefined) return 'decimals' in decimals ? { kind: 'number', ...decimals } : undefined;
  if (format === 'percent') return { kind: 'percent', ...decimals };
  if (CURRENCIES.has(format)) return { kind: 'currency', currency: format.toUpperCase(), ...decimals };
  if (/[#0]/.test(format) && !format.includes('${')) return { kind: 'number', pattern: format };
  checks.push(`The format "${format}" has no counterpart.`);
  return undefined;
}

function fieldFormat(members: Members): string | undefined {
  const format = textOf(members.format);
  if (format === 'percent') return 'percent';
  if (format !== undefined && CURRENCIES.has(format)) return format.toUpperCase();
  return format !== undefined && /[#0]/.test(format) && !format.includes('${') ? format : undefined;
}
