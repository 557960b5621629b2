import { type JoinStatistics, joinSql, STATISTICS, statisticsSql } from '../../../../shared/data/blends/join-sql.ts';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { quoteLiteral } from '../../../../shared/data/duckdb/quoting.ts';
import type { WarmPool } from '../../../../shared/data/duckdb/warm-pool.ts';
import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import type { BlendAnswer, BlendRequest } from '../../../../shared/domains/semantics/blends/index.ts';
import { GUARD } from './limits.ts';
import { Progress } from './progress.ts';
import { pushedValues } from './pushed-values.ts';
import { type ReadSide, readDatasets, readSource, type SideDeps } from './read-side.ts';

export interface BlendDeps extends SideDeps {
  engines: WarmPool;
}

/**
 * Reads both sides into tables of one engine and joins them there. If one side fails, the other is cancelled at once.
 * Throws `SideFailure` for an error of a side, and a `DataError` for one of the join.
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
    const sides = await readSides({ ...deps, engine, progress, abort }, request);
    return { ...sides, ...(await joined(engine, request)) };
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
type ReadBlend = Pick<BlendAnswer, 'leftMs' | 'rightMs' | 'readBytes' | 'pushedDown'>;

/** The right side of a database waits for the keys of the left one where they choose its rows. */
async function readSides(reading: Reading, request: BlendRequest): Promise<ReadBlend> {
  const { engine, abort } = reading;
  if (request.pushedKeys.length > 0) {
    const left = await readSide(reading, request, 'left');
    const pushed = await pushedValues(engine, request);
    const right = await readSide(reading, request, 'right', pushed?.conditions);
    const pushedDown = pushed && right.value.isChosen ? { keys: pushed.count, rows: right.value.rows } : null;
    return { ...readStats(left, right), pushedDown };
  }
  const isLive = (['left', 'right'] as const).some((side) => 'sourceId' in request[side].from);
  if (!isLive) {
    const left = await readSide(reading, request, 'left');
    return { ...readStats(left, await readSide(reading, request, 'right')), pushedDown: null };
  }
  const both = (['left', 'right'] as const).map((side) =>
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
});

function readSide(
  { progress, ...reading }: Reading,
  request: BlendRequest,
  side: 'left' | 'right',
  conditions?: Parameters<typeof readSource>[2],
): Promise<Timed> {
  return progress.read(side, () =>
    'tables' in request[side].from
      ? readDatasets(reading, { ...request, side })
      : readSource({ ...reading, signal: reading.abort.signal }, { ...request, side }, conditions),
  );
}

async function joined(engine: Engine, { keys, result, limit, maxBytes }: BlendRequest) {
  const startedAt = performance.now();
  const [row = []] = await engine.run(statisticsSql(keys));
  const statistics = Object.fromEntries(STATISTICS.map((name, at) => [name, Number(row[at])])) as JoinStatistics;
  const answer = await engine.query(joinSql(keys, result), { params: [], limit, maxBytes });
  return { ...answer, statistics, joinMs: Math.round(performance.now() - startedAt) };
}
