import { latestResults, listTests, tableKey, testRepository } from '../../../../shared/domains/quality/index.ts';
import {
  ambiguousJoins,
  applyEdit,
  fieldName,
  gateReasons,
  importFile,
  type ModelDefinition,
  readModelFile,
  unusedParts,
} from '../../../../shared/domains/semantics/models/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import type { ModelDeps } from '../use-cases/context.ts';
import { MAX_ISSUES, type ModelValidation } from './schemas.ts';
import { baseFinder } from './use-cases.ts';

interface Command {
  principal: Principal;
  id: string;
  yaml?: string;
  requestId: string;
}

/** Throws `MODEL_NOT_FOUND`. */
export async function validateModel(deps: ModelDeps, command: Command): Promise<ModelValidation> {
  const { principal, id: modelId } = command;
  const { workspaceId } = principal;
  const stored = await deps.definitions.read({ workspaceId, modelId });
  const definition = await changedBy(deps, stored, command).catch(issuesOfFile);
  if (Array.isArray(definition)) {
    const unused = { fields: [], measures: [] };
    return { ok: false, errors: definition, issues: [], ambiguous: [], assertions: [], unused };
  }
  const issues = gateReasons(definition).slice(0, MAX_ISSUES);
  const assertions = await assertionsOn(deps, definition);
  const { fields, measures } = unusedParts(definition, await deps.findUsedParts(principal, modelId));
  return {
    ok: issues.length === 0 && !assertions.some(({ status }) => status === 'failed' || status === 'error'),
    errors: [],
    issues,
    ambiguous: ambiguousJoins(definition),
    assertions,
    unused: {
      fields: names(fields.map(({ id }) => fieldName(definition, id))),
      measures: names(measures.map(({ name }) => name)),
    },
  };
}

const names = (all: readonly string[]) => [...all].sort().slice(0, MAX_ISSUES);

async function changedBy(
  deps: ModelDeps,
  stored: ModelDefinition,
  { principal, yaml, requestId }: Command,
): Promise<ModelDefinition> {
  if (yaml === undefined) return stored;
  const file = await readModelFile(yaml, baseFinder(deps, stored.model));
  const source = await deps.sourceTables(stored.model);
  const act = { by: principal.userId, at: deps.now() };
  return applyEdit(stored, importFile(stored, file, { source, requestId, act }));
}

function issuesOfFile(error: unknown): Issue[] {
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'MODEL_TOO_LARGE') return [{ pointer: '', code: error.code, message: error.message }];
  if (error.code !== 'VALIDATION_FAILED') throw error;
  return [...error.errors];
}

/** The active tests of the tables, with their latest results. */
async function assertionsOn(
  { table }: Pick<ModelDeps, 'table'>,
  { model: { workspaceId, sourceId }, tables }: ModelDefinition,
): Promise<ModelValidation['assertions']> {
  const aliases = new Map(
    [...tables.values()].map(({ alias, sourceSchema: schemaName, sourceTable: tableName }) => [
      tableKey({ sourceId, schemaName, tableName }),
      alias,
    ]),
  );
  const [tests, results] = await Promise.all([
    listTests(testRepository(table), workspaceId, (test) => test.isActive && aliases.has(test.tableKey)),
    latestResults(table, workspaceId),
  ]);
  return tests.slice(0, MAX_ISSUES).map((test) => ({
    testId: test.id,
    name: test.name,
    table: aliases.get(test.tableKey)!,
    status: results.get(test.id)?.status ?? 'not_run',
  }));
}
