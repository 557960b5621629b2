import { existsSync } from 'node:fs';
import { constants, cp, mkdir, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build as esbuild, type Plugin } from 'esbuild';
import { GROUPS } from '../../functions/api.ts';
import { validatorsModule } from './validators.ts';

/** Functions that carry DuckDB share one folder, so that its 70 MB are packed and staged once. */
export const ENGINE_BUNDLE = 'engine';
export const ENGINE_FUNCTIONS = new Set(['engine', 'run-step']);

/** Packages with native or WebAssembly code stay files beside the bundle. */
const UNBUNDLED = ['@duckdb/*', 'libpg-query'];

export interface Bundle {
  /** Function name, such as `pipelines` or `run-step`. */
  name: string;
  entry: string;
  /** Folder under `dist/`. */
  folder: string;
  /** File name without its ending; the Lambda handler is `<file>.handler`. */
  file: string;
}

/** Every function with a `handler.ts`: endpoint groups and workers. */
export async function findBundles(root: string): Promise<Bundle[]> {
  const found: Bundle[] = [];
  for (const [folder, prefix] of [
    [join(root, 'functions'), ''],
    [join(root, 'functions/workers'), 'workers/'],
  ] as const) {
    for (const name of (await readdir(folder)).sort()) {
      const entry = `functions/${prefix}${name}/handler.ts`;
      if (!existsSync(join(root, entry))) continue;
      const engine = ENGINE_FUNCTIONS.has(name);
      found.push({ name, entry, folder: engine ? ENGINE_BUNDLE : name, file: engine ? name : 'index' });
    }
  }
  return found;
}

export async function buildBundles(root: string, bundles: readonly Bundle[]): Promise<void> {
  await Promise.all(
    bundles.map((bundle) =>
      esbuild({
        absWorkingDir: root,
        entryPoints: { [bundle.file]: bundle.entry },
        outdir: `dist/${bundle.folder}`,
        outExtension: { '.js': '.mjs' },
        chunkNames: `${bundle.file}-[name]-[hash]`,
        bundle: true,
        splitting: true,
        format: 'esm',
        platform: 'node',
        target: 'node24',
        mainFields: ['module', 'main'],
        minify: true,
        keepNames: true,
        sourcemap: 'linked',
        sourcesContent: false,
        legalComments: 'none',
        logLevel: 'warning',
        external: UNBUNDLED,
        banner: {
          js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
        },
        plugins: [virtualValidators(bundle.name, root)],
      }),
    ),
  );
  if (bundles.some((bundle) => bundle.folder === ENGINE_BUNDLE)) await packUnbundled(root, `dist/${ENGINE_BUNDLE}`);
}

function virtualValidators(name: string, root: string): Plugin {
  return {
    name: 'virtual-validators',
    setup(build) {
      build.onResolve({ filter: /^virtual:validators$/ }, ({ path }) => ({ path, namespace: 'validators' }));
      build.onLoad({ filter: /.*/, namespace: 'validators' }, () => ({
        contents: validatorsModule(GROUPS.find((group) => group.name === name)?.routes ?? []),
        resolveDir: root,
      }));
    },
  };
}

/**
 * Puts the unbundled packages beside the bundle. DuckDB's are those of this machine, or of the processor that Lambda runs
 * on when `npm run deploy` has installed them under `dist/.lambda`.
 */
async function packUnbundled(root: string, folder: string): Promise<void> {
  const require = createRequire(join(root, 'package.json'));
  const duckdb = dirname(dirname(dirname(require.resolve('@duckdb/node-api'))));
  const forLambda = join(root, 'dist/.lambda/node_modules/@duckdb');
  const sources = {
    '@duckdb': existsSync(forLambda) ? forLambda : duckdb,
    'libpg-query': join(root, 'node_modules/libpg-query'),
  };
  for (const [name, source] of Object.entries(sources)) {
    const target = join(root, folder, 'node_modules', name);
    await mkdir(target, { recursive: true });
    // Where the file system can, the 70 MB share their blocks with the original.
    await cp(source, target, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !/\.(map|d\.ts|d\.mts)$/.test(path),
    });
  }
}
