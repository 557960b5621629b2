import { constants, copyFile, cp, glob, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build as esbuild, type Metafile, type Plugin, stop } from 'esbuild';
import { GROUPS } from '../../functions/api.ts';
import { WORKERS } from '../../functions/workers.ts';
import { FONT_FILES, fontPath } from '../../shared/data/documents/pdf-fonts.ts';
import { RASTER_FILE } from '../../shared/data/documents/raster.ts';
import type { EnginePackages } from './lambda-engine.ts';
import { withoutLibraryLines } from './source-map.ts';
import { SDK_TREE_SHAKING } from './tree-shaking.ts';
import { validatorsModule } from './validators.ts';

/** Functions with DuckDB share one folder, so that its 70 MB are packed and staged once. */
export const ENGINE_BUNDLE = 'engine';
const ENGINE_FUNCTIONS = new Set(WORKERS.filter(({ hasDuckDb }) => hasDuckDb).map(({ name }) => name));

/** The program of a worker thread is a bundle too, beside the bundles that start it. */
const THREADS = { [`${ENGINE_BUNDLE}/sandbox-thread`]: 'shared/data/sandbox/sandbox-thread.ts' };

/** The program of a container is a bundle too, beside its Dockerfile. */
const CONTAINERS = {
  'stream-changes/main': 'functions/pipelines/workers/stream-changes/main.ts',
  // Beside the functions with DuckDB, to share its 70 MB.
  [`${ENGINE_BUNDLE}/run-step-task`]: 'functions/pipelines/workers/run-step/task.ts',
};
const DOCKERFILES = [
  ['infra/containers/stream-changes.Dockerfile', 'stream-changes/Dockerfile'],
  ['infra/containers/run-step.Dockerfile', `${ENGINE_BUNDLE}/Dockerfile`],
] as const;

/** A native library is not bundled but copied beside the bundle, with the package that loads it. */
export const UNBUNDLED = ['@duckdb/node-bindings*'];

/**
 * Credential providers of developers' machines would be a fifth of each bundle. A function has the credentials of its
 * role in the environment and a container fetches them from an address that the environment names, which the SDK tries
 * last: on the way there each of these must pass.
 */
const NO_DEVELOPER_CREDENTIALS: Plugin = {
  name: 'no-developer-credentials',
  setup(build) {
    build.onResolve({ filter: /^@aws-sdk\/credential-provider-(sso|ini|process|web-identity|login)$/ }, ({ path }) => ({
      path,
      namespace: 'no-credentials',
    }));
    build.onLoad({ filter: /.*/, namespace: 'no-credentials' }, ({ path }) => ({
      contents: `
        import { CredentialsProviderError } from '@smithy/core/config';
        const absent = () => async () => {
          throw new CredentialsProviderError('${path} is not part of this bundle');
        };
        export { absent as fromIni, absent as fromLoginCredentials, absent as fromProcess, absent as fromSSO, absent as fromTokenFile };`,
      resolveDir: join(import.meta.dirname, '../..'),
    }));
  },
};

export interface Bundle {
  /** The name of the function, such as `pipelines` or `run-step`. */
  name: string;
  entry: string;
  /** The folder under `dist/`. */
  folder: string;
  /** The file name without its extension; the Lambda handler is `<file>.handler`. */
  file: string;
}

/** Large modules that most calls do not need. They are imported dynamically from files beside the bundle. */
const SEPARATE_MODULES: Record<string, string> = {
  'anthropic-models': 'shared/platform/ai/anthropic-models.ts',
  'bedrock-models': 'shared/platform/ai/bedrock-models.ts',
  'built-in-templates': 'shared/data/story-templates/built-in-templates.ts',
  'card-blocks': 'functions/delivery/kinds/schedules/card-blocks.ts',
  yaml: 'shared/platform/validation/yaml.ts',
  drawing: 'shared/domains/boards/cards/drawing.ts',
  'mysql-driver': 'shared/data/connectors/mysql/mysql-driver.ts',
  'openai-models': 'shared/platform/ai/openai-models.ts',
  'docx-writer': 'shared/domains/boards/exports/docx-writer.ts',
  'pptx-writer': 'shared/domains/boards/exports/pptx-writer.ts',
  'pdf-writer': 'shared/domains/boards/exports/pdf-writer.ts',
  'image-writer': 'shared/domains/boards/exports/image-writer.ts',
  'postgres-driver': 'shared/data/connectors/postgres/postgres-driver.ts',
  'public-suffix': 'functions/sharing/embedding/public-suffix.ts',
  saml: 'functions/identity/sso/saml.ts',
  'shape-issues': 'shared/platform/validation/shape-issues.ts',
  webauthn: 'functions/identity/auth/webauthn.ts',
  'workbook-parser': 'shared/data/files/workbook-parser.ts',
  'write-export': 'functions/platform/workers/run-job/dashboard-export/write-export.ts',
};

/**
 * Every folder with a `handler.ts`: endpoint groups and workers, which are named after their folder, in their areas.
 */
export async function findBundles(root: string): Promise<Bundle[]> {
  const entries = await Array.fromAsync(glob('functions/*/{*,workers/*}/handler.ts', { cwd: root }));
  return entries.sort().map((path) => {
    const entry = path.replaceAll('\\', '/');
    const name = basename(dirname(entry));
    const engine = ENGINE_FUNCTIONS.has(name);
    return { name, entry, folder: engine ? ENGINE_BUNDLE : name, file: engine ? name : 'index' };
  });
}

/**
 * Of the Go program esbuild: fewer collections take a fifth less time, for a few hundred megabytes during the build.
 */
const GO_HEAP_GROWTH = '300';

/**
 * `whole`: each function is a single file, which starts fastest and is what a deployment gets. `parts`: functions share
 * files, which are minified once for all of them, in a quarter of the time; a first start on this machine takes it.
 */
export type BundleShape = 'whole' | 'parts';

export interface BuildChoices {
  /** The packages of the engine; without them those of this machine. */
  engine?: EnginePackages;
  shape?: BundleShape;
  /** Where the folders of the bundles come to stand, from the root: by default `dist`. */
  dist?: string;
}

/** A single run of esbuild reads shared modules once. */
export async function buildBundles(
  root: string,
  bundles: readonly Bundle[],
  { engine, shape = 'whole', dist = 'dist' }: BuildChoices = {},
): Promise<void> {
  process.env.GOGC ??= GO_HEAP_GROWTH;
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    banner: {
      // CommonJS packages expect these.
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;",
    },
  } satisfies BuildOptions;
  const entryPoints: Record<string, string> = {
    ...Object.fromEntries(bundles.map(({ folder, file, entry }) => [`${folder}/${file}`, entry])),
    ...(bundles.some(({ folder }) => folder === ENGINE_BUNDLE) ? THREADS : {}),
    ...CONTAINERS,
  };
  const [bundled] = await Promise.all([
    esbuild({
      ...common,
      ...(shape === 'whole' ? { entryPoints, outdir: dist } : partsOf(dist, entryPoints)),
      outExtension: { '.js': '.mjs' },
      mainFields: ['module', 'main'],
      sourcemap: 'linked',
      sourcesContent: false,
      external: UNBUNDLED,
      plugins: [
        VALIDATORS_BESIDE,
        MODULES_BESIDE,
        NO_DEVELOPER_CREDENTIALS,
        HTTP_WITHOUT_FETCH,
        SDK_TREE_SHAKING,
        ZOD_IN_ENGLISH,
        EXPRESSIONS_WITHOUT_TEXTS,
      ],
      metafile: true,
    }),
    ...bundles.map(({ name, folder }) => {
      const routes = GROUPS.find((group) => group.name === name)?.routes;
      if (!routes) return undefined;
      const stdin = { contents: validatorsModule(routes), resolveDir: root };
      return esbuild({ ...common, stdin, outfile: `${dist}/${folder}/validators.mjs` });
    }),
  ]);
  await removeLibraryLines(root, bundled.metafile);
  if (shape === 'parts') await placeParts(root, dist, Object.keys(entryPoints), bundled.metafile);
  for (const [from, to] of DOCKERFILES) await cp(join(root, from), join(root, dist, to));
  await buildModulesBeside(common, bundled.metafile, dist, Object.keys(entryPoints));
  // Otherwise esbuild's process keeps more than a gigabyte until this process ends.
  await stop();
  if (bundles.some((bundle) => bundle.folder === ENGINE_BUNDLE)) {
    await packEngine(root, join(root, dist, ENGINE_BUNDLE), engine);
  }
}

/** All parts in one folder, as deep as those of functions, for the same paths to the sources. */
const partsFolder = (dist: string) => `${dist}/parts`;
const partName = (entryPoint: string) => entryPoint.replace('/', '.');
const partsOf = (dist: string, entryPoints: Record<string, string>): BuildOptions => ({
  splitting: true,
  outdir: partsFolder(dist),
  entryPoints: Object.fromEntries(Object.entries(entryPoints).map(([name, entry]) => [partName(name), entry])),
});

/** Copies each entry point into the folder of its function, with the parts that it imports. */
async function placeParts(
  root: string,
  dist: string,
  entryPoints: readonly string[],
  { outputs }: Metafile,
): Promise<void> {
  for (const name of entryPoints) {
    const entry = `${partsFolder(dist)}/${partName(name)}.mjs`;
    const folder = join(root, dist, dirname(name));
    await mkdir(folder, { recursive: true });
    const parts = [...importedFrom(entry, outputs)].flatMap((part) => [part, `${part}.map`]);
    for (const part of parts) {
      const to = join(folder, part === entry ? `${basename(name)}.mjs` : basename(part));
      await copyFile(join(root, part), to, constants.COPYFILE_FICLONE);
    }
  }
  await rm(join(root, partsFolder(dist)), { recursive: true });
}

/** The output and all outputs that it imports, directly or not. */
function importedFrom(entry: string, outputs: Metafile['outputs'], found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  for (const { path, external } of outputs[entry]!.imports) if (!external) importedFrom(path, outputs, found);
  return found;
}

async function removeLibraryLines(root: string, { outputs }: Metafile): Promise<void> {
  for (const path of Object.keys(outputs).filter((name) => name.endsWith('.map'))) {
    const file = join(root, path);
    await writeFile(file, JSON.stringify(withoutLibraryLines(JSON.parse(await readFile(file, 'utf8')))));
  }
}

const WASM = [
  ['libpg-query/wasm', 'libpg-query.wasm'],
  ['@jitl/quickjs-wasmfile-release-sync/dist', 'emscripten-module.wasm'],
] as const;

/**
 * Importing `node:http` as a module evaluates all of its exports, one of which loads `fetch`: a fifth of a cold start.
 */
const HTTP_WITHOUT_FETCH: Plugin = {
  name: 'http-without-fetch',
  setup(build) {
    build.onResolve({ filter: /^(node:)?https?$/ }, ({ path }) => ({
      path: path.replace('node:', ''),
      namespace: 'built-in',
    }));
    build.onLoad({ filter: /.*/, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
  },
};

/** zod includes its messages in fifty languages, a quarter of a megabyte, and none of them is shown. */
const ZOD_IN_ENGLISH: Plugin = {
  name: 'zod-in-english',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
  },
};

/** Members of a function of expressions that only the guide shows, up to the next member. */
const TEXTS_OF_FUNCTIONS = /^ {4}(?:summary|nulls|example):\s.*?,\n(?= {4}\w| {2}\})/gms;

/** The guide of expressions describes each function where it is declared. No bundle shows these texts. */
const EXPRESSIONS_WITHOUT_TEXTS: Plugin = {
  name: 'expressions-without-texts',
  setup(build) {
    build.onLoad({ filter: /[\\/]data[\\/]expressions[\\/]catalogue[\\/]\w+\.ts$/ }, async ({ path }) => ({
      // Lines keep their numbers.
      contents: (await readFile(path, 'utf8')).replace(TEXTS_OF_FUNCTIONS, (text) => text.replaceAll(/[^\n]/g, '')),
      loader: 'ts',
    }));
  },
};

/**
 * Each group's validators are a file beside its bundle, because the module that imports them is the same for all
 * groups.
 */
const VALIDATORS_BESIDE: Plugin = {
  name: 'validators-beside',
  setup(build) {
    build.onResolve({ filter: /^virtual:validators$/ }, () => ({ path: './validators.mjs', external: true }));
  },
};

const MODULES_BESIDE: Plugin = {
  name: 'modules-beside',
  setup(build) {
    build.onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ path, kind }) => {
      const name = basename(path, '.ts');
      const kept = kind === 'dynamic-import' && Object.hasOwn(SEPARATE_MODULES, name);
      return kept ? { path: `./${name}.mjs`, external: true } : undefined;
    });
  },
};

/** Builds each such module once and writes it beside the bundles that may import it. */
async function buildModulesBeside(
  common: BuildOptions & { absWorkingDir: string },
  { outputs }: Metafile,
  dist: string,
  entryPoints: readonly string[],
): Promise<void> {
  const foldersOf = new Map<string, Set<string>>();
  for (const entryPoint of entryPoints) {
    const entry = [`${dist}/${entryPoint}.mjs`, `${partsFolder(dist)}/${partName(entryPoint)}.mjs`].find(
      (path) => outputs[path],
    )!;
    const imported = [...importedFrom(entry, outputs)].flatMap((output) => modulesBeside(outputs[output]!));
    addFolders(foldersOf, imported, [join(common.absWorkingDir, dist, dirname(entryPoint))]);
  }
  // Such a module may import further ones.
  for (let names = [...foldersOf.keys()]; names.length > 0; ) {
    const { outputFiles, metafile } = await esbuild({
      ...common,
      entryPoints: Object.fromEntries(names.map((name) => [name, SEPARATE_MODULES[name]!])),
      outdir: dist,
      outExtension: { '.js': '.mjs' },
      external: UNBUNDLED,
      plugins: [MODULES_BESIDE, NO_DEVELOPER_CREDENTIALS, HTTP_WITHOUT_FETCH, SDK_TREE_SHAKING, ZOD_IN_ENGLISH],
      write: false,
      metafile: true,
    });
    await Promise.all(
      outputFiles.flatMap(({ path, contents }) => {
        const file = basename(path);
        return [...foldersOf.get(basename(path, '.mjs'))!].map((folder) => writeFile(join(folder, file), contents));
      }),
    );
    names = Object.entries(metafile.outputs).flatMap(([path, output]) =>
      addFolders(foldersOf, modulesBeside(output), foldersOf.get(basename(path, '.mjs'))!),
    );
  }
  await Promise.all([...(foldersOf.get('pdf-writer') ?? [])].map(packFonts));
}

const modulesBeside = ({ imports }: Metafile['outputs'][string]): string[] =>
  imports.map(({ path }) => basename(path, '.mjs')).filter((name) => Object.hasOwn(SEPARATE_MODULES, name));

/** Notes that the folders need the modules. Returns those that were not needed in one of the folders before. */
function addFolders(
  foldersOf: Map<string, Set<string>>,
  names: readonly string[],
  folders: Iterable<string>,
): string[] {
  return [...new Set(names)].filter((name) => {
    const known = foldersOf.get(name) ?? new Set();
    const all = new Set([...known, ...folders]);
    foldersOf.set(name, all);
    return all.size > known.size;
  });
}

/** Copies the fonts of documents, and the program that draws pictures, beside what writes them. */
async function packFonts(folder: string): Promise<void> {
  const { package: name, file } = RASTER_FILE;
  const program = { from: createRequire(import.meta.url).resolve(`${name}/${file}`), file };
  const fonts = FONT_FILES.flatMap(({ package: name, regular, bold }) =>
    [...new Set([regular, bold])].map((file) => ({ from: fontPath(name, file), file: basename(file) })),
  );
  await Promise.all(
    [...fonts, program].map(({ from, file }) => cp(from, join(folder, file), { mode: constants.COPYFILE_FICLONE })),
  );
}

/**
 * Copies what cannot be bundled beside the engine's bundles: DuckDB's packages (the given ones, or those of this
 * machine), and the WebAssembly of the Postgres parser and of the sandbox.
 */
export async function packEngine(root: string, folder: string, engine?: EnginePackages): Promise<void> {
  const { modules, names } = engine ?? (await installedEngine(root));
  for (const name of names) {
    // The copy shares its blocks with the original if the file system supports that.
    await cp(join(modules, name), join(folder, 'node_modules', name), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !/\.(map|d\.ts|d\.mts)$/.test(path),
    });
  }
  for (const [from, file] of WASM) await cp(join(root, 'node_modules', from, file), join(folder, file));
}

async function installedEngine(root: string): Promise<EnginePackages> {
  const modules = join(root, 'node_modules');
  const found = await readdir(join(modules, '@duckdb'));
  return { modules, names: found.filter((name) => name.startsWith('node-bindings')).map((name) => `@duckdb/${name}`) };
}
