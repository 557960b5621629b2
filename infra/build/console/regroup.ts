import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type BuildResult, build, type Plugin } from 'esbuild';

/** The scripts of a build as they are written, and which of them others import. */
export interface Scripts {
  /** By their names. */
  texts: ReadonlyMap<string, string>;
  /** The names of what a source file loads: itself first, then what it imports. */
  scriptsOf(source: string): readonly string[];
}

interface Chunk {
  text: string;
  bytes: number;
  exports: readonly string[];
  /** The names of the chunks that it imports. */
  imports: readonly string[];
  /** The source file that it begins with, of those that `import()` loads and of the first. */
  source: string | undefined;
}

/** Parts that many screens use load with the first script, as long as it stays below this, compressed. */
const MAX_FIRST_KB = 54;
/** Larger ones remain parts of their own. */
const MAX_SHARED_BYTES = 7_000;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Makes fewer scripts of the chunks of a build. A bundler makes a chunk of everything that two scripts share, however
 * small it is, and each is a request of the first visit: here, the first script has everything that it imports, what
 * `home` shares with others, and what is shared by most.
 *
 * All names change with the content of any script, because scripts import each other.
 */
export async function regroup(
  { metafile, outputFiles }: BuildResult<{ metafile: true; write: false }>,
  { home }: { home: string },
): Promise<Scripts> {
  const texts = new Map(outputFiles.map(({ path, text }) => [nameOf(path), text]));
  const chunks = new Map(
    Object.entries(metafile.outputs).map(([path, { bytes, exports, imports, entryPoint }]): [string, Chunk] => [
      nameOf(path),
      {
        ...{ text: texts.get(nameOf(path))!, bytes, exports, source: entryPoint },
        imports: imports.flatMap((each) => (each.kind === 'import-statement' ? nameOf(each.path) : [])),
      },
    ]),
  );
  const entry = entryOf(chunks, '<stdin>');
  const first = firstOf(chunks, { entry, home: entryOf(chunks, home) });
  const { outputs, written } = await rebuild(chunks, { entry, first });
  const names = finalNames(written);
  const importsOf = (name: string): string[] =>
    outputs
      .get(name)!
      .flatMap(({ path, kind, external }) => (kind === 'import-statement' && external ? nameOf(path) : []));
  return {
    texts: new Map([...written].map(([name, text]) => [names.get(name)!, renamed(text, names)])),
    scriptsOf: (source) => [...closureOf(entryOf(chunks, source), importsOf)].map((name) => names.get(name)!),
  };
}

function entryOf(chunks: ReadonlyMap<string, Chunk>, source: string): string {
  const found = [...chunks].find(([, chunk]) => chunk.source?.endsWith(source));
  if (!found) throw new Error(`Nothing loads ${source} with import().`);
  return found[0];
}

function closureOf(name: string, importsOf: (name: string) => readonly string[], found = new Set<string>()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const next of importsOf(name)) closureOf(next, importsOf, found);
  return found;
}

/** The chunks of the first script, the entry last. */
function firstOf(chunks: ReadonlyMap<string, Chunk>, { entry, home }: { entry: string; home: string }): Set<string> {
  const importsOf = (name: string) => chunks.get(name)!.imports;
  const users = new Map<string, number>();
  for (const [name, { source }] of chunks) {
    if (source === undefined) continue;
    for (const used of closureOf(name, importsOf)) users.set(used, (users.get(used) ?? 0) + 1);
  }
  const own = closureOf(entry, importsOf);
  own.delete(entry);
  const loaded = [...own].find((name) => chunks.get(name)!.source !== undefined);
  if (loaded) throw new Error(`${chunks.get(loaded)!.source} is both imported and loaded with import().`);
  const isShared = (name: string) => {
    const { source, bytes } = chunks.get(name)!;
    return !own.has(name) && source === undefined && bytes <= MAX_SHARED_BYTES && users.get(name)! > 1;
  };
  const shared = [...chunks.keys()].filter(isShared).sort((one, other) => users.get(other)! - users.get(one)!);
  const ofHome = closureOf(home, importsOf);
  for (const name of [...shared.filter((each) => ofHome.has(each)), ...shared]) {
    // With what it imports, which would otherwise import the first script while that is being loaded.
    const added = [...closureOf(name, importsOf)].filter((each) => !own.has(each));
    if (added.length === 0 || !added.every(isShared)) continue;
    if (compressedKb([...own, ...added, entry].map((each) => chunks.get(each)!.text)) > MAX_FIRST_KB) break;
    for (const each of added) own.add(each);
  }
  return own.add(entry);
}

const compressedKb = (texts: readonly string[]): number => gzipSync(texts.join('')).length / 1024;

/** Bundles the chunks of the first script into one, and lets the others import from it. */
async function rebuild(
  chunks: ReadonlyMap<string, Chunk>,
  { entry, first }: { entry: string; first: ReadonlySet<string> },
) {
  const others = [...chunks.keys()].filter((name) => !first.has(name));
  const stem = (name: string) => name.replace(/\.js$/, '');
  const { metafile, outputFiles } = await build({
    entryPoints: { [stem(entry)]: FIRST, ...Object.fromEntries(others.map((name) => [stem(name), name])) },
    outdir: '/',
    write: false,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [regrouping(chunks, { entry, first })],
  });
  return {
    written: new Map(outputFiles.map(({ path, text }) => [nameOf(path), text])),
    outputs: new Map(Object.entries(metafile.outputs).map(([path, { imports }]) => [nameOf(path), imports])),
  };
}

const FIRST = 'first';

const regrouping = (
  chunks: ReadonlyMap<string, Chunk>,
  { entry, first }: { entry: string; first: ReadonlySet<string> },
): Plugin => ({
  name: 'regrouping',
  setup({ onResolve, onLoad }) {
    const members = [...first];
    const alias = (name: string, exported: string) => `m${members.indexOf(name)}_${exported}`;
    const used = usedExports(chunks, first);
    const listed = (name: string, write: (exported: string) => string) =>
      `export{${[...(used.get(name) ?? [])].map(write).join(',')}}from`;
    onResolve({ filter: /.*/ }, ({ path, importer, kind, namespace }) => {
      if (kind === 'entry-point') return { path, namespace: path === FIRST ? FIRST : 'chunk' };
      const name = nameOf(path);
      if (!first.has(name)) return { path: `./${name}`, external: true };
      if (namespace === FIRST || (namespace === 'chunk' && first.has(importer)))
        return { path: name, namespace: 'chunk' };
      // A part of the first script, under the name that it has there.
      return namespace === 'moved' ? { path: `./${entry}`, external: true } : { path: name, namespace: 'moved' };
    });
    onLoad({ filter: /.*/, namespace: FIRST }, () => ({
      contents: members
        .map((name) => `${listed(name, (exported) => `${exported} as ${alias(name, exported)}`)} "./${name}";`)
        .join('\n'),
    }));
    onLoad({ filter: /.*/, namespace: 'moved' }, ({ path }) => ({
      contents: `${listed(path, (exported) => `${alias(path, exported)} as ${exported}`)} "./${entry}";`,
    }));
    onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({ contents: chunks.get(path)!.text }));
  },
});

/** What the other chunks import from those of the first script. A name that this misses fails the build. */
function usedExports(
  chunks: ReadonlyMap<string, Chunk>,
  first: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [importer, { text }] of chunks) {
    if (first.has(importer)) continue;
    for (const [, names, path] of text.matchAll(/import\{([^}]*)\}from"([^"]+)"/g)) {
      const of = found.get(nameOf(path!)) ?? new Set();
      for (const each of names!.split(',')) of.add(each.split(' as ')[0]!.trim());
      found.set(nameOf(path!), of);
    }
  }
  return found;
}

/** With a digest of all texts, under names that are still those of the chunks. */
function finalNames(written: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const digest = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12);
  const all = digest(...[...written].sort(([one], [other]) => (one < other ? -1 : 1)).flat());
  return new Map([...written.keys()].map((name) => [name, `${name.split('.')[0]}.${digest(all, name)}.js`]));
}

const renamed = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replaceAll(/"\.\/([\w-]+\.[A-Z0-9]{8}\.js)"/g, (whole, name: string) =>
    names.has(name) ? `"./${names.get(name)}"` : whole,
  );
