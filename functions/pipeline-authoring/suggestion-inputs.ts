import { type Column, engineTypeOf } from '../../shared/data/duckdb/column-types.ts';
import type { TableInput } from '../../shared/domains/engine/index.ts';
import { type Dag, lastInputsOf, portsOf, type Step, type StoredRun } from '../../shared/domains/pipelines/index.ts';
import { AppError, type Issue } from '../../shared/platform/errors/app-error.ts';
import { DataError } from '../../shared/platform/errors/data-error.ts';
import type { Table } from '../../shared/platform/storage/table.ts';
import { tablesOf } from './last-run.ts';
import type { OpsWish } from './suggest-schemas.ts';

export interface SuggestionInputs {
  /** In the order of `upstreamIds`, under the names by which operations call them. */
  tables: TableInput[];
  /** The run whose rows the tables hold; undefined when they hold none. */
  run: StoredRun | undefined;
}

/**
 * The tables that operations are to be suggested for: with the rows of the newest run that has all of them, or else empty, with
 * the columns that the client tells. Throws `SUGGESTION_INPUTS_INVALID`, and `NO_RUN_DATA` for columns that nobody knows.
 */
export async function suggestionInputs(
  table: Table,
  place: { workspaceId: string; pipelineId: string },
  { dag, wish, now }: { dag: Dag; wish: OpsWish; now: Date },
): Promise<SuggestionInputs> {
  const given = new Map((wish.inputs ?? []).map(({ stepId, columns }) => [stepId, columns]));
  const errors = [...upstreamIssues(dag, wish, given), ...columnIssues(wish)];
  if (errors.length > 0) throw new AppError('SUGGESTION_INPUTS_INVALID', { errors });
  const step = stepBehind(wish.upstreamIds);
  const last = await lastInputsOf(table, place, dag, step, now);
  const stored = last && tablesOf(last.inputs);
  if (stored?.every(({ columns }, index) => isAsGiven(columns, given.get(wish.upstreamIds[index]!)))) {
    return { tables: stored, run: last!.run };
  }
  const tables = wish.upstreamIds.map((id, index) => {
    const columns = given.get(id) ?? stored?.[index]?.columns;
    return columns && { name: aliasOf(id), columns: [...columns], files: [] };
  });
  if (!tables.every((each) => each !== undefined)) throw new AppError('NO_RUN_DATA');
  return { tables, run: undefined };
}

const stepOf = (upstreamId: string) => upstreamId.split('.')[0]!;
const aliasOf = (upstreamId: string) => upstreamId.replaceAll(/[-.]/g, '_');

/** The step that the operations would be of. */
function stepBehind(upstreamIds: readonly string[]): Step {
  return {
    id: 'suggested',
    type: 'transform_sql',
    config: { inputs: Object.fromEntries(upstreamIds.map((id) => [aliasOf(id), stepOf(id)])) },
    fromPorts: Object.fromEntries(upstreamIds.filter((id) => id.includes('.')).map((id) => id.split('.'))),
  };
}

function upstreamIssues(dag: Dag, wish: OpsWish, given: ReadonlyMap<string, unknown>): Issue[] {
  return wish.upstreamIds.flatMap((upstreamId, index) => {
    const issue = (code: string, message: string) => [{ pointer: `/upstreamIds/${index}`, code, message }];
    if (wish.upstreamIds.findIndex((other) => aliasOf(other) === aliasOf(upstreamId)) < index) {
      return issue('DUPLICATE', `two of them would both be called ${aliasOf(upstreamId)}`);
    }
    if (given.has(upstreamId)) return [];
    const [stepId, port] = upstreamId.split('.');
    const step = dag.steps.find(({ id }) => id === stepId);
    if (!step) return issue('STEP_UNKNOWN', `there is no step ${stepId}, and inputs do not tell its columns`);
    if (step.type === 'load') return issue('INPUT_WITHOUT_ROWS', `the load ${stepId} passes no rows on`);
    const ports = step.type === 'route' ? portsOf(step) : undefined;
    if (ports && (port === undefined || !ports.includes(port))) {
      return issue('PORT_UNKNOWN', `must name one of the ports ${ports.join(', ')} behind a dot`);
    }
    return !ports && port !== undefined ? issue('PORT_UNKNOWN', `${stepId} has no ports`) : [];
  });
}

function columnIssues({ inputs = [] }: OpsWish): Issue[] {
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

/** What the client says of an input counts: rows of another shape are of an older definition. */
function isAsGiven(columns: readonly Column[], given: readonly Column[] | undefined): boolean {
  if (!given) return true;
  return given.length === columns.length && given.every(({ name }, index) => name === columns[index]!.name);
}
