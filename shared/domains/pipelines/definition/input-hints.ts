import { folded } from '../../../data/duckdb/column-names.ts';
import { unknownTable } from '../../../data/sql/unknown-table.ts';
import type { SqlIssue } from '../../../platform/errors/data-error.ts';
import type { Dag, Step } from './dag.ts';

/** The inputs of a transform by their names in its SQL. */
type Inputs = Readonly<Record<string, string>>;

/** How to mend an issue of the SQL of a transform that is about the names of its inputs; undefined for other issues. */
export function inputHint(dag: Dag, inputs: Inputs, sql: string, { code, message }: SqlIssue): string | undefined {
  const table = unknownTable(message);
  if (code === 'NOT_FOUND' && table !== undefined) return tableHint(dag, inputs, folded(table));
  return code === 'SQL_PARSE' ? nameHint(inputs, sql) : undefined;
}

function tableHint({ steps }: Dag, inputs: Inputs, table: string): string {
  const named = Object.entries(inputs).find(([, id]) => folded(id) === table);
  if (named) return inSql(named[1], named[0]);
  const step = steps.find(({ id }) => folded(id) === table || folded(nameOf(id)) === table);
  if (step)
    return `Add "${step.id}" to dependsOn${step.id === nameOf(step.id) ? '' : `, and name it ${nameOf(step.id)}`}.`;
  const brings = steps.find(
    (each) => each.type === 'extract' && broughtBy(each).some((name) => folded(name) === table),
  );
  if (brings) {
    const [name] = Object.entries(inputs).find(([, id]) => id === brings.id) ?? [];
    return name === undefined
      ? `The step "${brings.id}" reads it: add "${brings.id}" to dependsOn, and write FROM ${nameOf(brings.id)}.`
      : `The step "${brings.id}" reads it: write FROM ${name}.`;
  }
  const names = Object.keys(inputs);
  return names.length === 0
    ? 'The step has no inputs: add the extract that reads the table to dependsOn.'
    : `The inputs of the step are ${names.join(', ')}. To read another table, add the step that provides it, such as an extract, to dependsOn.`;
}

/** Tables and files by the names that authors may expect: `sales/orders.csv` as `orders`. */
function broughtBy({ config }: Step): string[] {
  const { table, path, dataset } = (config.object ?? {}) as { table?: unknown; path?: unknown; dataset?: unknown };
  const file = typeof path === 'string' ? (path.split('/').at(-1) ?? '').replace(/\..*$/, '') : undefined;
  return [table, dataset, file].filter((name) => typeof name === 'string');
}

/** Words that DuckDB does not take for the name of a table. */
const RESERVED = new Set(
  'all and any array as asc both case cast check column constraint create default desc describe distinct do else end except false fetch for foreign from grant group having in initially intersect into lambda lateral leading limit not null offset on only or order pivot placing primary qualify references returning select show some summarize symmetric table then to trailing true union unique unpivot using variadic when where window with'.split(
    ' ',
  ),
);

function nameHint(inputs: Inputs, sql: string): string | undefined {
  for (const [name, id] of Object.entries(inputs)) {
    if (id !== name && isUnquoted(sql, id)) return inSql(id, name);
    if ((RESERVED.has(name.toLowerCase()) || !/^[A-Za-z_]\w*$/.test(name)) && isUnquoted(sql, name)) {
      return `Quote the name of the input: "${name}".`;
    }
  }
  return undefined;
}

/** Whether a name follows FROM, JOIN or a comma without quotes. */
const isUnquoted = (sql: string, name: string): boolean =>
  new RegExp(`(?:\\b(?:from|join)\\s+|,\\s*)${name.replace(/[^\w]/g, '\\$&')}(?![\\w-])`, 'i').test(sql);

const inSql = (id: string, name: string) => `In SQL, the step "${id}" is named ${name}.`;

/** The name of a step in SQL, unless `inputs` gives another. */
const nameOf = (id: string) => id.replaceAll('-', '_');
