import { freeName } from '../../../../shared/data/duckdb/column-names.ts';
import type { Column } from '../../../../shared/data/duckdb/column-types.ts';
import { NAMES_OF_PLACES } from '../../../../shared/data/duckdb/engine.ts';
import { authorTexts, compileRecipe } from '../../../../shared/data/recipe/compile.ts';
import { type BindText, emitDuckDb } from '../../../../shared/data/recipe/duckdb.ts';
import { type NumberedInput, rankedByNumber } from '../../../../shared/data/recipe/first-rows.ts';
import type { Op } from '../../../../shared/data/recipe/ops.ts';
import { ASSERTION_FAILED } from '../../../../shared/data/recipe/row-ops.ts';
import type { Table } from '../../../../shared/data/recipe/table.ts';
import { balancedIssue, expressionStatement } from '../../../../shared/data/sql/condition.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import { bindTemplates } from '../../../../shared/data/sql/templates.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { attachInput, rowsBehind, scratchFile, storeOutput } from './output.ts';

/** Runs the operations of a recipe over the inputs, as one statement. */
export async function transformRecipe(attempt: Attempt, ops: readonly Op[]): Promise<StepResult> {
  const { engine } = attempt;
  const inputs: Record<string, Column[]> = {};
  const aliases = Object.keys(attempt.inputs);
  for (const alias of aliases) {
    await attachInput(attempt, alias);
    inputs[alias] = await engine.describe(`SELECT * FROM ${JSON.stringify(alias)}`);
  }
  const [main] = Object.keys(inputs);
  const { tables, rows, issues } = compileRecipe(ops, inputs, { main: main!, at: '/ops' });
  if (issues.length > 0) {
    throw new StepFailure('SCHEMA_MISMATCH', issues.map(({ pointer, message }) => `${pointer}: ${message}`).join('; '));
  }
  for (const op of ops) await checkTexts(attempt, op);
  const numbered: Record<string, NumberedInput> = {};
  const mayBeNumbered = !inputs[main!]!.some(({ name }) => NAMES_OF_PLACES.has(name.toLowerCase()));
  if (mayBeNumbered && ops.some(({ op }) => op === 'dedupe')) {
    const twin = { table: `numbered rows of ${main}`, column: freeName('number of the row', inputs[main!]!) };
    await attachInput(attempt, main!, { as: twin.table, numbered: twin.column });
    numbered[main!] = twin;
  }
  const path = scratchFile(attempt);
  await engine.lock([path]);
  const bindText: BindText = (text, first) => bindTemplates(text, attempt.values, first);
  await checkOps(attempt, ops, tables, bindText);
  const { sql, params } = emitDuckDb(rankedByNumber(rows, numbered), bindText);
  const written = await engine.copyToParquet(sql, { params, path }).catch(throwAssertion);
  const output = await storeOutput(attempt, path, written);
  return { output, rowsIn: rowsBehind(attempt, aliases), rowsOut: output.rows, bytesOut: output.bytes };
}

/** A failed assertion is a check of the data, like a gate, so it is never retried. */
function throwAssertion(error: unknown): never {
  const isAssertion = error instanceof DataError && error.message.includes(ASSERTION_FAILED);
  throw isAssertion ? new StepFailure('GATE_FAILED', error.message, error) : error;
}

async function checkTexts(attempt: Attempt, op: Op): Promise<void> {
  for (const { text } of authorTexts(op)) {
    const issue = balancedIssue(text);
    if (issue) throw issue;
    const { sql, references } = bindTemplates(text, attempt.values);
    const { parameters } = await checkSelect(attempt.engine, expressionStatement(sql), { tables: [] });
    if (references.length === 0 && parameters.length > 0) {
      const message = 'SQL parameters such as $1 have no value in an expression; use a {{ reference }} instead.';
      throw new StepFailure('SQL_ERROR', message);
    }
  }
}

/** Finds the operation that the engine rejects; an error of the whole statement would not name it. */
async function checkOps(
  attempt: Attempt,
  ops: readonly Op[],
  tables: readonly Table[],
  bindText: BindText,
): Promise<void> {
  for (const [index, { op }] of ops.entries()) {
    const { sql, params } = emitDuckDb(tables[index + 1]!.relation, bindText);
    try {
      await attempt.engine.describe(sql, params);
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      throw new DataError(error.code, `/ops/${index} (${op}): ${error.message}`, { cause: error });
    }
  }
}
