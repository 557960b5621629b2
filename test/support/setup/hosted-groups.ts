import { existsSync, globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GROUPS } from '../../../functions/api.ts';
import type { FunctionHost, HostedHandler } from '../../../packages/local-cloud/index.ts';
import { type HandlerImport, hostedFunctions } from '../../../packages/local-cloud/testing/index.ts';

const ROOT = join(import.meta.dirname, '../../..');
const VALIDATORS = 'virtual:validators';

/** Groups that are called most. Together in one process with the others, they would leave a processor idle. */
const BUSY = ['auth', 'dashboards', 'exports', 'models', 'pipelines', 'shares', 'stories', 'workspaces'];

/**
 * Runs the endpoint groups in this process, from their sources. In processes of their own, each would compile and warm
 * up the same code, which takes half of their processor time. Busy groups, those that stream and those that serve files
 * beside their bundle run as they are deployed.
 */
export function hostedGroups(stack: string): FunctionHost {
  const entries = new Map(
    globSync('functions/*/*/handler.ts', { cwd: ROOT }).map((path) => [basename(dirname(path)), join(ROOT, path)]),
  );
  const hosted = GROUPS.filter(
    ({ name, resources }) => !BUSY.includes(name) && !resources.streams && !existsSync(distOf(name, 'site')),
  );
  provideValidators(hosted.map(({ name }) => name));
  return hostedFunctions(
    new Map(
      hosted.map(({ name }): [string, HandlerImport] => [
        `${stack}-${name}`,
        (environment) => importHandler(entries.get(name)!, environment),
      ]),
    ),
  );
}

const distOf = (group: string, file: string): string => join(ROOT, 'dist', group, file);

/** Its own module is evaluated for each environment; what it imports is shared. */
async function importHandler(entry: string, environment: number): Promise<HostedHandler> {
  const module = await import(`${pathToFileURL(entry).href}?environment=${environment}`);
  return module.handler;
}

/** In a bundle the module has the validators of its group; here it has those of all, as the build has compiled them. */
function provideValidators(groups: readonly string[]): void {
  const imports = groups.map(
    (name, index) =>
      `import { validators as v${index} } from ${JSON.stringify(pathToFileURL(distOf(name, 'validators.mjs')).href)};`,
  );
  const all = groups.map((_, index) => `...v${index}`).join(', ');
  const source = `${imports.join('\n')}\nexport const validators = { ${all} };`;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === VALIDATORS ? { url: VALIDATORS, format: 'module', shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url === VALIDATORS ? { format: 'module', source, shortCircuit: true } : next(url, context),
  });
}
