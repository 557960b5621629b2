import { existsSync, globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GROUPS } from '../../../functions/api.ts';
import type { FunctionHost, HostedHandler } from '../../../packages/local-cloud/index.ts';
import { type HandlerImport, hostedFunctions } from '../../../packages/local-cloud/testing/index.ts';

const ROOT = join(import.meta.dirname, '../../..');
const VALIDATORS = 'virtual:validators';

/** Workers without engines: those with one watch the memory of their process, and end it if a query does not. */
const WORKERS = [
  'ask-model',
  'capture-changes',
  'change-entitlements',
  'create-owner',
  'deliver-webhook',
  'erase-deleted',
  'evaluate-alerts',
  'fan-out-events',
  'minute-tick',
  'run-lifecycle',
  'send-mail',
  'send-reports',
  'send-to-targets',
];

/**
 * Runs most functions from their sources, in this process. In processes of their own, each would compile and warm up
 * the same code, which takes half of their processor time. Groups that stream, those that serve files beside their
 * bundle, and workers with engines run as they are deployed.
 */
export function hostedHere(stack: string): FunctionHost {
  const entries = new Map(
    globSync(['functions/*/*/handler.ts', 'functions/*/workers/*/handler.ts'], { cwd: ROOT }).map((path) => [
      basename(dirname(path)),
      join(ROOT, path),
    ]),
  );
  const groups = GROUPS.filter(({ name, resources }) => !resources.streams && !existsSync(distOf(name, 'site')));
  const names = [...groups.map(({ name }) => name), ...WORKERS];
  provideValidators(names);
  return hostedFunctions(
    new Map(
      names.map((name): [string, HandlerImport] => [
        `${stack}-${name}`,
        (environment) => importHandler(entries.get(name)!, environment),
      ]),
    ),
  );
}

const distOf = (name: string, file: string): string => join(ROOT, 'dist', name, file);

/** Its own module is evaluated for each environment; what it imports is shared. */
async function importHandler(entry: string, environment: number): Promise<HostedHandler> {
  const module = await import(`${pathToFileURL(entry).href}?environment=${environment}`);
  return module.handler;
}

/** In a bundle the module has the validators of its group; here it has those of all, as the build has compiled them. */
function provideValidators(names: readonly string[]): void {
  const files = names.map((name) => distOf(name, 'validators.mjs')).filter((file) => existsSync(file));
  const imports = files.map(
    (file, index) => `import { validators as v${index} } from ${JSON.stringify(pathToFileURL(file).href)};`,
  );
  const all = files.map((_, index) => `...v${index}`).join(', ');
  const source = `${imports.join('\n')}\nexport const validators = { ${all} };`;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === VALIDATORS ? { url: VALIDATORS, format: 'module', shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url === VALIDATORS ? { format: 'module', source, shortCircuit: true } : next(url, context),
  });
}
