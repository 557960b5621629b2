import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Metafile, stop } from 'esbuild';
import type { Operation } from '../../clients/operations.ts';
import { operationsFile } from '../../clients/typescript.ts';
import type { Json } from '../openapi/json-schema.ts';
import { siteAssets } from '../site-assets.ts';
import { assertBudgets, type Part } from './budgets.ts';
import { boardStyles, eventNames, formSchemas, generatedClient } from './plugins.ts';

const ADDRESS = '/api/console/assets';

/**
 * Writes the scripts and styles of the console to `dist/console/site`, beside the bundle of the function that serves
 * them. Every folder in `screens` is loaded when one of its screens is opened. Throws if a part exceeds its budget.
 */
export async function buildConsoleSite(
  root: string,
  { operations, document }: { operations: readonly Operation[]; document: Json },
): Promise<void> {
  const own = join(root, 'functions/platform/console/site');
  const docs = join(root, 'functions/platform/docs/site');
  const site = join(root, 'dist/console/site');
  const folder = join(site, 'assets');
  const assets = await siteAssets(folder, ADDRESS);
  const names = (await readdir(join(own, 'screens'))).sort();
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: startOf(names), resolveDir: own, loader: 'tsx' },
    outdir: folder,
    entryNames: 'console.[hash]',
    chunkNames: '[name].[hash]',
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
  const styles = await build({
    absWorkingDir: root,
    entryPoints: [
      join(own, 'console.css'),
      ...(await styledScreens(own, names)).map((name) => join(own, 'screens', name, `${name}.css`)),
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
  const { first, screens } = partsOf(names, metafile, styles.metafile);
  await assertBudgets(root, { first, screens, inputs: Object.keys(metafile.inputs) });
  const addressOf = (path: string) => `${ADDRESS}/${basename(path)}`;
  const files = {
    icon: await assets.copy(docs, 'icon', 'svg'),
    icons: await assets.copy(own, 'icons', 'svg'),
    theme: await assets.script(docs, 'theme'),
    style: addressOf(first.style!),
    script: addressOf(first.scripts[0]!),
    preload: first.scripts.slice(1).map(addressOf),
    screens: Object.fromEntries(
      Object.entries(screens).map(([name, { scripts, style }]) => [
        name,
        { scripts: scripts.map(addressOf), ...(style !== undefined && { style: addressOf(style) }) },
      ]),
    ),
  };
  await writeFile(join(site, 'files.json'), JSON.stringify(files));
}

/** Screens register themselves: the console knows those whose folder has a `screen.ts`. */
const startOf = (names: readonly string[]): string =>
  [
    "import { start } from './shell/start.tsx';",
    ...names.map((name, index) => `import { screens as s${index} } from './screens/${name}/screen.ts';`),
    `start({ ${names.map((name, index) => `${JSON.stringify(name)}: s${index}`).join(', ')} });`,
  ].join('\n');

async function styledScreens(own: string, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    names.map(async (name) => (await readdir(join(own, 'screens', name))).includes(`${name}.css`)),
  );
  return names.filter((_name, index) => found[index]);
}

/** What loads at first, and what each screen adds to it: what its folder loads with `import()` of `index.tsx`. */
function partsOf(
  names: readonly string[],
  { outputs }: Metafile,
  styles: Metafile,
): { first: Part; screens: Record<string, Part> } {
  const outputOf = (entry: string, { outputs: of }: Metafile) =>
    Object.entries(of).find(([, { entryPoint }]) => entryPoint?.endsWith(entry))?.[0];
  const scriptsOf = (path: string, found = new Set<string>()): Set<string> => {
    if (found.has(path)) return found;
    found.add(path);
    for (const { path: next, kind, external } of outputs[path]!.imports)
      if (kind === 'import-statement' && !external) scriptsOf(next, found);
    return found;
  };
  const start = scriptsOf(outputOf('<stdin>', { inputs: {}, outputs })!);
  const first = { scripts: [...start], style: outputOf('/console.css', styles) };
  const screens = names.map((name): [string, Part] => {
    const entry = outputOf(`/screens/${name}/index.tsx`, { inputs: {}, outputs });
    if (entry === undefined) throw new Error(`screens/${name} has no index.tsx that its screen.ts loads.`);
    const scripts = [...scriptsOf(entry)].filter((path) => !start.has(path));
    return [name, { scripts, style: outputOf(`/screens/${name}/${name}.css`, styles) }];
  });
  return { first, screens: Object.fromEntries(screens) };
}
