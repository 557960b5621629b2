import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openApi } from './api.ts';
import { makeDashboard } from './dashboard.ts';
import { flightsPipeline, question, SAMPLE_FILES } from './flights.ts';
import { isGenuine, openReceiver } from './receiver.ts';
import { followRun } from './run-view.ts';
import { uploadFile } from './upload.ts';

const number = new Intl.NumberFormat('en');
const say = (text: string) => console.log(`\n${text}`);

const api = await openApi();
const tag = randomBytes(3).toString('hex');

say('1. A data source from sample files: three million flights, and the airports of the United States');
const source = await api.post<{ id: string }>('/api/data-sources', { name: `Flights ${tag}`, type: 'file' });
const folder = join(import.meta.dirname, '../../node_modules/vega-datasets/data');
for (const file of SAMPLE_FILES) await uploadFile(api, source.id, join(folder, file));

say('2. A pipeline: extract both, join them, merge the result into a dataset');
const dataset = `flights_${tag}`;
const pipeline = await api.post<{ id: string }>('/api/pipelines', {
  name: `Flights ${tag}`,
  dag: flightsPipeline(source.id, dataset),
});

say('3. A run of it, followed on its event stream');
const startedAt = performance.now();
const run = await api.post<{ id: string }>(`/api/pipelines/${pipeline.id}/run`);
const status = await followRun(api, run.id);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
if (status !== 'succeeded') throw new Error(`the run ${status}: see /api/pipelines/runs/${run.id}`);
const finished = await api.get<{ steps: { stepId: string; rowsOut: number | null }[] }>(
  `/api/pipelines/runs/${run.id}`,
);
for (const { stepId, rowsOut } of finished.steps)
  console.log(`  ${stepId.padEnd(10)} ${number.format(rowsOut ?? 0)} rows`);
console.log(`  ${status} in ${seconds} s`);

say('4. A query over the dataset');
const answer = await api.post<{ columns: { name: string }[]; rows: unknown[][]; stats: { ms: number } }>('/api/query', {
  sql: question(dataset),
});
console.table(answer.rows.map((row) => Object.fromEntries(row.map((value, i) => [answer.columns[i]!.name, value]))));
console.log(`  answered in ${answer.stats.ms} ms`);

say('5. A dashboard over the dataset');
const { items: datasets } = await api.get<{ items: { id: string; name: string }[] }>(`/api/datasets?name=${dataset}`);
const { id: datasetId } = datasets.find(({ name }) => name === dataset)!;
const dashboardId = await makeDashboard(api, { datasetId, name: `Flights ${tag}` });
console.log(`  published; open ${api.baseUrl}/api/d/${dashboardId} and sign in as ${api.email}`);

say('6. A webhook, and a pipeline that fails on purpose');
const receiver = await openReceiver();
const secret = randomBytes(24).toString('base64url');
const webhook = await api.post<{ id: string }>('/api/webhooks', {
  name: `Demo ${tag}`,
  url: receiver.url,
  kind: 'generic',
  events: ['pipeline.run_failed'],
  secret,
});
const failing = flightsPipeline(source.id, dataset);
failing.steps[2]!.config.sql =
  `SELECT *, CAST('not a number' AS INTEGER) AS broken FROM (${failing.steps[2]!.config.sql})`;
failing.steps[2]!.retry = { maxAttempts: 1 };
const second = await api.post<{ id: string }>('/api/pipelines', { name: `Broken ${tag}`, dag: failing });
const broken = await api.post<{ id: string }>(`/api/pipelines/${second.id}/run`);
console.log(`  the run ${await followRun(api, broken.id)}, as expected`);
const notification = await receiver.next;
receiver.close();
const { event, data } = JSON.parse(notification.body) as { event: string; data: { error?: { message?: string } } };
console.log(`  received ${event}: ${data.error?.message ?? ''}`);
if (!isGenuine(notification, secret)) throw new Error('the signature is not valid');
console.log('  its signature is valid');
await api.delete(`/api/webhooks/${webhook.id}`);

say(`Done. The dataset ${dataset} stays. Look at it, and at the failed run, in the console:
  ${api.consoleUrl} as ${api.email}, with the password in ${api.credentialsFile}`);
