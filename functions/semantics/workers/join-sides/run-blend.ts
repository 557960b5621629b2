import {
  type JoinStatistics,
  joinSql,
  overViews,
  SIDES,
  type SideViews,
  STATISTICS,
  statisticsSql,
} from '../../../../shared/data/blends/join-sql.ts';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { quoteLiteral } from '../../../../shared/data/duckdb/quoting.ts';
import type { WarmPool } from '../../../../shared/data/duckdb/warm-pool.ts';
import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import { type BlendAnswer, type BlendRequest, SIDE_LIMITS } from '../../../../shared/domains/semantics/blends/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { GUARD } from './limits.ts';
import { Progress } from './progress.ts';
import { pushedValues } from './pushed-values.ts';
import { assertRows, attachDatasets, keepView, type ReadSide, readSource, type SideDeps } from './read-side.ts';

export interface BlendDeps extends SideDeps {
  engines: WarmPool;
}

/**
 * Joins both sides in one engine: those over datasets from their files, and those of databases from tables. If one
 * side fails, the other is cancelled immediately. Throws `SideFailure` for an error of a side, and a `DataError` for
 * one of the join.
 */
export async function runBlend(deps: BlendDeps, request: BlendRequest): Promise<BlendAnswer> {
  const engine = await deps.engines.takeFor({ owner: 'join-sides', locks: true });
  const progress = new Progress();
  const abort = new AbortController();
  const interrupt = () => {
    progress.interrupt();
    abort.abort(new DOMException('The blend was stopped.', 'AbortError'));
    engine.interrupt();
  };
  const run = async () => {
    await engine.run(`SET TimeZone = ${quoteLiteral(request.timezone)}`);
    // From here on the engine reads only files that it is given.
    await engine.lock();
    const { views, ...sides } = await readSides({ ...deps, engine, progress, abort }, request);
    return { ...sides, ...(await joinedOrFailed({ engine, progress }, request, views)) };
  };
  try {
    return await runGuarded({ run, interrupt }, { ...GUARD, timeoutMs: request.timeoutMs });
  } catch (error) {
    throw progress.named(error);
  } finally {
    await engine.close();
  }
}

type Reading = SideDeps & { engine: Engine; progress: Progress; abort: AbortController };
type ReadBlend = Pick<BlendAnswer, 'leftMs' | 'rightMs' | 'readBytes' | 'pushedDown'> & { views: SideViews };

/** The right side of a database waits for the keys of the left one where they choose its rows. */
async function readSides(reading: Reading, request: BlendRequest): Promise<ReadBlend> {
  const { engine, progress, abort } = reading;
  if (request.pushedKeys.length > 0) {
    const left = await readSide(reading, request, 'left');
    const { view } = left.value;
    const { value: pushed } = await progress.read('left', () =>
      pushedValues(engine, request, view ? { left: view } : {}),
    );
    const right = await readSide(reading, request, 'right', pushed?.conditions);
    const pushedDown = pushed && right.value.isChosen ? { keys: pushed.count, rows: right.value.rows! } : null;
    return { ...readStats(left, right), pushedDown };
  }
  const isLive = SIDES.some((side) => 'sourceId' in request[side].from);
  if (!isLive) {
    const left = await readSide(reading, request, 'left');
    return { ...readStats(left, await readSide(reading, request, 'right')), pushedDown: null };
  }
  const both = SIDES.map((side) =>
    readSide(reading, request, side).catch((error: unknown) => {
      abort.abort(error);
      engine.interrupt();
      throw error;
    }),
  );
  // Both must have ended before the engine is closed; the one that failed first has stopped the other.
  await Promise.allSettled(both);
  if (abort.signal.aborted) throw abort.signal.reason;
  const [left, right] = await Promise.all(both);
  return { ...readStats(left!, right!), pushedDown: null };
}

type Timed = { value: ReadSide; ms: number };

const readStats = (left: Timed, right: Timed) => ({
  leftMs: left.ms,
  rightMs: right.ms,
  readBytes: left.value.bytes + right.value.bytes,
  views: {
    ...(left.value.view && { left: left.value.view }),
    ...(right.value.view && { right: right.value.view }),
  },
});

function readSide(
  { progress, ...reading }: Reading,
  request: BlendRequest,
  side: 'left' | 'right',
  conditions?: Parameters<typeof readSource>[2],
): Promise<Timed> {
  return progress.read(side, () =>
    'tables' in request[side].from
      ? attachDatasets(reading, { ...request, side })
      : readSource({ ...reading, signal: reading.abort.signal }, { ...request, side }, conditions),
  );
}

/** Errors that do not come from the rows of one side. */
const OF_THE_JOIN: readonly string[] = ['QUERY_TIMEOUT', 'OUT_OF_MEMORY', 'RESULT_TOO_LARGE'];

/**
 * Joins the sides. An error in a row of a view does not name its side, so the views are copied after it, one by one:
 * that fails for the side that has the error.
 */
async function joinedOrFailed(
  { engine, progress }: Pick<Reading, 'engine' | 'progress'>,
  request: BlendRequest,
  views: SideViews,
) {
  try {
    return await joined(engine, request, views);
  } catch (error) {
    const found = SIDES.flatMap((side) => (views[side] ? [{ side, view: views[side] }] : []));
    if (!(error instanceof DataError) || OF_THE_JOIN.includes(error.code) || found.length === 0) throw error;
    for (const { side, view } of found) {
      const rows = await progress.read(side, () => keepView(engine, side, view, SIDE_LIMITS.rows + 1));
      assertRows(side, rows.value);
    }
    return joined(engine, request, {});
  }
}

async function joined(engine: Engine, { keys, result, limit, maxBytes }: BlendRequest, views: SideViews) {
  const startedAt = performance.now();
  const counting = overViews(statisticsSql(keys), views);
  const [row = []] = await engine.run(counting.sql, counting.params);
  const statistics = Object.fromEntries(STATISTICS.map((name, at) => [name, Number(row[at])])) as JoinStatistics;
  for (const side of SIDES) if (views[side]) assertRows(side, statistics[`${side}Rows`]);
  const { sql, params } =
    'statement' in result
      ? overViews(result.statement.sql, views, result.statement.params)
      : overViews(joinSql(keys, result), views);
  const answer = await engine.query(sql, { params, limit, maxBytes });
  return { ...answer, statistics, joinMs: Math.round(performance.now() - startedAt) };
}
