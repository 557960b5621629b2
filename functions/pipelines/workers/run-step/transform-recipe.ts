import { freeName } from '../../../../shared/data/duckdb/column-names.ts';
import type { Column } from '../../../../shared/data/duckdb/column-types.ts';
import { NAMES_OF_PLACES } from '../../../../shared/data/duckdb/parquet-source.ts';
import { authorTexts, compileRecipe } from '../../../../shared/data/recipe/compile.ts';
import { type BindText, emitDuckDb } from '../../../../shared/data/recipe/duckdb.ts';
import { type NumberedInput, rankedByNumber } from '../../../../shared/data/recipe/first-rows.ts';
import type { Op } from '../../../../shared/data/recipe/ops.ts';
import { ASSERTION_FAILED } from '../../../../shared/data/recipe/row-ops.ts';
import type { Table } from '../../../../shared/data/recipe/table.ts';
import { balancedIssue, expressionStatement } from '../../../../shared/data/sql/condition.ts';
import { unrepeatablePart } from '../../../../shared/data/sql/repeatable.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import { bindTemplates } from '../../../../shared/data/sql/templates.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { attachInput, rowsBehind, storeOrKeep } from './output.ts';

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
  let usesClock = false;
  for (const op of ops) usesClock = (await checkTexts(attempt, op)) || usesClock;
  const numbered: Record<string, NumberedInput> = {};
  const mayBeNumbered = !inputs[main!]!.some(({ name }) => NAMES_OF_PLACES.has(name.toLowerCase()));
  if (mayBeNumbered && ops.some(({ op }) => op === 'dedupe')) {
    const twin = { table: `numbered rows of ${main}`, column: freeName('number of the row', inputs[main!]!) };
    await attachInput(attempt, main!, { as: twin.table, numbered: twin.column });
    numbered[main!] = twin;
  }
  const path = engine.temporaryPath('parquet');
  await engine.lock();
  const bindText: BindText = (text, first) => bindTemplates(text, attempt.values, first);
  await checkOps(attempt, ops, tables, bindText);
  const { sql, params } = emitDuckDb(rankedByNumber(rows, numbered), bindText);
  const written = await engine.copyToParquet(sql, { params, path }).catch(throwAssertion);
  // A preview computes rows again without their numbers.
  const takesFirst = ops.some(({ op }) => op === 'dedupe');
  const stored = await storeOrKeep(attempt, path, written, usesClock ? 'clock' : takesFirst ? 'order' : undefined);
  return { ...stored, rowsIn: rowsBehind(attempt, aliases) };
}

/** A failed assertion is a check of the data, like a gate, so it is never retried. */
function throwAssertion(error: unknown): never {
  const isAssertion = error instanceof DataError && error.message.includes(ASSERTION_FAILED);
  throw isAssertion ? new StepFailure('GATE_FAILED', error.message, error) : error;
}

/** Returns whether a text gives another value at another time. */
async function checkTexts(attempt: Attempt, op: Op): Promise<boolean> {
  let usesClock = false;
  for (const { text } of authorTexts(op)) {
    const issue = balancedIssue(text);
    if (issue) throw issue;
    const { sql, references } = bindTemplates(text, attempt.values);
    const { parameters, root } = await checkSelect(attempt.engine, expressionStatement(sql), { tables: [] });
    usesClock ||= unrepeatablePart(root) !== undefined;
    if (references.length === 0 && parameters.length > 0) {
      const message = 'SQL parameters such as $1 have no value in an expression; use a {{ reference }} instead.';
      throw new StepFailure('SQL_ERROR', message);
    }
  }
  return usesClock;
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
