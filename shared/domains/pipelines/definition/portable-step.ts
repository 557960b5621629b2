import type { Column } from '../../../data/duckdb/column-types.ts';
import type { Engine } from '../../../data/duckdb/engine.ts';
import { authorTexts, compileRecipe } from '../../../data/recipe/compile.ts';
import { emitDuckDb } from '../../../data/recipe/duckdb.ts';
import type { Op } from '../../../data/recipe/ops.ts';
import { type AuthorTree, emitTrino } from '../../../data/recipe/trino.ts';
import { balancedIssue, expressionStatement } from '../../../data/sql/condition.ts';
import type { TreeNode } from '../../../data/sql/parse-tree.ts';
import { checkSelect } from '../../../data/sql/select-check.ts';
import { bindTemplates } from '../../../data/sql/templates.ts';
import { type PortabilityIssue, PortabilityIssues } from '../../../data/trino/portability-issues.ts';
import { portableSelect, withColumns } from '../../../data/trino/statement.ts';
import { recipeOf } from './configs/transform-sql.ts';

/** A step as Athena would run it: its statement and columns, or every reason why it stays on DuckDB. */
export type PortableStep =
  | { moves: true; sql: string; columns: Column[]; tables: string[] }
  | { moves: false; reasons: PortabilityIssue[] };

type Inputs = Readonly<Record<string, readonly (Column & { barred?: string })[]>>;

/** Types whose values both engines read from Parquet with every digit. */
const SHARED_TYPES = /^(string|integer|double|boolean|date|decimal\(\d+,\d+\))$/;
/** Athena lower-cases the names of columns, and its catalog allows few characters in them. */
const SHARED_NAMES = /^[a-z_][a-z0-9_]*$/;

/** Why the two engines cannot exchange a column; undefined if they can. */
function barred({ name, type }: Column): string | undefined {
  if (type.startsWith('timestamp')) return `The column ${name} is ${type}, but Athena keeps only milliseconds.`;
  if (!SHARED_TYPES.test(type)) return `The column ${name} is ${type}, which Athena reads differently.`;
  if (SHARED_NAMES.test(name)) return undefined;
  return `The column ${name} has a name that Athena would change; use only a-z, 0-9 and _.`;
}

/** Whether both engines read the same values from a column. */
export const isShared = (column: Column): boolean => barred(column) === undefined;

/**
 * Whether a transform_sql step can move to Athena with the files of its inputs and of its output. Throws like
 * `portableStep`.
 */
export async function athenaStep(
  engine: Engine,
  config: Record<string, unknown>,
  inputs: Inputs,
  values: Record<string, unknown>,
): Promise<PortableStep> {
  const marked = Object.entries(inputs).map(([alias, columns]) => {
    const known = columns.map((column) => ({ ...column, ...(barred(column) ? { barred: barred(column)! } : {}) }));
    return [alias, known] as const;
  });
  const made = await portableStep(engine, config, Object.fromEntries(marked), values);
  if (!made.moves) return made;
  const unreadable = made.tables.filter((alias) => !inputs[alias]!.some(isShared));
  const reasons = [
    ...unreadable.map((alias) => `The input ${alias} has no column that Athena can read.`),
    ...made.columns.flatMap((column) => barred(column) ?? []),
  ];
  return reasons.length > 0 ? { moves: false, reasons: reasons.map((message) => ({ message })) } : made;
}

/**
 * Translates a transform_sql step to Trino's SQL if the result stays the same. The columns of the inputs are enough:
 * `engine` gets empty tables with them. Throws a DataError for a statement that DuckDB itself rejects.
 */
export async function portableStep(
  engine: Engine,
  config: Record<string, unknown>,
  inputs: Inputs,
  values: Record<string, unknown>,
): Promise<PortableStep> {
  for (const [alias, columns] of Object.entries(inputs)) await engine.attach(alias, [], { emptySchema: columns });
  const ops = recipeOf(config);
  return ops ? portableRecipe(engine, ops, inputs, values) : portableSql(engine, String(config.sql), inputs, values);
}

async function portableSql(
  engine: Engine,
  text: string,
  inputs: Inputs,
  values: Record<string, unknown>,
): Promise<PortableStep> {
  const { sql, params } = bindTemplates(text, values);
  const checked = await checkSelect(engine, sql, { tables: Object.keys(inputs) });
  const columns = await engine.describe(checked.sql, params);
  const made = portableSelect({ sql: checked.sql, root: checked.root, params }, inputs, columns);
  return made.moves ? { ...made, columns, tables: checked.tables } : made;
}

async function portableRecipe(
  engine: Engine,
  ops: readonly Op[],
  inputs: Inputs,
  values: Record<string, unknown>,
): Promise<PortableStep> {
  const [main = ''] = Object.keys(inputs);
  const { tables, rows, issues } = compileRecipe(ops, inputs, { main, at: '/ops' });
  if (issues.length > 0) return { moves: false, reasons: issues.map(({ pointer, message }) => ({ pointer, message })) };
  const trees = new Map<string, AuthorTree>();
  for (const { text } of ops.flatMap(authorTexts)) trees.set(text, await authorTree(engine, text, values));
  const relations = tables.slice(1).map(({ relation }) => relation);
  const duckdb = emitDuckDb(rows, (text, first) => bindTemplates(text, values, first));
  const columns = await engine.describe(duckdb.sql, duckdb.params);
  const { query, reasons } = emitTrino(relations, rows, inputs, (text) => trees.get(text)!);
  if (reasons.length > 0) return { moves: false, reasons };
  const made = withColumns(query, columns, new PortabilityIssues(undefined));
  return made.moves ? { ...made, columns, tables: Object.keys(inputs) } : made;
}

async function authorTree(engine: Engine, text: string, values: Record<string, unknown>): Promise<AuthorTree> {
  const issue = balancedIssue(text);
  if (issue) throw issue;
  const { sql, params } = bindTemplates(text, values);
  const { root } = await checkSelect(engine, expressionStatement(sql), { tables: [] });
  return { node: (root.select_list as TreeNode[])[0]!, params };
}
