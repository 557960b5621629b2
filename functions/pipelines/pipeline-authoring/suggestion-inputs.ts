import { type Column, engineTypeOf } from '../../../shared/data/duckdb/column-types.ts';
import type { TableInput } from '../../../shared/domains/engine/index.ts';
import { type Dag, portsOf, type Step } from '../../../shared/domains/pipelines/definition/index.ts';
import { lastInputsOf } from '../../../shared/domains/pipelines/runs/index.ts';
import type { DagStore, StoredRun } from '../../../shared/domains/pipelines/store/index.ts';
import { AppError, type Issue } from '../../../shared/platform/errors/app-error.ts';
import { DataError } from '../../../shared/platform/errors/data-error.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';
import { didYouMean } from '../../../shared/platform/text/nearest.ts';
import { tablesOf } from './last-run.ts';
import type { SuggestOps } from './suggestions/schemas.ts';
export interface SuggestionInputs {
  /** In the order of `upstreamIds`, named by the aliases that operations use. */
  tables: TableInput[];
  /** The run whose rows the tables hold; undefined when they are empty. */
  run: StoredRun | undefined;
}

/**
 * The tables to suggest operations for: with the rows of the newest run that has all of them, or else empty with the
 * columns from the request. Throws `SUGGESTION_INPUTS_INVALID`, and `NO_RUN_DATA` when columns are unknown.
 */
export async function suggestionInputs(
  deps: { table: Table; dags: DagStore },
  place: { workspaceId: string; pipelineId: string },
  { dag, request, now }: { dag: Dag; request: SuggestOps; now: Date },
): Promise<SuggestionInputs> {
  const given = new Map((request.inputs ?? []).map(({ stepId, columns }) => [stepId, columns]));
  const errors = [...upstreamIssues(dag, request, given), ...columnIssues(request)];
  if (errors.length > 0) throw new AppError('SUGGESTION_INPUTS_INVALID', { errors });
  const step = suggestedStep(request.upstreamIds);
  const last = await lastInputsOf(deps.table, place, dag, step, now);
  const stored = last && (await tablesOf(deps, last));
  if (stored?.every(({ columns }, index) => isAsGiven(columns, given.get(request.upstreamIds[index]!)))) {
    return { tables: stored, run: last!.run };
  }
  const tables = request.upstreamIds.map((id, index) => {
    const columns = given.get(id) ?? stored?.[index]?.columns;
    return columns && { name: aliasOf(id), columns: [...columns], files: [] };
  });
  if (!tables.every((each) => each !== undefined)) throw new AppError('NO_RUN_DATA');
  return { tables, run: undefined };
}

const stepOf = (upstreamId: string) => upstreamId.split('.')[0]!;
const aliasOf = (upstreamId: string) => upstreamId.replaceAll(/[-.]/g, '_');

/** The step that would hold the operations. */
function suggestedStep(upstreamIds: readonly string[]): Step {
  return {
    id: 'suggested',
    type: 'transform_sql',
    config: { inputs: Object.fromEntries(upstreamIds.map((id) => [aliasOf(id), stepOf(id)])) },
    fromPorts: Object.fromEntries(upstreamIds.filter((id) => id.includes('.')).map((id) => id.split('.'))),
  };
}

function upstreamIssues(dag: Dag, request: SuggestOps, given: ReadonlyMap<string, unknown>): Issue[] {
  return request.upstreamIds.flatMap((upstreamId, index) => {
    const issue = (code: string, message: string) => [{ pointer: `/upstreamIds/${index}`, code, message }];
    if (request.upstreamIds.findIndex((other) => aliasOf(other) === aliasOf(upstreamId)) < index) {
      return issue('DUPLICATE', `Two inputs would both get the alias "${aliasOf(upstreamId)}".`);
    }
    if (given.has(upstreamId)) return [];
    const [stepId, port] = upstreamId.split('.');
    const step = dag.steps.find(({ id }) => id === stepId);
    if (!step) {
      const ids = dag.steps.map(({ id }) => id);
      return issue(
        'STEP_UNKNOWN',
        `Unknown step "${stepId}"${didYouMean(stepId!, ids)} List the columns of unsaved steps in inputs.`,
      );
    }
    if (step.type === 'load') return issue('INPUT_WITHOUT_ROWS', `The load "${stepId}" has no output rows.`);
    const ports = step.type === 'route' ? portsOf(step) : undefined;
    if (ports && (port === undefined || !ports.includes(port))) {
      return issue('PORT_UNKNOWN', `must end with a dot and one of the ports ${ports.join(', ')}`);
    }
    return !ports && port !== undefined
      ? issue('PORT_UNKNOWN', `The step "${stepId}" is not a route, so it has no ports.`)
      : [];
  });
}

function columnIssues({ inputs = [] }: SuggestOps): Issue[] {
  return inputs.flatMap(({ columns }, place) =>
    columns.flatMap(({ type }, index) => {
      try {
        engineTypeOf(type);
        return [];
      } catch (error) {
        if (!(error instanceof DataError)) throw error;
        const pointer = `/inputs/${place}/columns/${index}/type`;
        return [{ pointer, code: 'COLUMN_TYPE', message: error.message }];
      }
    }),
  );
}

/** The columns from the request take precedence: rows of another shape come from an older definition. */
function isAsGiven(columns: readonly Column[], given: readonly Column[] | undefined): boolean {
  if (!given) return true;
  return given.length === columns.length && given.every(({ name }, index) => name === columns[index]!.name);
}
