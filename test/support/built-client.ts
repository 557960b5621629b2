import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildCommandLine, buildTypescriptClient } from '../../infra/clients/generate.ts';

let client: Promise<string> | undefined;

/** The TypeScript client as it is packed. Its types are checked with its own tests (`npm run typecheck`). */
export async function builtClient() {
  client ??= buildTypescriptClient();
  return import(pathToFileURL(join(await client, 'index.js')).href);
}

let program: Promise<string> | undefined;

/** The program of the command line, made from the client. */
export async function builtCommandLine(): Promise<string> {
  program ??= builtClient().then(buildCommandLine);
  return program;
}
