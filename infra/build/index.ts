import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildChoices } from './bundles.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What the console has of the TypeScript client, without the generated files, which follow from the functions. */
const CLIENT_SOURCES = ['core', 'index.ts', 'rows.ts', 'uploads.ts'].map((name) => `clients/typescript/src/${name}`);

/**
 * Bundles every function into `dist/`, with the given engine or this machine's. Skips the build if no source has
 * changed since the last one; whole bundles also serve who asks for parts. Returns whether it built.
 */
export async function build(
  options: BuildChoices & { force?: boolean } = {},
): Promise<{ changed: boolean; fingerprint: string }> {
  const sources = await fingerprintOf([
    ...CLIENT_SOURCES,
    'docs',
    'functions',
    'shared',
    'events/outbound',
    'infra/build',
    'infra/containers',
    'package-lock.json',
  ]);
  // After a deployment the bundles may contain the engine of another processor, which does not run on this machine.
  const fingerprint = `${sources} ${options.engine?.names.at(-1) ?? 'this machine'}`;
  const mark = join(ROOT, 'dist/.fingerprint');
  const last = await readFile(mark, 'utf8').catch(() => '');
  const { shape = 'whole' } = options;
  const known = last === `${fingerprint} whole` || last === `${fingerprint} ${shape}`;
  if (!options.force && known) return { changed: false, fingerprint };

  // Loading the bundler takes a second, which a start without changes avoids.
  const { makeBundles } = await import('./make-bundles.ts');
  await makeBundles(ROOT, options);
  await writeFile(mark, `${fingerprint} ${shape}`);
  return { changed: true, fingerprint };
}

/** A digest of names, sizes and modification times: reading the contents would be slower, with the same result. */
export async function fingerprintOf(paths: readonly string[]): Promise<string> {
  const digest = createHash('sha256');
  const visit = async (path: string): Promise<void> => {
    const info = await stat(join(ROOT, path));
    if (!info.isDirectory()) {
      digest.update(`${path} ${info.size} ${info.mtimeMs}\n`);
      return;
    }
    for (const name of (await readdir(join(ROOT, path))).sort()) await visit(join(path, name));
  };
  for (const path of paths) await visit(path);
  return digest.digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const started = performance.now();
  const { changed } = await build({ force: !process.argv.includes('--if-changed') });
  if (changed) console.log(`Built in ${Math.round(performance.now() - started)} ms.`);
}
