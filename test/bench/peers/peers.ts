import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { Deployment } from '../deployment.ts';
import { loadOrders, NATIVE_FILE } from '../orders.ts';
import { Platform, stepMs } from '../platform.ts';
import { postgresSource, salesTable } from '../postgres-sales.ts';
import { print } from '../print.ts';
import type { Result, Row } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { ratios, rounds, spread } from '../spread.ts';
import { comparedAnswers } from './answers.ts';
import { Cube } from './cube.ts';
import { OwnAnswers } from './own-answers.ts';
import { Python } from './python.ts';
import { Superset } from './superset.ts';

/**
 * `npm run bench:peers -- [python] [--superset <python>] [--cube <folder>]` compares an extract with dlt, trivial runs
 * with Dagster, and answers with Superset and Cube, on this machine. `npm run bench` leaves these out, because they
 * need the packages of the others. If one is missing, it prints how to install them. With `--superset` or `--cube`
 * alone, only answers are compared.
 */
const ROWS = scaled(1_000_000);
const ROUNDS = 3;
const RUNS = scaled(60, 8);
/** Each works on one run at a time. */
const PIPELINES = 6;

const { values: given, positionals } = parseArgs({
  options: { superset: { type: 'string' }, cube: { type: 'string' } },
  allowPositionals: true,
});
const comparesAnswers = given.superset !== undefined || given.cube !== undefined;
const deployment = new Deployment();
try {
  const python =
    positionals.length > 0 || !comparesAnswers
      ? await Python.find(positionals[0] ?? process.env.PYTHON ?? 'python3')
      : undefined;
  const file = join(deployment.scratch('answers'), NATIVE_FILE);
  const peers = [
    ...(given.superset ? [await Superset.find(given.superset, file, deployment.scratch('superset'))] : []),
    ...(given.cube ? [Cube.find(given.cube, file)] : []),
  ];
  await deployment.start();
  const platform = new Platform(deployment);
  if (python) {
    print(await extracts(python, platform));
    print(await trivialRuns(python, platform));
  }
  if (peers.length > 0) {
    const { model } = await loadOrders(platform, deployment.scratch('answers'));
    print(await comparedAnswers(new OwnAnswers(deployment, model), peers));
  }
  platform.close();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await deployment.remove();
}

async function extracts(python: Python, platform: Platform): Promise<Result> {
  const server = await startPostgres();
  try {
    await server.run(salesTable(ROWS));
    const sourceId = await postgresSource(platform, server, 'Sales');
    const extract = { id: 'sales', type: 'extract', config: { sourceId, object: { table: 'sales' } } };
    const pipeline = await platform.newPipeline('Sales', { version: 1, steps: [extract] });
    await platform.run(pipeline);
    const dlt = async (backend: string, round: number) => {
      const folder = deployment.scratch(join('dlt', `${backend}-${round}`));
      const { ms, rows } = await python.run<{ ms: number; rows: number }>(
        'dlt_extract.py',
        urlOf(server),
        'sales',
        backend,
        folder,
      );
      if (rows !== ROWS) throw new Error(`dlt extracted ${rows} rows; expected ${ROWS}`);
      return ms;
    };
    const found = await rounds(ROUNDS, async (round) => {
      const [step] = stepMs(await platform.run(pipeline));
      return { ours: step!.ms, connectorx: await dlt('connectorx', round), pyarrow: await dlt('pyarrow', round) };
    });
    const ours = found.map((each) => each.ours);
    return {
      title: `A table of ${counted(ROWS)} rows out of Postgres into Parquet`,
      rows: [
        compared(
          'against dlt with ConnectorX',
          ours,
          found.map(({ connectorx }) => connectorx),
        ),
        compared(
          'against dlt with pyarrow',
          ours,
          found.map(({ pyarrow }) => pyarrow),
        ),
      ],
      notes: [
        `${python.versions}. dlt's time covers creating the source and \`pipeline.run\`, without imports; ours is the duration of the step.`,
      ],
    };
  } finally {
    await server.stop();
  }
}

async function trivialRuns(python: Python, platform: Platform): Promise<Result> {
  const sourceId = await platform.fileSource('Tiny', { 'tiny.csv': Buffer.from('id\n1\n') });
  const extract = { id: 'rows', type: 'extract', config: { sourceId, object: { path: 'tiny.csv' } } };
  const pipelines = await rounds(PIPELINES, (index) =>
    platform.newPipeline(`Tiny ${index}`, { version: 1, steps: [extract] }),
  );
  const all = (times: number) =>
    Promise.all(pipelines.map((id) => rounds(Math.ceil(times / PIPELINES), () => platform.run(id))));
  await all(PIPELINES);
  const found = await rounds(ROUNDS, async (round) => {
    const startedAt = performance.now();
    const count = (await all(RUNS)).flat().length;
    const ours = (performance.now() - startedAt) / count;
    const { ms } = await python.run<{ ms: number }>(
      'dagster_runs.py',
      String(RUNS),
      deployment.scratch(`dagster-${round}`),
    );
    return { ours, dagster: ms / RUNS };
  });
  return {
    title: `Trivial runs, the time for each of ${RUNS}`,
    rows: [
      compared(
        'against Dagster in one process',
        found.map(({ ours }) => ours),
        found.map(({ dagster }) => dagster),
      ),
    ],
    notes: [
      `${python.versions}. Dagster runs one after the other with \`execute_in_process\` and keeps its records in SQLite. Ours are started and followed over the API, ${PIPELINES} pipelines at once, with every state stored so that it survives a crash.`,
    ],
  };
}

function urlOf({ host, port, database, user, password }: TestPostgres): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
}

function compared(what: string, ours: number[], theirs: number[]): Row {
  return {
    what,
    unit: 'ms',
    measured: spread(ours),
    reference: spread(theirs),
    ratio: ratios(ours, theirs),
    goal: { of: 'ratio', atMost: 1 },
  };
}
