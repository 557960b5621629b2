import { type Entry, innerEntries } from '../entries.ts';
import { Names, slugOf } from '../names.ts';
import { type Report, Untranslatable } from '../report.ts';
import type { Definition } from '../translation.ts';
import { isMembers, listOf, type Members, membersOf, present, textOf } from '../values.ts';
import { type DbtProject, refOf, tableNameOf } from './project.ts';

interface TestContext {
  project: DbtProject;
  source: string;
  schema: string | undefined;
  report: Report;
}

/** The table that a test is about, and its column. */
interface Target {
  table: string;
  column: string | undefined;
}

interface Translated {
  testType: string;
  config?: Members;
  /** Tests of whole tables name their columns in the settings. */
  isOfTable?: boolean;
  /** A condition among the arguments of the test: only rows that meet it are tested. */
  where?: unknown;
  title: string;
}

/** A data-quality test for every generic test of dbt that has a counterpart. */
export function qualityTests(context: TestContext): Definition[] {
  const { project, report } = context;
  const keys = new Names();
  const names = new Names(200, ' ');
  const found: Definition[] = [];
  const collect = (holder: Entry, target: Target) => {
    for (const list of ['data_tests', 'tests']) {
      for (const [index, test] of listOf(holder.members[list]).entries()) {
        const made = report.attempt(holder.at(list, index), `test ${subjectOf(test, target)}`, () =>
          definitionOf(test, target, context),
        );
        if (!made) continue;
        const name = names.free(made.name);
        found.push({ kind: 'quality-test', key: keys.free(slugOf(name)), members: { ...made, name } });
      }
    }
  };
  const tables = [...project.relations, ...project.sources.map(({ table }) => table)];
  for (const relation of tables) {
    const table = tableNameOf(relation);
    if (table === undefined) continue;
    collect(relation, { table, column: undefined });
    for (const column of innerEntries(relation, 'columns')) {
      const name = textOf(column.members.name);
      if (name !== undefined) collect(column, { table, column: name });
    }
  }
  for (const file of project.singularTests)
    report.unmapped(
      { file, line: 1 },
      'singular test',
      'It is a statement with Jinja; write its SQL as a custom_sql test.',
    );
  for (const test of project.unitTests)
    report.unmapped(
      test.at(),
      `unit test ${textOf(test.members.name)}`,
      'The platform tests data, not the SQL of dbt.',
    );
  return found;
}

const subjectOf = (test: unknown, { table, column }: Target): string =>
  `${typeof test === 'string' ? test : testName(membersOf(test))} of ${table}${column === undefined ? '' : `.${column}`}`;

/** `{ accepted_values: … }`, or `{ test_name: accepted_values, … }`. */
function testName(test: Members): string {
  const named = textOf(test.test_name);
  return named ?? Object.keys(test).find((key) => !SETTINGS.has(key)) ?? 'without a name';
}

const SETTINGS = new Set(['name', 'description', 'config', 'arguments', 'test_name', 'tags', 'meta']);
/** Settings that change nothing about which rows fail. */
const HARMLESS = new Set([
  'tags',
  'meta',
  'store_failures',
  'store_failures_as',
  'schema',
  'alias',
  'database',
  'limit',
]);

function definitionOf(test: unknown, target: Target, context: TestContext): Members & { name: string } {
  const entry: Members = typeof test === 'string' ? { [test]: {} } : membersOf(test);
  const name = testName(entry);
  const inner = membersOf(entry[name] ?? entry);
  const own = { ...membersOf(inner.config), ...membersOf(entry.config) };
  const args = { ...inner, ...membersOf(inner.arguments), ...membersOf(entry.arguments) };
  const translate = TESTS[name.replace(/^dbt\./, '')] ?? EXPECTATIONS[name.replace(/^dbt_expectations\./, '')];
  if (!translate) throw new Untranslatable('The platform has no such test.');
  const made = translate(args, target, context);
  const condition = made.where === undefined ? {} : { where: made.where };
  const settings = settingsOf({
    ...condition,
    ...pick(args, ['severity', 'where', 'enabled', 'warn_if', 'error_if']),
    ...own,
  });
  const title = textOf(entry.name ?? inner.name) ?? made.title;
  return present({
    name: title.slice(0, 200),
    description: textOf(entry.description ?? inner.description),
    testType: made.testType,
    source: context.source === 'datasets' ? undefined : context.source,
    schemaName: context.schema,
    tableName: target.table,
    columnName: made.isOfTable ? undefined : target.column,
    ...settings.members,
    config: orAbsent({ ...made.config, ...settings.config }),
  }) as Members & { name: string };
}

const orAbsent = (members: Members): Members | undefined => (Object.keys(members).length > 0 ? members : undefined);

const pick = (members: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.filter((name) => name in members).map((name) => [name, members[name]]));

function settingsOf(config: Members): { members: Members; config: Members } {
  const made = { members: {} as Members, config: {} as Members };
  for (const [name, value] of Object.entries(config)) {
    if (name === 'where') made.config.where = plainSql(value);
    else if (name === 'enabled') made.members.isActive = value === false ? false : undefined;
    else if (name === 'severity' && String(value).toLowerCase() === 'error') continue;
    else if (name === 'severity')
      throw new Untranslatable('Tests that only warn have no counterpart; set `warnAt` of a test.');
    else if (name === 'warn_if' || name === 'error_if')
      throw new Untranslatable(`${name} has no counterpart; set a limit of the test, such as maxFailing.`);
    else if (!HARMLESS.has(name)) throw new Untranslatable(`The setting ${name} has no counterpart.`);
  }
  return made;
}

function plainSql(value: unknown): string {
  const text = textOf(value);
  if (text === undefined) throw new Untranslatable('A condition is missing.');
  if (text.includes('{{') || text.includes('{%')) throw new Untranslatable('The condition has Jinja.');
  return text;
}

type Translate = (args: Members, target: Target, context: TestContext) => Translated;

const needed = (column: string | undefined): string => {
  if (column === undefined) throw new Untranslatable('The test needs a column.');
  return column;
};

const TESTS: Readonly<Record<string, Translate>> = {
  not_null: (_, { table, column }) => ({ testType: 'not_null', title: `${table}.${needed(column)} has a value` }),
  unique: (_, { table, column }) => ({ testType: 'unique', title: `${table}.${needed(column)} is unique` }),
  accepted_values: (args, { table, column }) => {
    const values = listOf(args.values);
    if (values.length === 0) throw new Untranslatable('It has no list of values.');
    if (values.some((value) => isMembers(value) || Array.isArray(value)))
      throw new Untranslatable('Its values are not constants.');
    return { testType: 'allowed_values', config: { values }, title: `${table}.${needed(column)} is one of its values` };
  },
  relationships: (args, { table, column }, { source, project }) => {
    if (source !== 'datasets') throw new Untranslatable('Tests of foreign keys are for datasets.');
    const [to, field] = [refOf(args.to), textOf(args.field)];
    if (to === undefined || field === undefined)
      throw new Untranslatable('It has no reference to a model and its field.');
    const relation = project.relations.find(({ members }) => members.name === to);
    const refTable = (relation && tableNameOf(relation)) ?? to;
    const title = `${table}.${needed(column)} is a ${field} of ${refTable}`;
    return { testType: 'foreign_key', config: { refTable, refColumn: field }, title };
  },
  'dbt_utils.expression_is_true': (args, { table, column }) => {
    const expression = plainSql(args.expression);
    const condition = column === undefined ? expression : `${column} ${expression}`;
    const sql = `SELECT * FROM input WHERE NOT (${condition})`;
    return { testType: 'custom_sql', config: { sql }, isOfTable: true, title: `${table}: ${condition}` };
  },
  'dbt_utils.accepted_range': (args, { table, column }) => {
    const [min, max] = [args.min_value, args.max_value];
    for (const limit of [min, max]) {
      if (limit !== undefined && typeof limit !== 'number') throw new Untranslatable('A limit is not a number.');
    }
    const inclusive = args.inclusive === false ? false : undefined;
    const config = present({ min, max, inclusive });
    return { testType: 'value_range', config, title: `${table}.${needed(column)} is in its range` };
  },
  'dbt_utils.unique_combination_of_columns': (args, { table }) => {
    const keys = listOf(args.combination_of_columns).map(String);
    if (keys.length === 0) throw new Untranslatable('It has no list of columns.');
    const title = `${table} has one row for each ${keys.join(', ')}`;
    return { testType: 'duplicate_detection', config: { keys }, isOfTable: true, title };
  },
};

/** Arguments that every test has. */
const USUAL = new Set([...SETTINGS, ...HARMLESS, 'severity', 'where', 'enabled', 'warn_if', 'error_if']);

/** The arguments of a test. Throws for others, which may change which rows fail. */
function onlyArguments(args: Members, names: readonly string[]): Members {
  const other = Object.keys(args).find((name) => !USUAL.has(name) && !names.includes(name) && args[name] !== null);
  if (other !== undefined) throw new Untranslatable(`The argument ${other} has no counterpart.`);
  if (args.where !== undefined && args.row_condition !== undefined)
    throw new Untranslatable('It has two conditions; join them into one.');
  return args;
}

function limitsOf(args: Members): Members {
  const limits = present({ min: args.min_value ?? undefined, max: args.max_value ?? undefined });
  if (Object.keys(limits).length === 0) throw new Untranslatable('It has no limit.');
  if (Object.values(limits).some((limit) => typeof limit !== 'number'))
    throw new Untranslatable('A limit is not a number.');
  return limits;
}

/** Tests of the package dbt_expectations that mean the same here. */
const EXPECTATIONS: Readonly<Record<string, Translate>> = {
  expect_table_row_count_to_be_between: (args, { table }) => {
    const { row_condition: where } = onlyArguments(args, ['min_value', 'max_value', 'row_condition']);
    return { testType: 'row_count', config: limitsOf(args), where, isOfTable: true, title: `${table} has enough rows` };
  },
  expect_table_row_count_to_equal: (args, { table }) => {
    const { value, row_condition: where } = onlyArguments(args, ['value', 'row_condition']);
    if (typeof value !== 'number') throw new Untranslatable('The number of rows is not a number.');
    const config = { min: value, max: value };
    return { testType: 'row_count', config, where, isOfTable: true, title: `${table} has ${value} rows` };
  },
  expect_column_values_to_not_be_null: (args, { table, column }) => {
    const { row_condition: where } = onlyArguments(args, ['row_condition']);
    return { testType: 'not_null', where, title: `${table}.${needed(column)} has a value` };
  },
  expect_column_values_to_be_unique: (args, { table, column }) => {
    const { row_condition: where } = onlyArguments(args, ['row_condition']);
    return { testType: 'unique', where, title: `${table}.${needed(column)} is unique` };
  },
  expect_column_values_to_be_between: (args, { table, column }) => {
    const { row_condition: where, strictly } = onlyArguments(args, [
      ...['min_value', 'max_value', 'row_condition', 'strictly'],
    ]);
    const config = present({ ...limitsOf(args), inclusive: strictly === true ? false : undefined });
    return { testType: 'value_range', config, where, title: `${table}.${needed(column)} is in its range` };
  },
  expect_column_values_to_be_in_set: (args, { table, column }) => {
    const given = onlyArguments(args, ['value_set', 'quote_values', 'row_condition']);
    const values = listOf(given.value_set);
    if (values.length === 0) throw new Untranslatable('It has no list of values.');
    if (given.quote_values === false || values.some((value) => isMembers(value) || Array.isArray(value)))
      throw new Untranslatable('Its values are not constants.');
    const title = `${table}.${needed(column)} is one of its values`;
    return { testType: 'allowed_values', config: { values }, where: given.row_condition, title };
  },
};
