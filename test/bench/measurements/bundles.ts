import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { budgetKb, bundleKb, isInteractive } from '../../../infra/build/budget.ts';
import { type Bundle, findBundles } from '../../../infra/build/bundles.ts';
import type { Bench } from '../bench.ts';
import { runChild } from '../child.ts';
import type { Result, Row } from '../result.ts';
import { rounds, spread } from '../spread.ts';

const ROUNDS = 7;
const MAX_IMPORT_MS = 80;
const IMPORTER = join(import.meta.dirname, '../references/import-bundle.ts');

/** What a cold start has to load: size and import time of each function's bundle, with the function's environment. */
export async function bundles(bench: Bench): Promise<Result> {
  const loads = await Promise.all((await findBundles(bench.deployment.root)).map((bundle) => loadOf(bench, bundle)));
  const imports = new Map(loads.map(({ name }) => [name, [] as number[]]));
  // Function by function in each round, so that a busy moment of the machine is not all one function's.
  await rounds(ROUNDS, async () => {
    for (const { name, path, variables } of loads) {
      const args = [IMPORTER, pathToFileURL(path).href];
      const { ms } = await runChild<{ ms: number }>(args, { env: variables, cwd: dirname(path) });
      imports.get(name)!.push(ms);
    }
  });
  const row = ({ name }: Load, unit: 'KB' | 'ms', values: number[], atMost: number | undefined): Row => ({
    what: name,
    unit,
    measured: spread(values),
    ...(atMost === undefined ? {} : { goal: { of: 'measured', atMost } }),
  });
  return {
    title: 'Bundles: size and import time',
    rows: [
      ...loads.map((load) => row(load, 'KB', [load.kb], load.mostKb)),
      ...loads.map((load) => row(load, 'ms', imports.get(load.name)!, load.mostMs)),
    ],
    notes: [
      `Import in a fresh process with the function's environment, without the start of Node itself; ${ROUNDS} times each. \`engine\` and \`run-step\` also load DuckDB (70 MB beside the bundle).`,
    ],
    bound:
      'an import is mostly the AWS SDK and the schemas of the group. Source maps, which make stack traces readable, contain only lines of the project.',
  };
}

interface Load {
  name: string;
  path: string;
  kb: number;
  variables: Record<string, string>;
  mostKb: number;
  /** Only of functions that a person waits for. */
  mostMs: number | undefined;
}

async function loadOf({ platform, deployment }: Bench, bundle: Bundle): Promise<Load> {
  const { name, folder, file } = bundle;
  const path = join(deployment.root, 'dist', folder, `${file}.mjs`);
  return {
    name,
    path,
    kb: await bundleKb(deployment.root, bundle),
    variables: { ...(await platform.variablesOf(name)), ...lambdaVariables(platform.endpoint) },
    mostKb: budgetKb(bundle),
    mostMs: isInteractive(bundle) ? MAX_IMPORT_MS : undefined,
  };
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
