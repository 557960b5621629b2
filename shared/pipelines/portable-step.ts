import type { Column } from '../engine/column-types.ts';
import type { Engine } from '../engine/engine.ts';
import { authorTexts, compileRecipe } from '../recipe/compile.ts';
import { emitDuckDb } from '../recipe/duckdb.ts';
import type { Op } from '../recipe/ops.ts';
import { type AuthorTree, emitTrino } from '../recipe/trino.ts';
import { balancedFault, expressionStatement } from '../sql/condition.ts';
import type { TreeNode } from '../sql/parse-tree.ts';
import { checkSelect } from '../sql/select-gate.ts';
import { bindTemplates } from '../sql/templates.ts';
import { type Refusal, Refusals } from '../trino/refusals.ts';
import { portableSelect, withColumns } from '../trino/statement.ts';
import { recipeOf } from './configs/transform-sql.ts';

/** What a step comes to on Athena: its statement and columns, or every reason why it stays on DuckDB. */
export type PortableStep =
  | { moves: true; sql: string; columns: Column[]; tables: string[] }
  | { moves: false; reasons: Refusal[] };

/**
 * Whether a transform_sql step can move to Athena with the same result. The inputs' columns are enough for it: `engine` is given empty
 * tables of them. Throws an EngineError for a statement that DuckDB itself does not take.
 */
export async function portableStep(
  engine: Engine,
  config: Record<string, unknown>,
  inputs: Readonly<Record<string, readonly Column[]>>,
  values: Record<string, unknown>,
): Promise<PortableStep> {
  for (const [alias, columns] of Object.entries(inputs)) await engine.attach(alias, [], { emptySchema: columns });
  const ops = recipeOf(config);
  return ops ? portableRecipe(engine, ops, inputs, values) : portableSql(engine, String(config.sql), inputs, values);
}

async function portableSql(
  engine: Engine,
  text: string,
  inputs: Readonly<Record<string, readonly Column[]>>,
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
  inputs: Readonly<Record<string, readonly Column[]>>,
  values: Record<string, unknown>,
): Promise<PortableStep> {
  const [main = ''] = Object.keys(inputs);
  const { tables, faults } = compileRecipe(ops, inputs, { main, at: '/ops' });
  if (faults.length > 0) return { moves: false, reasons: faults.map(({ pointer, message }) => ({ pointer, message })) };
  const trees = new Map<string, AuthorTree>();
  for (const { text } of ops.flatMap(authorTexts)) trees.set(text, await authorTree(engine, text, values));
  const relations = tables.slice(1).map(({ relation }) => relation);
  const duckdb = emitDuckDb(relations.at(-1)!, (text, first) => bindTemplates(text, values, first));
  const columns = await engine.describe(duckdb.sql, duckdb.params);
  const { query, reasons } = emitTrino(relations, inputs, (text) => trees.get(text)!);
  if (reasons.length > 0) return { moves: false, reasons };
  const made = withColumns(query, columns, new Refusals(undefined));
  return made.moves ? { ...made, columns, tables: Object.keys(inputs) } : made;
}

async function authorTree(engine: Engine, text: string, values: Record<string, unknown>): Promise<AuthorTree> {
  const fault = balancedFault(text);
  if (fault) throw fault;
  const { sql, params } = bindTemplates(text, values);
  const { root } = await checkSelect(engine, expressionStatement(sql), { tables: [] });
  return { node: (root.select_list as TreeNode[])[0]!, params };
}
