import { expect, inject } from 'vitest';
import { breaksDeployment } from './breaks-deployment.ts';

export interface Deployed {
  /** Base URL of the API and of the AWS services behind it. */
  endpoint: string;
  /** Base URL of the scripted AI provider. */
  aiProvider: string;
  /** Address and port of the DNS server that is asked for proofs of domains; tests update its records. */
  dns: string;
}

export interface PostgresAccess {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
}

/** Longer than a build, a synthesis and a deployment take on a busy machine. */
export const SETUP_TIMEOUT_MS = 300_000;

/** Most functions of a deployment run in one process, so that two of them keep two processors busy. */
export const STEADY_DEPLOYMENTS = ['steady-one', 'steady-two'] as const;

/** A worker of vitest uses the same one for all of its files. */
const steady = STEADY_DEPLOYMENTS[Number(process.env.VITEST_POOL_ID) % STEADY_DEPLOYMENTS.length]!;

const known = new Map<string, Promise<Deployed>>();

/** The deployment that the tests of the running file use. */
export function deployed(): Promise<Deployed> {
  const name = breaksDeployment(expect.getState().testPath!) ? 'failing' : steady;
  const deployment = known.get(name) ?? ask(`deployments/${name}`).then((reply) => reply.json() as Promise<Deployed>);
  known.set(name, deployment);
  return deployment;
}

/** Resolves when `dist/` holds the bundles of the present sources. */
export async function bundlesBuilt(): Promise<void> {
  await ask('bundles');
}

/** Resolves when the client and the command line of the present sources are made. */
export async function clientsBuilt(): Promise<void> {
  await ask('clients');
}

/** The folder with the data of a platform that `npm start` has deployed, to be copied. */
export async function preparedPlatform(): Promise<string> {
  return (await ask('platform')).json() as Promise<string>;
}

/** A Postgres server whose databases the files of a run share out. */
export async function sharedPostgres(): Promise<PostgresAccess> {
  return (await ask('postgres')).json() as Promise<PostgresAccess>;
}

/** The folder with the assembly of a deployment to AWS. */
export async function synthesizedAssembly(options: 'usual' | 'every'): Promise<string> {
  return (await ask(`assemblies/${options}`)).json() as Promise<string>;
}

/** Resolves when no other file has its turn on this; until the returned function is called, no other file gets it. */
export async function turnOn(what: string): Promise<() => Promise<void>> {
  // The reply is kept whole: fetch hangs up on a reply that is garbage.
  const reply = await ask(`turns/${what}`);
  return async () => reply.body?.cancel();
}

async function ask(what: string): Promise<Response> {
  const reply = await fetch(`${inject('sharedSetup')}/${what}`);
  if (!reply.ok) throw new Error(await reply.text());
  return reply;
}
