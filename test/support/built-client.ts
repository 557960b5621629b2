import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildTypescriptClient } from '../../infra/clients/generate.ts';

let built: Promise<string> | undefined;

/** The TypeScript client as it is packed. Its types are checked with its own tests (`npm run typecheck`). */
export async function builtClient() {
  built ??= buildTypescriptClient();
  return import(pathToFileURL(join(await built, 'index.js')).href);
}
