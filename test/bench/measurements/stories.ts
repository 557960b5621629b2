import { rm } from 'node:fs/promises';
import type { Bench } from '../bench.ts';
import type { Platform } from '../platform.ts';
import type { Result } from '../result.ts';
import { loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, rounds, spread } from '../spread.ts';
import { SALES } from './query-set.ts';

const SECTIONS = 100;
const BLOCKS = 30;
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
    const warmMs = await rounds(READ_ROUNDS, () => readBlocks(platform, live));
    const publishMs = await published(platform, kept);
    const keptMs = await rounds(READ_ROUNDS, () => readBlocks(platform, kept));
    const blocks = `rows of ${BLOCKS} live blocks at once, the last`;
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
          what: `${blocks}, not cached`,
          unit: 'ms',
          measured: spread([coldMs]),
          goal: { of: 'measured', atMost: ROWS_GOAL_MS },
        },
        { what: `${blocks}, cached`, unit: 'ms', measured: spread(warmMs) },
        { what: 'publishing it with the mode `snapshot`', unit: 'ms', measured: spread([publishMs]) },
        { what: `${blocks}, of a snapshot`, unit: 'ms', measured: spread(keptMs) },
      ],
      notes: [
        `Each of the ${BLOCKS} live blocks has another query over a dataset of ${counted(DATASET_ROWS)} rows. The story is read one time after the other, ${READS} times in each of ${READ_ROUNDS} rounds, on a warm function; the rows of its blocks are asked for in ${BLOCKS} requests at the same time.`,
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

async function givenStory(platform: Platform, datasetId: string, mode: 'live' | 'snapshot'): Promise<GivenStory> {
  const blockIds = Array.from({ length: BLOCKS }, (_, index) => `${mode}-${index}`);
  const section = (_: unknown, index: number) => {
    const text = { type: 'paragraph', attrs: { id: `text-${index}` }, content: [{ type: 'text', text: WORDS }] };
    const blockId = blockIds[index];
    const block = blockId && {
      type: 'liveBlock',
      attrs: {
        id: blockId,
        source: { kind: 'chart', chartSpec: chartOf(datasetId, mode === 'live' ? index : -1 - index) },
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

async function timed(platform: Platform, method: 'GET' | 'POST', path: string): Promise<number> {
  const { status, text, ms } = await platform.http.send(method, platform.endpoint + path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return ms;
}

const readStory = (platform: Platform, { path }: GivenStory): Promise<number> => timed(platform, 'GET', path);
const published = (platform: Platform, { path }: GivenStory): Promise<number> =>
  timed(platform, 'POST', `${path}/publish`);

/** Milliseconds until the rows of every block are there. */
async function readBlocks(platform: Platform, { path, blockIds }: GivenStory): Promise<number> {
  const times = blockIds.map((blockId) => timed(platform, 'POST', `${path}/blocks/${blockId}/data?view=published`));
  return Math.max(...(await Promise.all(times)));
}
