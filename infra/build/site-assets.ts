import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/**
 * Writes files that pages load, under names that carry a digest of their content. Each method returns the address of
 * the file.
 */
export async function siteAssets(folder: string, address: string) {
  await mkdir(folder, { recursive: true });
  const write = async (name: string, ending: string, content: string): Promise<string> => {
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
    const file = `${name}.${digest}.${ending}`;
    await writeFile(join(folder, file), content);
    return `${address}/${file}`;
  };
  return {
    write,
    script: (entry: string, name: string, options?: BundleOptions) =>
      write(name, 'js', bundle(join(entry, `${name}.ts`), options)),
    style: (entry: string, name: string) => write(name, 'css', bundle(join(entry, `${name}.css`))),
    copy: async (entry: string, name: string, ending: string) =>
      write(name, ending, await readFile(join(entry, `${name}.${ending}`), 'utf8')),
  };
}

interface BundleOptions {
  /** Whether other scripts import it. */
  isModule?: boolean;
  /** Names that stand for values, such as the address of a script that is loaded later. */
  define?: Readonly<Record<string, string>>;
}

export function bundle(entry: string, { isModule = false, define = {} }: BundleOptions = {}): string {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: isModule ? 'esm' : 'iife',
    define: Object.fromEntries(Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)])),
    external: Object.values(define),
    target: 'es2022',
    legalComments: 'none',
    write: false,
  });
  return outputFiles[0]!.text;
}
