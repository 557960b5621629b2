import { setTimeout as sleep } from 'node:timers/promises';
import { failedRun, failedStep } from '../../../functions/pipelines/common/example-run.ts';
import { examples as pipelineExamples } from '../../../functions/pipelines/pipelines/examples.ts';
import { examples as datasetExamples } from '../../../functions/warehouse/datasets/examples.ts';
import { randomDag } from '../dags.ts';
import { scaled } from '../scale.ts';
import type { Substitute } from './front.ts';

export const PIPELINES = scaled(10_000, 200);
export const TABLES = scaled(2_000, 20);
const COLUMNS = 20;
export const STEPS = 100;
export const EVENTS = scaled(5_000, 200);
/** As a busy run reports: bursts, within some seconds. */
const BURST = 50;
const BURST_EVERY_MS = 20;

export const FINISHED_RUN = failedRun.id;
/** A run that goes on, and reports each of its steps many times. */
export const LIVE_RUN = failedRun.id.replace(/.$/, 'f');

const WORDS = ['orders', 'customers', 'invoices', 'sessions', 'payments', 'stock', 'prices', 'returns'];
const nameOf = (index: number) => `${WORDS[index % WORDS.length]}_${index}`;

/** Replies with many records, made of the examples of the API. */
export const manyRecords: Substitute = (url) => {
  const { pathname } = url;
  if (pathname === '/api/pipelines') return page(url, PIPELINES, pipelineAt);
  if (pathname === '/api/datasets') return page(url, TABLES, datasetAt);
  if (pathname === `/api/pipelines/runs/${FINISHED_RUN}`) return runOf(FINISHED_RUN, 'succeeded');
  if (pathname === `/api/pipelines/runs/${LIVE_RUN}`) return runOf(LIVE_RUN, 'running');
  if (pathname === `/api/pipelines/runs/${LIVE_RUN}/events`) return writeEvents;
  return undefined;
};

function page(url: URL, total: number, itemAt: (index: number) => object): object {
  const limit = Number(url.searchParams.get('limit') ?? 50);
  const offset = Number(url.searchParams.get('cursor') ?? url.searchParams.get('offset') ?? 0);
  const count = Math.max(0, Math.min(limit, total - offset));
  const items = Array.from({ length: count }, (_, index) => itemAt(offset + index));
  return { items, total, limit, offset, nextCursor: offset + count < total ? String(offset + count) : null };
}

const idAt = (id: string, index: number) => id.slice(0, -8) + index.toString(16).padStart(8, '0');

// biome-ignore lint/suspicious/noExplicitAny: examples of replies
const firstOf = (example: { reply?: unknown }): any => (example.reply as { items: unknown[] }).items[0];

function pipelineAt(index: number): object {
  const pipeline = firstOf(pipelineExamples.listPipelines);
  return { ...pipeline, id: idAt(pipeline.id, index), name: `Load ${nameOf(index)}` };
}

function datasetAt(index: number): object {
  const dataset = firstOf(datasetExamples.listDatasets);
  const columns = Array.from({ length: COLUMNS }, (_, column) => ({
    name: `${WORDS[(index + column) % WORDS.length]}_${column}`,
    type: column % 3 === 0 ? 'decimal(18,2)' : 'string',
  }));
  return { ...dataset, id: idAt(dataset.id, index), name: nameOf(index), columns };
}

const parents = randomDag(STEPS, 7);
const stepName = (index: number) => `step-${index}`;

function runOf(id: string, status: 'running' | 'succeeded'): object {
  const steps = parents.map((_, index) => ({
    ...failedStep,
    ...{ id: idAt(failedStep.id, index), runId: id, stepId: stepName(index), type: 'transform_sql', gates: [] },
    ...{ schemaChanges: [], error: null, status: status === 'running' ? 'queued' : 'succeeded' },
  }));
  const dependencies = parents.map((before, index) => [stepName(index), before.map(stepName)]);
  return {
    ...{ ...failedRun, id, status, error: null, finishedAt: status === 'running' ? null : failedRun.finishedAt },
    ...{ steps, dependencies: Object.fromEntries(dependencies), stepsTotal: STEPS, stepsNextCursor: null },
  };
}

/** Each step begins, reports how far it is, and ends; the stream then stays open, so that nothing is read again. */
async function writeEvents(write: (text: string) => void): Promise<void> {
  const perStep = Math.ceil(EVENTS / STEPS);
  let waiting = '';
  for (let event = 0; event < EVENTS; event += 1) {
    const [round, step] = [Math.floor(event / STEPS), { stepId: stepName(event % STEPS), item: null, attempt: 1 }];
    const percent = Math.round((100 * round) / perStep);
    const status = { skipReason: null, error: null, nextRetryAt: null };
    waiting +=
      round === 0
        ? line(event, 'step.status', { ...step, ...status, status: 'running' })
        : round === perStep - 1
          ? line(event, 'step.status', { ...step, ...status, status: 'succeeded' })
          : line(event, 'step.progress', { ...step, percent });
    if (event % BURST !== BURST - 1) continue;
    write(waiting);
    waiting = '';
    await sleep(BURST_EVERY_MS);
  }
  write(waiting);
  await sleep(60_000, undefined, { ref: false });
}

const line = (id: number, event: string, data: object): string =>
  `id: ${id + 1}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
