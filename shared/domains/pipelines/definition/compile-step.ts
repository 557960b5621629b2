import type { Column } from '../../../data/duckdb/column-types.ts';
import type { EngineParameter } from '../../../data/duckdb/parameters.ts';
import { compileRecipe } from '../../../data/recipe/compile.ts';
import { emitDuckDb } from '../../../data/recipe/duckdb.ts';
import { bindTemplates } from '../../../data/sql/templates.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import type { RouteConfig } from './configs/route.ts';
import { recipeOf, relocateIssues } from './configs/transform-sql.ts';
import type { Step } from './dag.ts';
import type { ReferenceValues } from './references.ts';

/** A step compiled to one statement over tables named like its inputs. */
export interface CompiledStep {
  sql: string;
  /** Values of `$1`, `$2`, … */
  params: EngineParameter[];
  /**
   * Set for a recipe: its texts are checked one by one, and the functions called around them may fail the statement.
   */
  mayFail?: true;
}

export type Compiled = { ok: true; compiled: CompiledStep } | { ok: false; issues: Issue[] };

/**
 * Compiles a step of a valid definition; a route returns the port of each row in front of its columns. Undefined for
 * step types without a statement. The issues are unknown columns in the operations of a recipe.
 */
export function compileStep(
  step: Step,
  inputs: Readonly<Record<string, readonly Column[]>>,
  values: ReferenceValues,
): Compiled | undefined {
  const ops = step.type === 'transform_sql' ? recipeOf(step.config) : undefined;
  if (ops) {
    const [main] = Object.keys(inputs);
    const { rows, issues } = compileRecipe(ops, inputs, { main: main!, at: '/config/ops' });
    if (issues.length > 0) return { ok: false, issues: relocateIssues(issues, step.config, '/config') };
    const compiled = emitDuckDb(rows, (text, first) => bindTemplates(text, values, first));
    return { ok: true, compiled: { ...compiled, mayFail: true } };
  }
  const text = step.type === 'transform_sql' ? (step.config.sql as string) : routeStatement(step);
  return text === undefined ? undefined : { ok: true, compiled: bindTemplates(text, values) };
}

function routeStatement(step: Step): string | undefined {
  if (step.type !== 'route') return undefined;
  const { mode, routes, defaultPort = 'default' } = step.config as unknown as RouteConfig;
  if (mode === 'all_matches') {
    const taken = routes.map(({ port, condition }) => `CASE WHEN (${condition}\n) THEN '${port}' END`);
    const ports = `list_filter([${taken.join(', ')}], lambda port: port IS NOT NULL)`;
    return `SELECT CASE WHEN len(${ports}) = 0 THEN ['${defaultPort}'] ELSE ${ports} END AS "port", * FROM input`;
  }
  const cases = routes.map(({ port, condition }) => `WHEN (${condition}\n) THEN '${port}'`);
  return `SELECT CASE ${cases.join(' ')} ELSE '${defaultPort}' END AS "port", * FROM input`;
}
