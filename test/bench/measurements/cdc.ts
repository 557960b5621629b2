import { setTimeout as sleep } from 'node:timers/promises';
import type { CdcStream } from '../../../shared/cdc/record.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import type { Bench } from '../bench.ts';
import type { Platform } from '../platform.ts';
import type { Result } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, rounds, spread } from '../spread.ts';

const CHANGES = scaled(100_000);
const ROUNDS = 3;
const COMMITS = scaled(10, 3);
const PATH = '/api/pipelines/cdc-streams';
const LOOK_EVERY_MS = 50;
/** The goal of 20,000 changes a second. */
const GOAL_SECONDS = CHANGES / 20_000;

/** How fast changes of a Postgres table are taken over, and how long after their commit pipelines can read them. */
export async function cdc({ platform }: Bench): Promise<Result> {
  const server = await startPostgres(['-c', 'wal_level=logical']);
  try {
    await server.run('CREATE TABLE events (id BIGINT PRIMARY KEY, kind TEXT, amount NUMERIC(10,2), at TIMESTAMPTZ)');
    const stream = await givenStream(platform, server);
    let next = 0;
    const insert = async (count: number) => {
      const values = `SELECT n, 'kind ' || n % 10, n / 7.0, now() FROM generate_series(${next + 1}, ${next + count}) n`;
      await server.run(`INSERT INTO events ${values}`);
      next += count;
      return performance.now();
    };
    // A snapshot of no rows is one mark.
    const taken = () => waitFor(platform, stream.id, ({ tables }) => tables[0]!.rows >= next + 1);

    const seconds = await rounds(ROUNDS, async () => {
      await insert(CHANGES);
      const startedAt = performance.now();
      await platform.call('PATCH', `${PATH}/${stream.id}`, { enabled: true });
      return ((await taken()) - startedAt) / 1000;
    });
    const latencies = await rounds(COMMITS, async (index) => {
      // Commits fall anywhere between two looks.
      await sleep((index * 1_700) % 5_000);
      const committedAt = await insert(1);
      return (await taken()) - committedAt;
    });
    await platform.call('DELETE', `${PATH}/${stream.id}`);
    const at = (percent: number) => ({ ...spread(latencies), median: percentile(latencies, percent) });
    return {
      title: `CDC: changes of a Postgres table, ${counted(CHANGES)} in one transaction, and one by one`,
      rows: [
        {
          what: `${counted(CHANGES)} changes taken over`,
          unit: 's',
          measured: spread(seconds),
          goal: { of: 'measured', atMost: GOAL_SECONDS },
        },
        { what: 'changes taken over', unit: '/s', measured: spread(seconds.map((each) => CHANGES / each)) },
        { what: 'commit → readable by pipelines, polled, p50', unit: 'ms', measured: at(50) },
        {
          what: 'commit → readable by pipelines, polled, p95',
          unit: 'ms',
          measured: at(95),
          goal: { of: 'measured', atMost: 10_000 },
        },
      ],
      notes: [
        `${ROUNDS} transactions, each taken over by a turn that was asked for by the API, from that request on; then ${COMMITS} commits of one row, waiting for the next look, of which there is one every ten seconds.`,
      ],
      bound: 'a stream is looked at every ten seconds, and a look takes its connection, its lease and its writes.',
    };
  } finally {
    await server.stop();
  }
}

async function givenStream(platform: Platform, server: TestPostgres): Promise<CdcStream> {
  const { host, port, database, user, password } = server;
  const { id: sourceId } = await platform.call<{ id: string }>('POST', '/api/data-sources', {
    name: 'Events in Postgres',
    type: 'postgres',
    config: { host, port, database, user, ssl: false },
    secrets: { password },
  });
  const stream = await platform.call<CdcStream>('POST', PATH, { sourceId, streamId: 'events', tables: ['events'] });
  await waitFor(platform, stream.id, ({ status }) => status === 'streaming');
  return stream;
}

/** Answers when it was so. */
async function waitFor(platform: Platform, id: string, isSo: (stream: CdcStream) => boolean): Promise<number> {
  while (!isSo(await platform.call<CdcStream>('GET', `${PATH}/${id}`))) await sleep(LOOK_EVERY_MS);
  return performance.now();
}
