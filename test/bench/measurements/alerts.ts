import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Bench } from '../bench.ts';
import { runChild } from '../child.ts';
import type { Platform } from '../platform.ts';
import type { Result } from '../result.ts';
import { loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { ratios, rounds, type Spread, spread } from '../spread.ts';
import { SALES } from './query-set.ts';

const ROWS = scaled(1_000_000);
/** On one source. */
const TOGETHER = scaled(200, 10);
/** On sources of their own: as many as one message has. */
const APART = scaled(25, 5);
const ROUNDS = 5;

/** What has to be evaluated within fifteen minutes, and how many workers there are. */
const DUE = 10_000;
const WORKERS = 10;
const GOAL_S = 60;

/** Days that a preview evaluates, and how long it may take. */
const PAST_DAYS = 90;
const PREVIEW_GOAL_MS = 2_000;

const MODEL = `
version: 1
name: Watched
tables:
  - alias: sales
    sourceTable: watched_days
    fields:
      - { name: sold, fieldType: dimension, dataType: date }
      - { name: product, fieldType: dimension, dataType: integer }
      - { name: amount, fieldType: measure, dataType: decimal }
`;
/** The sales of two years, until yesterday. */
const SALES_OF_DAYS = (rows: number) =>
  `SELECT (CURRENT_DATE - 1 - (id % 730)::INTEGER)::DATE AS sold, product, amount FROM (${SALES(rows)})`;

const REFERENCE = join(import.meta.dirname, '../references/bare-rules.ts');

/** How many rules one worker evaluates a second, and how long ten of them would take for ten thousand. */
export async function alerts({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('alerts');
  const lambda = new LambdaClient(platform.awsClient);
  try {
    const datasetId = await loadDataset(platform, 'watched_sales', SALES(ROWS), folder);
    const { FunctionName, Environment } = await platform.functionOf('evaluate-alerts');
    const evaluate = evaluator(platform, lambda, FunctionName!);
    const together = await givenRules(platform, TOGETHER, 'together', () => ({ kind: 'dataset', id: datasetId }));
    const apart = await givenRules(platform, APART, 'apart', (index) => ({
      ...{ kind: 'dataset', id: datasetId },
      query: {
        measures: [{ column: 'amount', aggregation: 'sum', label: 'amount' }],
        filters: [{ column: 'product', op: 'ne', values: [index] }],
      },
    }));
    await loadDataset(platform, 'watched_days', SALES_OF_DAYS(ROWS), folder);
    const preview = await previewer(platform);
    await preview();
    // The first messages start the function, and the states of the rules.
    for (const ids of [together, apart]) await evaluate(ids, 'schedule');
    const bare = [platform.endpoint, Environment!.Variables!.TABLE_NAME!, platform.workspaceId, together.join()];
    const found = await rounds(ROUNDS, async () => ({
      together: await evaluate(together, 'manual'),
      bare: TOGETHER / ((await runChild<number>([REFERENCE, ...bare])) / 1000),
      unchanged: await evaluate(together, 'schedule'),
      apart: await evaluate(apart, 'manual'),
      preview: await preview(),
    }));
    const of = (name: keyof (typeof found)[number]) => found.map((round) => round[name]);
    return {
      title: 'Alerts',
      rows: [
        {
          what: `${TOGETHER} rules on one source with one query; storing their states alone`,
          unit: '/s',
          measured: spread(of('together')),
          reference: spread(of('bare')),
          ratio: ratios(of('bare'), of('together')),
        },
        { what: `${APART} rules with a query each`, unit: '/s', measured: spread(of('apart')) },
        { what: `${TOGETHER} rules whose data has not changed`, unit: '/s', measured: spread(of('unchanged')) },
        {
          what: `${counted(DUE)} rules of one instant, a query for each ${TOGETHER}: delay p95, computed`,
          unit: 's',
          measured: delayOf(of('together')),
          goal: { of: 'measured', atMost: GOAL_S },
        },
        {
          what: `${counted(DUE)} rules of one instant, a query for each: delay p95, computed`,
          unit: 's',
          measured: delayOf(of('apart')),
          goal: { of: 'measured', atMost: GOAL_S },
        },
        {
          what: `a preview of a metric over ${PAST_DAYS} days (\`unusual\`), the whole request`,
          unit: 'ms',
          measured: spread(of('preview')),
          goal: { of: 'measured', atMost: PREVIEW_GOAL_MS },
        },
      ],
      notes: [
        `One worker evaluates the rules of one message, over a dataset of ${counted(ROWS)} rows; none of them fires. The reference reads and writes as many states in a process without the platform. The delays are computed: ${WORKERS} workers, each with cores of its own at the measured rate, share ${counted(DUE)} rules that are due at the same instant. This machine has fewer cores than that. Each preview reads another product, so none comes from the cache.`,
      ],
      bound:
        'the queries. A rule with a query of its own waits for an engine; rules on the same source share one, and on AWS each engine has cores of its own.',
    };
  } finally {
    lambda.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Seconds until 95 of 100 rules are evaluated. */
const delayOf = (perSecond: readonly number[]): Spread =>
  spread(perSecond.map((rate) => (0.95 * DUE) / (rate * WORKERS)));

async function givenRules(
  platform: Platform,
  count: number,
  name: string,
  sourceOf: (index: number) => object,
): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const source = sourceOf(index);
    const { id } = await platform.call<{ id: string }>('POST', '/api/dashboard-alerts', {
      name: `Sales ${name} ${index}`,
      condition: {
        ...{ kind: 'field', source, column: 'amount', reduce: 'query' in source ? 'last' : 'sum' },
        ...{ operator: 'lt', threshold: -1 - index },
      },
      channels: { event: false },
      onRefresh: false,
    });
    ids.push(id);
  }
  return ids;
}

/** Returns what previews a metric, and answers how long the request took. No two previews ask for the same rows. */
async function previewer(platform: Platform): Promise<() => Promise<number>> {
  const { id: modelId } = await platform.call<{ id: string }>('POST', '/api/models', {
    ...{ name: 'Watched', sourceId: 'datasets' },
  });
  await platform.call('PUT', `/api/models/${modelId}/file`, { yaml: MODEL });
  const path = `/api/models/${modelId}/fields?limit=100`;
  const { items } = await platform.call<{ items: { id: string; name: string }[] }>('GET', path);
  const field = (name: string) => items.find((each) => each.name === name)!.id;
  const { id: metricId } = await platform.call<{ id: string }>('POST', '/api/metrics', {
    ...{ name: 'Sales of a day', modelId, fieldId: field('amount'), aggregation: 'sum' },
    ...{ timeFieldId: field('sold'), grain: 'day', timezone: 'UTC', direction: 'up_good' },
  });
  let product = 0;
  return async () => {
    const filters = [{ fieldId: field('product'), op: 'ne', values: [product++] }];
    const condition = { kind: 'metric', metricId, operator: 'unusual', filters };
    const url = `${platform.endpoint}/api/dashboard-alerts/preview`;
    const { status, text, ms } = await platform.http.send('POST', url, { condition, last: PAST_DAYS });
    const { points = [] } = JSON.parse(text) as { points?: unknown[] };
    if (status !== 200 || points.length !== PAST_DAYS) throw new Error(`the preview answered ${status}: ${text}`);
    return ms;
  };
}

/** Lets the function evaluate the rules for the next instant, and answers how many it evaluates a second. */
function evaluator(platform: Platform, lambda: LambdaClient, FunctionName: string) {
  let instant = Date.now() - 24 * 3_600_000;
  return async (alertIds: readonly string[], kind: 'schedule' | 'manual'): Promise<number> => {
    instant += 60_000;
    const trigger = { kind, at: new Date(instant).toISOString() };
    const message = { op: 'evaluate', workspaceId: platform.workspaceId, alertIds, trigger };
    const Payload = JSON.stringify({ Records: [{ messageId: '1', body: JSON.stringify(message) }] });
    const startedAt = performance.now();
    const reply = await lambda.send(new InvokeCommand({ FunctionName, Payload }));
    if (reply.FunctionError) throw new Error(Buffer.from(reply.Payload ?? []).toString());
    return alertIds.length / ((performance.now() - startedAt) / 1000);
  };
}
