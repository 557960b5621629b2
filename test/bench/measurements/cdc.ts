import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CdcStream } from '../../../shared/domains/pipelines/cdc/record.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import type { Bench } from '../bench.ts';
import { runChild } from '../child.ts';
import type { Platform } from '../platform.ts';
import type { Result, Row } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';

const CHANGES = scaled(200_000);
const ROUNDS = 3;
const POLLED_COMMITS = scaled(6, 2);
const STREAMED_COMMITS = scaled(40, 5);
const PATH = '/api/pipelines/cdc-streams';
const LOOK_EVERY_MS = 20;
/** What never comes ends the measurement, not the bench. */
const PATIENCE_MS = 60_000;
/** The goal of 20,000 changes a second. */
const GOAL_SECONDS = CHANGES / 20_000;
const GOAL_LATENCY_MS = 10_000;

const BARE_SLOT = 'bare';
const BARE_LOOK = `SELECT data FROM pg_logical_slot_peek_binary_changes('${BARE_SLOT}', NULL, NULL, 'proto_version', '1', 'publication_names', '${BARE_SLOT}')`;
const BARE = join(import.meta.dirname, '../references/bare-postgres.ts');
const BARE_REPLICATION = join(import.meta.dirname, '../references/bare-replication.ts');

type Capture = CdcStream['capture'];

/** How fast changes of a Postgres table are taken over, and how long after their commit pipelines can read them. */
export async function cdc(bench: Bench): Promise<Result> {
  const server = await startPostgres(['-c', 'wal_level=logical']);
  try {
    await server.run(`CREATE TABLE events (id BIGINT PRIMARY KEY, kind TEXT, amount NUMERIC(10,2), at TIMESTAMPTZ);
      CREATE PUBLICATION ${BARE_SLOT} FOR TABLE events`);
    await server.rows(`SELECT pg_create_logical_replication_slot('${BARE_SLOT}', 'pgoutput')`);
    const source = await givenSource(bench.platform, server);
    const polled = await measure(new Subject(bench, server, source, 'polling'), POLLED_COMMITS);
    const streamed = await measure(new Subject(bench, server, source, 'streaming'), STREAMED_COMMITS);
    return {
      title: `CDC: changes of a Postgres table, ${counted(CHANGES)} in one transaction, and one by one`,
      rows: [
        ...taken('polled; against a bare read of a slot', polled),
        ...taken('streamed; against pg-logical-replication', streamed),
        ...seen('polled', polled),
        ...seen('streamed', streamed),
      ],
      notes: [
        `${ROUNDS} transactions, from their commit until the API shows them as captured: polled by a turn requested from the API, streamed as they arrive. The references read the same transaction from a slot of their own and discard it. Then single commits: ${POLLED_COMMITS} that wait for the next poll, every ten seconds, and ${STREAMED_COMMITS} streamed.`,
      ],
      bound: 'the server decodes its log for the bare readers as for the capture, and shares the cores with it here.',
    };
  } finally {
    await server.stop();
  }
}

interface Measured {
  seconds: number[];
  bareSeconds: number[];
  latencies: number[];
}

async function measure(subject: Subject, commits: number): Promise<Measured> {
  await subject.open();
  try {
    const found = await rounds(ROUNDS, async () => {
      const committedAt = await subject.insert(CHANGES);
      await subject.hurry();
      const seconds = ((await subject.taken()) - committedAt) / 1000;
      return { seconds, bareSeconds: (await subject.bareMs()) / 1000 };
    });
    const latencies = await rounds(commits, async (index) => {
      // Commits fall anywhere between two looks.
      if (subject.capture === 'polling') await sleep((index * 1_700) % 5_000);
      const committedAt = await subject.insert(1);
      return (await subject.taken()) - committedAt;
    });
    return {
      seconds: found.map(({ seconds }) => seconds),
      bareSeconds: found.map(({ bareSeconds }) => bareSeconds),
      latencies,
    };
  } finally {
    await subject.close();
  }
}

function taken(how: string, { seconds, bareSeconds }: Measured): Row[] {
  return [
    {
      what: `${counted(CHANGES)} changes ${how}`,
      unit: 's',
      measured: spread(seconds),
      reference: spread(bareSeconds),
      ratio: ratios(seconds, bareSeconds),
      goal: { of: 'measured', atMost: GOAL_SECONDS },
    },
    {
      what: `changes per second, ${how.split(';')[0]}`,
      unit: '/s',
      measured: spread(seconds.map((each) => CHANGES / each)),
      reference: spread(bareSeconds.map((each) => CHANGES / each)),
    },
  ];
}

function seen(how: string, { latencies }: Measured): Row[] {
  return [50, 95].map((percent) => ({
    what: `commit → readable by pipelines, ${how}, p${percent}`,
    unit: 'ms',
    measured: { ...spread(latencies), median: percentile(latencies, percent) },
    ...(percent === 95 ? { goal: { of: 'measured', atMost: GOAL_LATENCY_MS } } : {}),
  }));
}

/** A stream of the table, taken over in one of the two ways. */
class Subject {
  readonly capture: Capture;
  readonly #bench: Bench;
  readonly #server: TestPostgres;
  readonly #sourceId: string;
  #container: ChildProcess | undefined;
  #streamId = '';
  /** Rows of the snapshot and changes so far; a snapshot begins with a mark. */
  #expected = 0;

  constructor(bench: Bench, server: TestPostgres, sourceId: string, capture: Capture) {
    this.capture = capture;
    this.#bench = bench;
    this.#server = server;
    this.#sourceId = sourceId;
  }

  async open(): Promise<void> {
    if (this.capture === 'streaming') this.#container = await startContainer(this.#bench);
    await this.#server.run('TRUNCATE events');
    const body = { sourceId: this.#sourceId, streamId: this.capture, tables: ['events'], capture: this.capture };
    this.#streamId = (await this.#bench.platform.call<CdcStream>('POST', PATH, body)).id;
    await this.#until(({ status }) => status === 'streaming');
    this.#expected = 1;
  }

  /** Commits so many rows at once. Answers when that was. */
  async insert(count: number): Promise<number> {
    const first = this.#expected;
    await this.#server.run(`INSERT INTO events
      SELECT n, 'kind ' || n % 10, n / 7.0, now() FROM generate_series(${first}, ${first + count - 1}) n`);
    this.#expected += count;
    return performance.now();
  }

  /** Asks for a turn at once where the changes would wait for the next one. */
  async hurry(): Promise<void> {
    if (this.capture === 'streaming') return;
    await this.#bench.platform.call('PATCH', `${PATH}/${this.#streamId}`, { enabled: true });
  }

  /** Answers when everything that was inserted had been taken over. */
  taken(): Promise<number> {
    return this.#until(({ tables }) => tables[0]!.rows >= this.#expected);
  }

  /** How long a bare reader takes for the same transaction. */
  async bareMs(): Promise<number> {
    const { host, port, database, user, password } = this.#server;
    const connection = JSON.stringify({ host, port, database, user, password });
    const ms =
      this.capture === 'streaming'
        ? await runChild<number>([BARE_REPLICATION, connection, BARE_SLOT, String(CHANGES)])
        : (await runChild<number[]>([BARE, connection, BARE_LOOK]))[0]!;
    await this.#forget();
    return ms;
  }

  /** Releases the log of the bare reader's slot; its last connection may still be closing. */
  async #forget(): Promise<void> {
    const active = `SELECT 1 FROM pg_replication_slots WHERE slot_name = '${BARE_SLOT}' AND active`;
    while ((await this.#server.rows(active)).length > 0) await sleep(LOOK_EVERY_MS);
    await this.#server.rows(`SELECT pg_replication_slot_advance('${BARE_SLOT}', pg_current_wal_lsn())`);
  }

  async close(): Promise<void> {
    if (this.#streamId !== '') await this.#bench.platform.call('DELETE', `${PATH}/${this.#streamId}`);
    await this.#forget();
    if (!this.#container || this.#container.exitCode !== null) return;
    this.#container.kill('SIGTERM');
    await once(this.#container, 'exit');
  }

  async #until(isSo: (stream: CdcStream) => boolean): Promise<number> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const stream = await this.#bench.platform.call<CdcStream>('GET', `${PATH}/${this.#streamId}`);
      if (isSo(stream)) return performance.now();
      if (performance.now() > end) throw new Error(`the stream came to nothing: ${JSON.stringify(stream)}`);
      await sleep(LOOK_EVERY_MS);
    }
  }
}

async function givenSource(platform: Platform, server: TestPostgres): Promise<string> {
  const { host, port, database, user, password } = server;
  const { id } = await platform.call<{ id: string }>('POST', '/api/data-sources', {
    name: 'Events in Postgres',
    type: 'postgres',
    config: { host, port, database, user, ssl: false },
    secrets: { password },
  });
  return id;
}

/** The container of the capture stack, as a process. */
async function startContainer({ deployment, platform }: Bench): Promise<ChildProcess> {
  const { PATH: path = '' } = process.env;
  return spawn(process.execPath, [join(deployment.root, 'dist/stream-changes/main.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: path,
      AWS_ENDPOINT_URL: platform.endpoint,
      AWS_REGION: platform.awsClient.region,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      ...(await platform.variablesOf('capture-changes')),
    },
  });
}
