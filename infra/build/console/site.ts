import { readdir, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Metafile, stop } from 'esbuild';
import type { Operation } from '../../clients/operations.ts';
import { operationsFile } from '../../clients/typescript.ts';
import type { Json } from '../openapi/json-schema.ts';
import { siteAssets } from '../site-assets.ts';
import { assertBudgets } from './budgets.ts';
import { boardStyles, eventNames, formSchemas, generatedClient } from './plugins.ts';
import { regroup } from './regroup.ts';

const ADDRESS = '/api/console/assets';
const SITE = 'functions/platform/console/site';

/**
 * Writes the scripts and styles of the console to `dist/console/site`, beside the bundle of the function that serves
 * them. Every folder in `screens` is loaded when one of its screens is opened. Throws if a part exceeds its budget.
 */
export async function buildConsoleSite(
  root: string,
  { operations, document }: { operations: readonly Operation[]; document: Json },
): Promise<void> {
  const own = join(root, SITE);
  const docs = join(root, 'functions/platform/docs/site');
  const site = join(root, 'dist/console/site');
  const folder = join(site, 'assets');
  const assets = await siteAssets(folder, ADDRESS);
  const names = (await readdir(join(own, 'screens'))).sort();
  const registered = await registeredScreens(own, names);
  const built = await build({
    absWorkingDir: root,
    stdin: { contents: startOf(names), resolveDir: own, loader: 'tsx' },
    outdir: folder,
    entryNames: 'console.[hash]',
    chunkNames: '[name].[hash]',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['browser'],
    plugins: [generatedClient(operationsFile(operations)), formSchemas(document), eventNames(document)],
  });
  const { texts, scriptsOf } = await regroup(built, { home: `${SITE}/screens/home/index.tsx` });
  await Promise.all([...texts].map(([name, text]) => writeFile(join(folder, name), text)));
  const early = await build({
    absWorkingDir: root,
    stdin: { contents: await earlyStart(own, names), resolveDir: own, loader: 'ts' },
    // The package says that its modules have no effects, but the theme is one.
    ignoreAnnotations: true,
    write: false,
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
  });
  const styles = await build({
    absWorkingDir: root,
    entryPoints: [
      join(own, 'console.css'),
      ...(await having(own, names, (name) => `${name}.css`)).map((name) => join(own, 'screens', name, `${name}.css`)),
    ],
    outdir: folder,
    entryNames: '[name].[hash]',
    bundle: true,
    minify: true,
    metafile: true,
    legalComments: 'none',
    plugins: [boardStyles],
  });
  await stop();
  const styleOf = (name: string) => outputOf(styles.metafile, `/screens/${name}/${name}.css`);
  const first = scriptsOf('<stdin>');
  const ownScripts = (sources: readonly string[]) => [
    ...new Set(sources.flatMap((source) => scriptsOf(`${SITE}/${source}`)).filter((name) => !first.includes(name))),
  ];
  const files = {
    icon: await assets.copy(docs, 'icon', 'svg'),
    icons: await assets.copy(own, 'icons', 'svg'),
    early: await assets.write('early', 'js', early.outputFiles[0]!.text),
    style: addressOf(outputOf(styles.metafile, '/console.css')!),
    script: addressOf(first[0]!),
    styles: Object.fromEntries(
      names.flatMap((name) => (styleOf(name) === undefined ? [] : [[name, addressOf(styleOf(name)!)]])),
    ),
    screens: Object.fromEntries(
      registered.map(({ path, folder: name, sources }) => [
        path,
        {
          scripts: ownScripts(sources).map(addressOf),
          ...(styleOf(name) !== undefined && { style: addressOf(styleOf(name)!) }),
        },
      ]),
    ),
  };
  const pathOf = (name: string) => relative(root, join(folder, name));
  await assertBudgets(root, {
    first: { scripts: [...first.map(pathOf), pathOf(basename(files.early))], style: pathOf(basename(files.style)) },
    screens: Object.fromEntries(
      names.map((name) => [
        name,
        { scripts: ownScripts([`screens/${name}/index.tsx`]).map(pathOf), style: styleOf(name) },
      ]),
    ),
    inputs: Object.keys(built.metafile.inputs),
  });
  await writeFile(join(site, 'files.json'), JSON.stringify(files));
}

const addressOf = (path: string): string => `${ADDRESS}/${basename(path)}`;

const outputOf = ({ outputs }: Metafile, entry: string): string | undefined =>
  Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry))?.[0];

/** Screens register themselves: the console knows those whose folder has a `screen.ts`. */
const startOf = (names: readonly string[]): string =>
  [
    "import { start } from './shell/start.tsx';",
    ...names.map((name, index) => `import { screens as s${index} } from './screens/${name}/screen.ts';`),
    `start({ ${names.map((name, index) => `${JSON.stringify(name)}: s${index}`).join(', ')} });`,
  ].join('\n');

/** The screens whose folder has a file. */
async function having(own: string, names: readonly string[], fileOf: (name: string) => string): Promise<string[]> {
  const found = await Promise.all(
    names.map(async (name) => (await readdir(join(own, 'screens', name))).includes(fileOf(name))),
  );
  return names.filter((_name, index) => found[index]);
}

/** A screen of `screen.ts`, as far as the build reads it. */
interface Loading {
  path: string;
  load(): Promise<unknown>;
  parts?(): Promise<unknown>;
}

interface RegisteredScreen {
  path: string;
  /** The name of its folder. */
  folder: string;
  /** What is loaded when it opens, as paths from the site. */
  sources: readonly string[];
}

/** The screens with what their `load` and `parts` name. */
async function registeredScreens(own: string, names: readonly string[]): Promise<RegisteredScreen[]> {
  const found = await Promise.all(
    names.map(async (folder) => {
      const { screens } = (await import(pathToFileURL(join(own, 'screens', folder, 'screen.ts')).href)) as {
        screens: readonly Loading[];
      };
      return screens.map(({ path, load, parts }) => ({
        path,
        folder,
        sources: [load, parts].flatMap((each) => (each ? importedBy(each, folder) : [])),
      }));
    }),
  );
  return found.flat();
}

/** What a function of a screen loads with `import()`. */
function importedBy(load: () => Promise<unknown>, folder: string): string[] {
  const found = [...load.toString().matchAll(/['"`](\.[^'"`]+)['"`]/g)].map(([, path]) => path!);
  if (found.length === 0) throw new Error(`screens/${folder}/screen.ts has a screen that loads nothing with import().`);
  return found.map((path) => join('screens', folder, path));
}

/** Screens declare what they ask first in `reads.ts`, which the script that runs before all others has. */
async function earlyStart(own: string, names: readonly string[]): Promise<string> {
  const reading = await having(own, names, () => 'reads.ts');
  return [
    "import '../../docs/site/theme.ts';",
    "import { askEarly } from './shell/early.ts';",
    ...reading.map((name, index) => `import { reads as r${index} } from './screens/${name}/reads.ts';`),
    `askEarly([${reading.map((_name, index) => `r${index}`).join(', ')}]);`,
  ].join('\n');
}
