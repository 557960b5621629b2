import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { startServer } from '../child.ts';
import { HttpClient } from '../http-client.ts';
import type { Result, Row } from '../result.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';

const ROUNDS = 5;
const SEQUENTIAL = 150;
const CONCURRENT = 400;
const CLIENTS = 16;
/** Until the just-in-time compiler of the process that answers has settled. */
const WARM_UP = 1500;
const GOAL_ALONE = 2;
/** Clients at once also share the cores with the gateway. */
const GOAL_AT_ONCE = 2.5;
const REFERENCE = join(import.meta.dirname, '../references/bare-reads.ts');

/** Warm reads through gateway and function against a bare HTTP server that does the same DynamoDB reads. */
export async function apiReads({ platform }: Bench): Promise<Result> {
  const paths = { webhook: await newWebhook(platform), pipeline: await newPipeline(platform) };
  const { TABLE_NAME = '' } = await platform.variablesOf('webhooks');
  const server = await startServer([REFERENCE, platform.endpoint, TABLE_NAME, platform.workspaceId]);
  const bare = new HttpClient();
  try {
    const rows: Row[] = [];
    for (const [what, path] of Object.entries(paths)) {
      const through = () => platform.http.send('GET', platform.endpoint + path);
      const without = () => bare.send('GET', server.url + path.replace('/api', ''));
      rows.push(...(await compare(`GET ${path.replace(/[^/]+$/, '{id}')}`, through, without)));
      if ((await through()).status !== 200 || (await without()).status !== 200) throw new Error(`no ${what} was read`);
    }
    return {
      title: 'Warm reads through the API',
      rows,
      notes: [
        `${ROUNDS} rounds of ${SEQUENTIAL} reads one after the other (after ${WARM_UP}), then ${ROUNDS} of ${CONCURRENT} reads by ${CLIENTS} clients; the bare server does the same reads with the same SDK in the same database. A read of a webhook is a query, which finds its health too; a read of a pipeline is two reads of the table.`,
      ],
      bound:
        'hops between processes. The platform has two (client to gateway, gateway to function) in addition to the one of the bare server, and all share few cores. With 16 clients, the local cloud runs about one function process per core, where Lambda would run 16. Each process compiles its own hot code.',
    };
  } finally {
    server.stop();
    bare.close();
  }
}

type Read = () => Promise<{ status: number; ms: number }>;

async function compare(what: string, through: Read, without: Read): Promise<Row[]> {
  // One client first, which one function process serves: only then are both sides equally warm.
  for (const read of [through, without]) await rounds(WARM_UP, read);
  const one = await rounds(ROUNDS, async () => ({
    through: await latencies(through),
    without: await latencies(without),
  }));
  for (const read of [through, without]) await throughput(read);
  const many = await rounds(ROUNDS, async () => ({
    through: await throughput(through),
    without: await throughput(without),
  }));
  const latency = (percent: number): Row => {
    const ours = one.map((round) => percentile(round.through, percent));
    const theirs = one.map((round) => percentile(round.without, percent));
    return {
      what: `${what}, p${percent}`,
      unit: 'ms',
      measured: spread(ours),
      reference: spread(theirs),
      ratio: ratios(ours, theirs),
      goal: { of: 'ratio', atMost: GOAL_ALONE },
    };
  };
  const ours = many.map((round) => round.through);
  const theirs = many.map((round) => round.without);
  return [
    latency(50),
    latency(95),
    {
      what: `${what}, ${CLIENTS} clients`,
      unit: '/s',
      measured: spread(ours),
      reference: spread(theirs),
      ratio: ratios(theirs, ours),
      goal: { of: 'ratio', atMost: GOAL_AT_ONCE },
    },
  ];
}

async function latencies(read: Read): Promise<number[]> {
  const found = await rounds(SEQUENTIAL, read);
  return found.map(({ ms }) => ms);
}

/** Reads per second of several clients that each wait for their answer. */
async function throughput(read: Read): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CLIENTS }, () => rounds(CONCURRENT / CLIENTS, read)));
  return CONCURRENT / ((performance.now() - startedAt) / 1000);
}

export async function newWebhook(platform: Bench['platform']): Promise<string> {
  const { id } = await platform.call<{ id: string }>('POST', '/api/webhooks', {
    name: 'Read',
    url: 'http://127.0.0.1:8080/',
    kind: 'generic',
    events: ['pipeline.run_failed'],
  });
  return `/api/webhooks/${id}`;
}

async function newPipeline(platform: Bench['platform']): Promise<string> {
  const sourceId = await platform.fileSource('Read', { 'tiny.csv': Buffer.from('id\n1\n') });
  const dag = {
    version: 1,
    steps: [{ id: 'rows', type: 'extract', config: { sourceId, object: { path: 'tiny.csv' } } }],
  };
  const { id } = await platform.call<{ id: string }>('POST', '/api/pipelines', { name: 'Read', dag });
  return `/api/pipelines/${id}`;
}
