import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dashboardRepository } from '../../../shared/domains/boards/dashboards/index.ts';
import { findNearest, matchVectors, type Vector, vectorOf } from '../../../shared/domains/catalog/meaning/index.ts';
import { type SearchDocument, SearchIndex } from '../../../shared/domains/catalog/search/index.ts';
import { storyRepository } from '../../../shared/domains/stories/stories/index.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../../shared/domains/warehouse/sources/index.ts';
import { DIMENSIONS } from '../../../shared/platform/ai/dimensions.ts';
import type { Collection } from '../../../shared/platform/storage/collection.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import type { StoredRecord } from '../../../shared/platform/storage/stored-record.ts';
import { openTable, type Table } from '../../../shared/platform/storage/table.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { COMPANY_DOCUMENTS, JUDGED_SLICES, sampled } from '../../unit/catalog/search/companies.ts';
import { DOCUMENTS } from '../../unit/catalog/search/fixture.ts';
import type { Bench } from '../bench.ts';
import { ENGINES, type Engine } from '../references/search-engines.ts';
import type { Result, Row } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';

const OBJECTS = scaled(20_000, 2_000);
const ROUNDS = 5;
const RATIO_GOAL = 2;
const TOP = 10;

/**
 * The index of the search function, beside the library that it is made with, how well each finds what is meant, and
 * searches through the API.
 */
export async function search(bench: Bench): Promise<Result> {
  const documents = manyDocuments();
  const visible = new Set(documents.map(({ key }) => key));
  const buildMs: number[] = [];
  let index = new SearchIndex();
  for (let round = 0; round < ROUNDS; round++) {
    index = new SearchIndex();
    const startedAt = performance.now();
    index.update(documents);
    buildMs.push((performance.now() - startedAt) / 1000);
  }
  const ours: Engine = async (query) => index.search(query, visible).documents.map(({ key }) => key);
  const alone = await ENGINES.MiniSearch!(documents);
  const names = sampled(1).map(({ name }) => name);
  const words = names.map((name) => name.split(/[ _]/)[0]!);
  const typed = words.map((word) => word.slice(0, 5));
  return {
    title: 'Search',
    rows: [
      await row('a whole name, p50', names, 50, ours, alone),
      { ...(await row('a whole name, p95', names, 95, ours, alone)), goal: { of: 'ratio', atMost: RATIO_GOAL } },
      await row('a word, p95', words, 95, ours, alone),
      await row('the first letters of a word, p95', typed, 95, ours, alone),
      {
        what: `an index of ${counted(OBJECTS)} objects`,
        ...{ unit: 's', measured: spread(buildMs), goal: { of: 'measured', atMost: 30 } },
      },
      closest(documents, visible),
      ...(await throughApi(bench, names)),
    ],
    notes: [
      `${counted(OBJECTS)} objects, all visible to the caller; 60 queries of each kind in ${ROUNDS} rounds, in one process, without the gateway and without reading the records. The reference is MiniSearch alone as its guide sets it up, with typos and incomplete words.`,
      `Through the API, the workspace has ${counted(PER_KIND * FILLED.length)} dashboards, stories, datasets and data sources with such names, whose records are written into the table directly and read again every two seconds. The first search builds the index. A new name is the answer of a search that is sent every 100 ms after the reply to the change; the records are read every two seconds.`,
      ...(await quality()),
    ],
    bound: 'names of several words are searched in passes, so that full matches come before partial ones.',
  };
}

/** How long a search by meaning compares the vector of its query with all others. */
function closest(documents: readonly SearchDocument[], visible: ReadonlySet<string>): Row {
  const random = seededRandom(1);
  const vectors = new Map<string, Vector>();
  const vector = () => vectorOf(Int8Array.from({ length: DIMENSIONS }, () => Math.floor(255 * random()) - 127));
  for (const hash of matchVectors(documents, vectors).missing.keys()) vectors.set(hash, vector());
  const texts = matchVectors(documents, vectors);
  const times = Array.from({ length: 10 * ROUNDS }, () => {
    const query = vector();
    const startedAt = performance.now();
    findNearest(texts, { query, threshold: 0.15, visible });
    return performance.now() - startedAt;
  });
  return { what: `the closest of ${counted(OBJECTS)} vectors`, unit: 'ms', measured: spread(times) };
}

/** Kinds of objects that the workspace gets many of: how to make the first, and where the others are stored. */
const FILLED = [
  { path: '/api/dashboards', body: (name: string) => ({ name }), repository: dashboardRepository, name: 'name' },
  { path: '/api/stories', body: (title: string) => ({ title }), repository: storyRepository, name: 'title' },
  { path: '/api/datasets', body: (name: string) => ({ name }), repository: datasetRepository, name: 'name' },
  {
    ...{ path: '/api/data-sources', body: (name: string) => ({ name, type: 'file' }) },
    ...{ repository: dataSourceRepository, name: 'name' },
  },
] as const;
/** Fewer of each kind than a search reads, since the workspace has some already. */
const PER_KIND = Math.min(4_950, Math.floor(OBJECTS / FILLED.length));
const BATCH = 50;

async function throughApi(bench: Bench, names: readonly string[]): Promise<Row[]> {
  const { platform } = bench;
  const { TABLE_NAME = '' } = await platform.variablesOf('search');
  const client = new DynamoDBClient(platform.awsClient);
  const table = openTable(TABLE_NAME, client);
  try {
    await fill(bench, table, names);
    const timed = async (path: string, q: string): Promise<Timed> => {
      await allowSearches(bench, table);
      const { status, text, ms } = await platform.http.send(
        'GET',
        `${platform.endpoint}${path}?q=${encodeURIComponent(q)}`,
      );
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
      return { text, ms };
    };
    const { ms: first } = await timed('/api/search', names[0]!);
    const found = await rounds(ROUNDS, async () => {
      const searched: number[] = [];
      const suggested: number[] = [];
      for (const name of names) {
        searched.push((await timed('/api/search', name)).ms);
        suggested.push((await timed('/api/search/suggest', name.slice(0, 6))).ms);
      }
      return { searched, suggested };
    });
    const of = (what: 'searched' | 'suggested', percent: number) =>
      spread(found.map((round) => percentile(round[what], percent)));
    const row = (what: string, measured: Row['measured'], atMost: number): Row => ({
      ...{ what, unit: 'ms', measured, goal: { of: 'measured', atMost } },
    });
    return [
      row('a search through the API, p50', of('searched', 50), 15),
      row('a search through the API, p95', of('searched', 95), 150),
      row('suggestions through the API, p95', of('suggested', 95), 60),
      row('the first search', spread([first]), 30_000),
      row('until a new name is found', spread(await changes(bench, timed)), 5_000),
    ];
  } finally {
    client.destroy();
  }
}

const CHANGES = 10;
const POLL_MS = 100;

/** How long after the reply to a change a search finds it. */
async function changes({ platform }: Bench, timed: (path: string, q: string) => Promise<Timed>): Promise<number[]> {
  const { id } = await platform.call<{ id: string }>('POST', '/api/reports', { name: 'Quokka 0' });
  const times: number[] = [];
  for (let change = 1; change <= CHANGES; change++) {
    const name = `Quokka ${change}${newId().slice(-6)}`;
    await platform.call('PUT', `/api/reports/${id}`, { name });
    const startedAt = performance.now();
    while (!(await timed('/api/search', name)).text.includes(name)) await setTimeout(POLL_MS);
    times.push(performance.now() - startedAt);
  }
  return times;
}

interface Timed {
  text: string;
  ms: number;
}

/** A person may search sixty times a minute, also in a measurement. */
async function allowSearches({ platform }: Bench, table: Table): Promise<void> {
  const minute = new Date().toISOString().slice(0, 16);
  if (allowed === minute) return;
  allowed = minute;
  const pk = `W#${platform.workspaceId}#SEARCHES`;
  const { Items: counts = [] } = await table.db.send(
    new QueryCommand({
      ...{ TableName: table.name, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } },
    }),
  );
  const people = new Set(counts.map(({ sk }) => String(sk).split('#')[0]!));
  const next = new Date(Date.now() + 60_000).toISOString().slice(0, 16);
  for (const person of people) {
    for (const what of ['search', 'suggest']) {
      for (const each of [minute, next]) {
        const key = { pk, sk: `${person}#${what}#${each}` };
        await table.db.send(new UpdateCommand(updateOf(table, key, { set: { count: -100_000 } })));
      }
    }
  }
}
let allowed = '';

/** Writes copies of records that the API has made. */
async function fill({ platform }: Bench, table: Table, names: readonly string[]): Promise<void> {
  const { workspaceId } = platform;
  const documents = manyDocuments();
  // The first search says who searches.
  await platform.call('GET', `/api/search?q=${encodeURIComponent(names[0]!)}`);
  await platform.call('GET', `/api/search/suggest?q=${encodeURIComponent(names[0]!)}`);
  for (const [position, { path, body, repository, name }] of FILLED.entries()) {
    const { id } = await platform.call<{ id: string }>('POST', path, body(`sample_${newId().slice(0, 8)}`));
    const records = repository(table) as Collection<StoredRecord>;
    const sample = (await records.get(workspaceId, id))!;
    const own = documents.slice(position * PER_KIND, (position + 1) * PER_KIND);
    for (let written = 0; written < own.length; written += BATCH) {
      const copies = own
        .slice(written, written + BATCH)
        .map((document) => ({ ...sample, id: newId(), [name]: document.name, description: document.description }));
      await transact(table, records.createItems(copies));
    }
  }
}

/** Copies of the same objects with other names. */
function manyDocuments(): SearchDocument[] {
  return Array.from({ length: OBJECTS }, (_, position) => {
    const document = COMPANY_DOCUMENTS[position % COMPANY_DOCUMENTS.length]!;
    const copy = Math.floor(position / COMPANY_DOCUMENTS.length);
    return copy === 0
      ? document
      : { ...document, key: `${document.key} ${copy}`, name: `${document.name} ${'vwxyz'[copy % 5]}q${copy}` };
  });
}

async function row(
  what: string,
  queries: readonly string[],
  percent: number,
  ours: Engine,
  alone: Engine,
): Promise<Row> {
  const measure = async (engine: Engine) => {
    const times: number[] = [];
    for (const query of queries) {
      const startedAt = performance.now();
      await engine(query);
      times.push(performance.now() - startedAt);
    }
    return percentile(times, percent);
  };
  const found = await rounds(ROUNDS, async () => ({ measured: await measure(ours), reference: await measure(alone) }));
  const [measured, reference] = [found.map((each) => each.measured), found.map((each) => each.reference)];
  return {
    what,
    unit: 'ms',
    measured: spread(measured),
    reference: spread(reference),
    ratio: ratios(measured, reference),
  };
}

/** What each engine finds of the judged set of the tests. */
async function quality(): Promise<string[]> {
  const documents = [...DOCUMENTS, ...COMPANY_DOCUMENTS];
  const names = new Map(documents.map(({ key, name }) => [key, name]));
  const index = new SearchIndex();
  index.update(documents);
  const visible = new Set(names.keys());
  const engines: [string, Engine][] = [
    ['ours', async (query) => index.search(query, visible).documents.map(({ key }) => key)],
  ];
  for (const [name, open] of Object.entries(ENGINES)) engines.push([name, await open(documents)]);
  const lines: string[] = [];
  for (const [slice, judged] of Object.entries(JUDGED_SLICES)) {
    const figures: string[] = [];
    for (const [name, engine] of engines) {
      const each: { recall: number; reciprocal: number }[] = [];
      for (const [query, ...wanted] of judged) {
        const found = (await engine(query)).slice(0, TOP).map((key) => names.get(key)!);
        const rank = found.findIndex((one) => wanted.includes(one)) + 1;
        each.push({
          recall: wanted.filter((one) => found.includes(one)).length / wanted.length,
          reciprocal: rank === 0 ? 0 : 1 / rank,
        });
      }
      const mean = (values: number[]) => (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(2);
      figures.push(
        `${name} ${mean(each.map(({ recall }) => recall))} and ${mean(each.map(({ reciprocal }) => reciprocal))}`,
      );
    }
    lines.push(`${slice} (${judged.length}): ${figures.join(', ')}`);
  }
  return [
    `Found among ${counted(documents.length)} objects, as recall@10 and mean reciprocal rank, by slice of the judged queries — ${lines.join('; ')}.`,
  ];
}
