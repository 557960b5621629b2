import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findBundles } from '../../../infra/build/bundles.ts';
import type { Bench } from '../bench.ts';
import { runChild } from '../child.ts';
import type { Result, Row } from '../result.ts';
import { rounds, spread } from '../spread.ts';

const ROUNDS = 7;
const MOST_IMPORT_MS = 80;
const MOST_KB = 1024;
const IMPORTER = join(import.meta.dirname, '../references/import-bundle.ts');

/** What a cold start has to load: size and import time of each function's bundle, with the function's environment. */
export async function bundles({ platform, deployment }: Bench): Promise<Result> {
  const deployed = await platform.functions();
  const imports: Row[] = [];
  const sizes: Row[] = [];
  for (const { name, folder, file, entry } of await findBundles(deployment.root)) {
    const configuration = deployed.find(({ FunctionName }) => FunctionName?.endsWith(`-${name}`));
    if (!configuration) throw new Error(`${name} is not deployed`);
    const path = join(deployment.root, 'dist', folder, `${file}.mjs`);
    const variables = { ...configuration.Environment?.Variables, ...lambdaVariables(platform.endpoint) };
    const measured = await rounds(ROUNDS, () =>
      runChild<{ ms: number }>([IMPORTER, pathToFileURL(path).href], { env: variables, cwd: join(path, '..') }),
    );
    // The budgets are for what a person waits for.
    const waitedFor = !entry.includes('/workers/');
    const sizeBytes = (await sizeOf(path)) + (await sizeOf(join(path, '../validators.mjs')));
    const kb = sizeBytes / 1024;
    imports.push({
      what: name,
      unit: 'ms',
      measured: spread(measured.map(({ ms }) => ms)),
      ...(waitedFor ? { goal: { of: 'measured', atMost: MOST_IMPORT_MS } } : {}),
    });
    sizes.push({
      what: name,
      unit: 'KB',
      measured: spread([kb]),
      ...(waitedFor ? { goal: { of: 'measured', atMost: MOST_KB } } : {}),
    });
  }
  return {
    title: 'Bundles: size and import time',
    rows: [...sizes, ...imports],
    notes: [
      `Import in a fresh process with the function's environment, without the start of Node itself; ${ROUNDS} times each. \`engine\` and \`run-step\` also load DuckDB (70 MB beside the bundle), the others nothing.`,
    ],
    bound:
      'An import is for the most part the AWS SDK and the schemas; about 15 ms of it are the source maps that make stack traces readable.',
  };
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

function lambdaVariables(endpoint: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  };
}
