import { statementColumns } from '../../../data/lineage/column-lineage.ts';
import { authorTexts } from '../../../data/recipe/compile.ts';
import type { RecipeColumn } from '../../../data/recipe/table.ts';
import { conditionStatement } from '../../../data/sql/condition.ts';
import type { TreeNode } from '../../../data/sql/parse-tree.ts';
import { bindTemplates } from '../../../data/sql/templates.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import { testOf, validGates } from './configs/gates.ts';
import { recipeOf, validOps } from './configs/transform-sql.ts';
import { type Dag, dependenciesOf, type Step } from './dag.ts';
import { StepColumns } from './recipe-issues.ts';
import { type ReferenceValues, sampleValues } from './references.ts';

/** The parse tree of a statement that reads only the tables; undefined for any other, which is an issue already. */
export type ParseSelect = (sql: string, tables: readonly string[]) => Promise<TreeNode | undefined>;

type Columns = RecipeColumn[] | undefined;

/** A text whose names are checked. */
interface Text {
  pointer: string;
  sql: string;
  tables: [name: string, columns: Columns][];
}

/**
 * Reports columns that SQL, conditions, expressions, gates and loads name and that do not exist, wherever those of the
 * inputs are known: from the statements and recipes of earlier steps, the `columns` of extracts and the `outputSchema`
 * of code. `broken` are the ids of steps with other issues, whose columns are unknown. What is not surely wrong is not
 * reported.
 */
export async function findColumnIssues(dag: Dag, broken: ReadonlySet<string>, parse: ParseSelect): Promise<Issue[]> {
  const known = new Map<string, Columns>([...broken].map((id) => [id, undefined]));
  const steps = new StepColumns(dag.steps, known);
  const issues: Issue[] = [];
  const check = async ({ pointer, sql, tables }: Text): Promise<Columns> => {
    const root = await parse(
      sql,
      tables.map(([name]) => name),
    );
    if (!root) return undefined;
    const found = statementColumns(
      root,
      tables.map(([name, columns]) => ({ name, columns })),
    );
    for (const { name, candidates } of found.unknown) {
      const message = `Unknown column "${name}"${didYouMean(name, candidates)}`;
      issues.push({ pointer, code: 'COLUMN_UNKNOWN', message });
    }
    return found.columns;
  };
  for (const { step, index } of inOrder(dag.steps)) {
    if (broken.has(step.id)) continue;
    const at = `/dag/steps/${index}/config`;
    const values = sampleValues(dag, step.id);
    if (typeof step.config.sql === 'string' && step.type === 'transform_sql') {
      const sql = bound(step.config.sql, values);
      const columns =
        sql === undefined ? undefined : await check({ pointer: `${at}/sql`, sql, tables: steps.inputsOf(step) });
      known.set(step.id, columns);
    }
    for (const text of textsOf(step, at, values, steps)) await check(text);
  }
  return [...issues, ...steps.issues()];
}

/** The conditions and expressions of a step, over the columns that they read. */
function textsOf(step: Step, at: string, values: ReferenceValues, steps: StepColumns): Text[] {
  const over = (columns: Columns, pointer: string, text: unknown, statement = conditionStatement): Text[] => {
    const sql = typeof text === 'string' && columns ? bound(text, values) : undefined;
    return sql === undefined ? [] : [{ pointer, sql: statement(sql), tables: [['input', columns]] }];
  };
  const gates = validGates(step.config, at).flatMap(({ gate, place }) => {
    // The columns of the whole dataset are not those of the batch.
    if (gate.scope === 'table') return [];
    const { type, config } = testOf(gate);
    const columns = steps.tested(step);
    return type === 'custom_sql'
      ? over(columns, `${place}/config/sql`, config.sql, (sql) => sql)
      : over(columns, `${place}/config/where`, config.where);
  });
  if (step.type === 'route' && Array.isArray(step.config.routes)) {
    const [[, columns] = []] = steps.inputsOf(step);
    const routes = step.config.routes as ({ condition?: unknown } | null)[];
    return [
      ...gates,
      ...routes.flatMap((route, index) => over(columns, `${at}/routes/${index}/condition`, route?.condition)),
    ];
  }
  const compiled = step.type === 'transform_sql' && recipeOf(step.config) ? steps.compile(step, at) : undefined;
  if (!compiled) return gates;
  const expressions = validOps(step.config, at).flatMap(({ op, place }, index) =>
    authorTexts(op).flatMap(({ member, text }) => over(compiled.tables[index]?.columns, `${place}/${member}`, text)),
  );
  return [...expressions, ...gates];
}

/** Undefined for a text whose references cannot be bound, which is an issue already. */
function bound(text: string, values: ReferenceValues): string | undefined {
  try {
    return bindTemplates(text, values).sql;
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

/** Every step after those that it depends on; a cycle, which is an issue already, starts anywhere. */
function inOrder(steps: readonly Step[]): { step: Step; index: number }[] {
  const begun = new Set<number>();
  const ordered: { step: Step; index: number }[] = [];
  const visit = (index: number): void => {
    const step = steps[index];
    if (!step || begun.has(index)) return;
    begun.add(index);
    for (const id of dependenciesOf(step)) visit(steps.findIndex((other) => other.id === id));
    ordered.push({ step, index });
  };
  for (const index of steps.keys()) visit(index);
  return ordered;
}
