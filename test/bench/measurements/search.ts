import { type SearchDocument, SearchIndex } from '../../../shared/domains/catalog/search/index.ts';
import { COMPANY_DOCUMENTS, JUDGED_SLICES, sampled } from '../../unit/catalog/search/companies.ts';
import { DOCUMENTS } from '../../unit/catalog/search/fixture.ts';
import { ENGINES, type Engine } from '../references/search-engines.ts';
import type { Result, Row } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';

const OBJECTS = scaled(20_000, 2_000);
const ROUNDS = 5;
const RATIO_GOAL = 2;
const TOP = 10;

/** The index of the search function, beside the library that it is made with, and how well each finds what is meant. */
export async function search(): Promise<Result> {
  const documents = manyDocuments();
  const visible = new Set(documents.map(({ key }) => key));
  const buildMs: number[] = [];
  let index = new SearchIndex();
  for (let round = 0; round < ROUNDS; round++) {
    index = new SearchIndex();
    const startedAt = performance.now();
    index.update(documents);
    buildMs.push(performance.now() - startedAt);
  }
  const ours: Engine = async (query) => index.search(query, visible).hits.map(({ document }) => document.key);
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
      { what: `an index of ${counted(OBJECTS)} objects`, unit: 'ms', measured: spread(buildMs) },
    ],
    notes: [
      `${counted(OBJECTS)} objects, all visible to the caller; 60 queries of each kind in ${ROUNDS} rounds, in one process, without the gateway and without reading the records. The reference is MiniSearch alone as its guide sets it up, with typos and incomplete words.`,
      ...(await quality()),
    ],
    bound: 'names of several words are searched in passes, so that full matches come before partial ones.',
  };
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
    ['ours', async (query) => index.search(query, visible).hits.map(({ document }) => document.key)],
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
