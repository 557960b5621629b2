import {
  readAdmission,
  type ShownErrorsDeps,
  showErrors,
  toRun,
} from '../../../../shared/domains/pipelines/runs/index.ts';
import {
  oldestRunEntry,
  type Run,
  readRunEntries,
  runRepository,
  type StoredRun,
} from '../../../../shared/domains/pipelines/store/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import { fittingItems } from '../../../../shared/platform/storage/page.ts';
import { idAt } from '../../../../shared/platform/storage/positions.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { AllRunsPage, AllRunsQuery } from '../schemas.ts';

interface Deps extends ShownErrorsDeps {
  table: Table;
  cursors: Cursors;
  now(): Date;
}

/** How many entries of the list a request reads at most, with those that its filters leave out. */
const MAX_ENTRIES = 5_000;
/** The same for runs of one pipeline, whose filters need the whole records. */
const MAX_RECORDS = 1_000;

/** Some runs before a position, newest first, and where to continue. */
interface Part {
  runs: StoredRun[];
  read: number;
  last: string | undefined;
}

type Filters = Omit<AllRunsQuery, 'limit' | 'cursor'>;

const positionOf = ({ createdAt, id }: StoredRun) => `${createdAt}#${id}`;

/** Positions begin with instants in UTC with milliseconds, so those of the client get the same form. */
const instant = (given: string | undefined) => given && new Date(given).toISOString();

/** The runs of all pipelines of the workspace, or of one, newest first. */
export async function listAllRuns(
  deps: Deps,
  { principal, limit, cursor, ...filters }: AllRunsQuery & { principal: Principal },
): Promise<AllRunsPage> {
  const { table, cursors } = deps;
  const { workspaceId } = principal;
  const { status, pipelineId, trigger } = filters;
  const [from, to] = [instant(filters.from), instant(filters.to)];
  const scope = { workspaceId, list: ['pipeline-runs', status, pipelineId, trigger, from, to] };
  const start = cursor ? (await cursors.open(cursor, scope, deps.now())).after : to;
  const [{ runs, last }, recordedSince] = await Promise.all([
    collect(deps, workspaceId, { ...filters, from }, { limit, start }),
    pipelineId === undefined ? oldestRunEntry(table, workspaceId) : null,
  ]);
  const nextCursor = last ? await cursors.seal({ after: last, asOf: last.slice(0, 24) }, scope, deps.now()) : null;
  return { items: await viewRuns(deps, principal, runs), nextCursor, recordedSince };
}

/** Reads parts until the page is full, the list ends, or the request has read enough. */
async function collect(
  { table }: Deps,
  workspaceId: string,
  filters: Filters,
  { limit, start }: { limit: number; start: string | undefined },
): Promise<{ runs: StoredRun[]; last: string | undefined }> {
  const { pipelineId, from = '' } = filters;
  const [next, maxRead] =
    pipelineId === undefined
      ? [(before?: string) => partOfWorkspace(table, workspaceId, filters, limit, before), MAX_ENTRIES]
      : [(before?: string) => partOfPipeline(table, workspaceId, pipelineId, limit, before), MAX_RECORDS];
  const found: StoredRun[] = [];
  let before = start;
  for (let read = 0; read < maxRead; ) {
    const part = await next(before);
    read += part.read;
    for (const run of part.runs) {
      if (positionOf(run) < from) return fitted(found, undefined);
      if (!matches(run, filters)) continue;
      found.push(run);
      if (found.length === limit) return fitted(found, positionOf(run));
    }
    if (part.last === undefined || part.last < from) return fitted(found, undefined);
    before = part.last;
  }
  return fitted(found, before);
}

const matches = (run: StoredRun, { status, trigger }: Filters) =>
  (status === undefined || run.status === status) && (trigger === undefined || run.trigger.kind === trigger);

/** The page ends earlier if its runs would be too large for a reply. */
function fitted(runs: StoredRun[], last: string | undefined) {
  const fitting = runs.slice(0, fittingItems(runs));
  return fitting.length < runs.length ? { runs: fitting, last: positionOf(fitting.at(-1)!) } : { runs, last };
}

async function partOfWorkspace(
  table: Table,
  workspaceId: string,
  { status, trigger }: Filters,
  limit: number,
  before: string | undefined,
): Promise<Part> {
  const state = status === 'queued' || status === 'running' ? 'active' : status;
  const atMost = state === undefined && trigger === undefined ? limit : 500;
  const entries = await readRunEntries(table, workspaceId, { before, atMost });
  const matching = entries.filter(
    (entry) => (state === undefined || entry.state === state) && (trigger === undefined || entry.trigger === trigger),
  );
  const wanted = matching.slice(0, limit);
  const runs = await runRepository(table).getMany(
    workspaceId,
    wanted.map(({ position }) => idAt(position)),
  );
  const isCut = wanted.length < matching.length;
  const last = isCut ? wanted.at(-1) : entries.length === atMost ? entries.at(-1) : undefined;
  return { runs, read: entries.length, last: last?.position };
}

/** Reads the list of the pipeline, which also has runs from before the list of the workspace existed. */
async function partOfPipeline(
  table: Table,
  workspaceId: string,
  pipelineId: string,
  limit: number,
  before: string | undefined,
): Promise<Part> {
  const page = await runRepository(table).listAfter(workspaceId, { limit, after: before }, pipelineId);
  return { runs: page.items, read: limit, last: page.last };
}

/** Runs as the caller may see them; a queued one with its place in the queue of its pipeline. */
async function viewRuns(deps: Deps, principal: Principal, runs: readonly StoredRun[]): Promise<Run[]> {
  const waiting = [...new Set(runs.flatMap((run) => (run.status === 'queued' ? run.pipelineId : [])))];
  const admissions = new Map(
    await Promise.all(
      waiting.map(async (id) => [id, await readAdmission(deps.table, principal.workspaceId, id)] as const),
    ),
  );
  const errors = showErrors(deps, principal);
  return Promise.all(runs.map((run) => errors.inRun(toRun(run, admissions.get(run.pipelineId)))));
}
