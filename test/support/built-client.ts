import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clientsBuilt } from './setup/ask.ts';

const CLIENTS = join(import.meta.dirname, '../../clients');

/** The folder of the TypeScript client as it is packed. Its types are checked with its own tests. */
export async function clientPackage(): Promise<string> {
  await clientsBuilt();
  return join(CLIENTS, 'typescript');
}

export const builtClient = async () => import(pathToFileURL(join(await clientPackage(), 'dist/index.js')).href);

/** The program of the command line. */
export async function builtCommandLine(): Promise<string> {
  await clientsBuilt();
  return join(CLIENTS, 'cli/dist/analytics.js');
}
