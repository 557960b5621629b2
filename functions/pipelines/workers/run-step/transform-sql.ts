import { unrepeatablePart } from '../../../../shared/data/sql/repeatable.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import { bindTemplates } from '../../../../shared/data/sql/templates.ts';
import { recipeOf } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import type { Attempt } from './attempt.ts';
import { attachInput, rowsBehind, storeOrKeep } from './output.ts';
import { transformRecipe } from './transform-recipe.ts';

/** Runs the author's SELECT over the inputs in an instance that can reach nothing else. */
export async function transformSql(attempt: Attempt): Promise<StepResult> {
  const { engine } = attempt;
  const ops = recipeOf(attempt.step.config);
  if (ops) return transformRecipe(attempt, ops);
  const config = attempt.step.config as { sql: string };
  const bound = bindTemplates(config.sql, attempt.values);
  const checked = await checkSelect(engine, bound.sql, { tables: Object.keys(attempt.inputs) });
  for (const alias of checked.tables) await attachInput(attempt, alias);
  const path = engine.temporaryPath('parquet');
  await engine.lock();
  const written = await engine.copyToParquet(checked.sql, { params: bound.params, path });
  const unrepeatable = unrepeatablePart(checked.root) === undefined ? undefined : 'clock';
  const stored = await storeOrKeep(attempt, path, written, unrepeatable);
  return { ...stored, rowsIn: rowsBehind(attempt, checked.tables) };
}
