import { rm } from 'node:fs/promises';
import type { Bench } from '../bench.ts';
import type { Platform } from '../platform.ts';
import type { Result, Row } from '../result.ts';
import { loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';
import { SALES } from './query-set.ts';

const SECTIONS = 100;
const BLOCKS = 30;
/** As many as the page reads in one request. */
const IN_REQUEST = 10;
const DATASET_ROWS = scaled(1_000_000);
const READS = 40;
const READ_ROUNDS = 5;
const READ_GOAL_MS = 150;
const ROWS_GOAL_MS = 3_000;
/** About a page of text in each section. */
const WORDS = 'Revenue grew in all regions, but the north is still behind its target. '.repeat(30);

/** Stories as their readers meet them: the text, and then the rows of all its live blocks. */
export async function stories({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('stories');
  try {
    const dataset = await loadDataset(platform, 'told_sales', SALES(DATASET_ROWS), folder);
    const live = await givenStory(platform, dataset, 'live');
    const kept = await givenStory(platform, dataset, 'snapshot');
    await rounds(READS, () => readStory(platform, live));
    const reads = await rounds(READ_ROUNDS, async () =>
      percentile(await rounds(READS, () => readStory(platform, live)), 95),
    );
    const coldMs = await readBlocks(platform, live);
    const uncached = await rounds(READ_ROUNDS, async (round) => ({
      together: await readBlocks(platform, await givenStory(platform, dataset, 'live', 2 * round + 1)),
      alone: await readAlone(platform, await givenStory(platform, dataset, 'live', 2 * round + 2)),
    }));
    const cached = await rounds(READ_ROUNDS, async () => ({
      together: await readBlocks(platform, live),
      alone: await readAlone(platform, live),
    }));
    const publishMs = await published(platform, kept);
    const keptMs = await rounds(READ_ROUNDS, async () => ({
      together: await readBlocks(platform, kept),
      alone: await readAlone(platform, kept),
    }));
    const blocks = `rows of ${BLOCKS} live blocks, the last`;
    const against = (what: string, measured: readonly Ways[]): Row => {
      const [ours, theirs] = [measured.map(({ together }) => together), measured.map(({ alone }) => alone)];
      return { what, unit: 'ms', measured: spread(ours), reference: spread(theirs), ratio: ratios(ours, theirs) };
    };
    return {
      title: 'Stories',
      rows: [
        {
          what: `a story of ${SECTIONS} sections and ${BLOCKS} live blocks, p95`,
          unit: 'ms',
          measured: spread(reads),
          goal: { of: 'measured', atMost: READ_GOAL_MS },
        },
        {
          what: `${blocks}, cold`,
          unit: 'ms',
          measured: spread([coldMs]),
          goal: { of: 'measured', atMost: ROWS_GOAL_MS },
        },
        against(`${blocks}, not cached, on warm functions; against a request for each`, uncached),
        against(`${blocks}, cached; against a request for each`, cached),
        { what: 'publishing it with the mode `snapshot`', unit: 'ms', measured: spread([publishMs]) },
        against(`${blocks}, of a snapshot; against a request for each`, keptMs),
      ],
      notes: [
        `Each of the ${BLOCKS} live blocks has another query over a dataset of ${counted(DATASET_ROWS)} rows. The story is read one time after the other, ${READS} times in each of ${READ_ROUNDS} rounds, on a warm function; the rows of its blocks are asked for as its page does, in requests of ${IN_REQUEST} blocks at the same time; the reference asks for each block in a request of its own, all at the same time. When cold, neither the rows are cached nor do the functions and engines run yet; the other uncached rounds have a new story each.`,
      ],
      bound: 'the cores. Gateway, table, functions and readers share those of this machine.',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface GivenStory {
  path: string;
  blockIds: string[];
}

/** Stories with different numbers have different queries. */
async function givenStory(
  platform: Platform,
  datasetId: string,
  mode: 'live' | 'snapshot',
  number = 0,
): Promise<GivenStory> {
  const blockIds = Array.from({ length: BLOCKS }, (_, index) => `${mode}-${index}`);
  const section = (_: unknown, index: number) => {
    const text = { type: 'paragraph', attrs: { id: `text-${index}` }, content: [{ type: 'text', text: WORDS }] };
    const blockId = blockIds[index];
    const place = number * BLOCKS + index;
    const block = blockId && {
      type: 'liveBlock',
      attrs: {
        id: blockId,
        source: { kind: 'chart', chartSpec: chartOf(datasetId, mode === 'live' ? place : -1 - place) },
      },
    };
    return { title: `Section ${index}`, content: { type: 'doc', content: block ? [text, block] : [text] } };
  };
  const sections = Array.from({ length: SECTIONS }, section);
  const { id } = await platform.call<{ id: string }>('POST', '/api/stories', { title: 'Sales', mode, sections });
  return { path: `/api/stories/${id}`, blockIds };
}

const chartOf = (id: string, index: number) => ({
  version: 1,
  query: {
    source: { kind: 'dataset', id },
    dimensions: [{ column: 'region', label: 'region' }],
    measures: [{ column: 'amount', aggregation: 'sum', label: 'amount' }],
    filters: [{ column: 'product', op: 'ne', values: [index] }],
  },
  mark: { type: 'bar' },
  encoding: { x: { field: 'region' }, y: { field: 'amount' } },
});

interface Ways {
  together: number;
  alone: number;
}

async function sent(platform: Platform, method: 'GET' | 'POST', path: string, body?: object) {
  const { status, text, ms } = await platform.http.send(method, platform.endpoint + path, body);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return { text, ms };
}

const timed = async (platform: Platform, method: 'GET' | 'POST', path: string): Promise<number> =>
  (await sent(platform, method, path)).ms;

const readStory = (platform: Platform, { path }: GivenStory): Promise<number> => timed(platform, 'GET', path);
const published = (platform: Platform, { path }: GivenStory): Promise<number> =>
  timed(platform, 'POST', `${path}/publish`);

/** Milliseconds until the rows of every block are there, as the page of the story asks for them. */
async function readBlocks(platform: Platform, { path, blockIds }: GivenStory): Promise<number> {
  const parts = Array.from({ length: Math.ceil(blockIds.length / IN_REQUEST) }, (_, part) =>
    blockIds.slice(part * IN_REQUEST, (part + 1) * IN_REQUEST),
  );
  const times = parts.map(async (ids) => {
    const blocks = ids.map((blockId) => ({ blockId }));
    const { text, ms } = await sent(platform, 'POST', `${path}/blocks/data?view=published`, { blocks });
    const failed = (JSON.parse(text) as { blocks: { problem: unknown }[] }).blocks.find(({ problem }) => problem);
    if (failed) throw new Error(`a block failed: ${JSON.stringify(failed)}`);
    return ms;
  });
  return Math.max(...(await Promise.all(times)));
}

/** The same, with a request for each block. */
async function readAlone(platform: Platform, { path, blockIds }: GivenStory): Promise<number> {
  const times = blockIds.map((blockId) => timed(platform, 'POST', `${path}/blocks/${blockId}/data?view=published`));
  return Math.max(...(await Promise.all(times)));
}
