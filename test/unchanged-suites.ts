import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fingerprintOf } from '../infra/build/index.ts';

/** Tests that are left out of `npm test` while nothing that they read has changed since they passed. */

const ROOT = join(import.meta.dirname, '..');
const PASSED = join(ROOT, 'node_modules/.cache/passed-tests');

interface Suite {
  /** As in messages. */
  name: string;
  /** Files and folders that the tests read. */
  sources: readonly string[];
  /** The command that runs the tests. */
  command: string;
  /** Leaves out a project of vitest, or these files. */
  project?: string;
  files?: () => Promise<string[]>;
}

export interface UnchangedSuites {
  /** Options of vitest. */
  options: string[];
  /** Files that are left out. */
  files: string[];
  /** Notes that the tests of the run passed. */
  passed(): Promise<void>;
}

/** `shared/data` imports only itself and the platform. */
const DATA_LAYER = ['shared/data', 'shared/platform', 'test/unit/data', 'test/support'];

const SUITES: readonly Suite[] = [
  {
    name: 'the local cloud',
    sources: ['packages/local-cloud', 'package-lock.json'],
    command: 'npm test -w packages/local-cloud',
    project: 'contract',
  },
  {
    name: 'shared/data',
    sources: [...DATA_LAYER, 'package-lock.json', 'vitest.config.ts'],
    command: 'npm test -- data',
    files: testsOfDataLayer,
  },
];

/** In CI nothing is left out. */
export async function unchangedSuites(): Promise<UnchangedSuites> {
  const options: string[] = [];
  const files: string[] = [];
  const changed = new Map<string, string>();
  for (const suite of SUITES) {
    const path = join(PASSED, suite.name.replaceAll(/\W/g, '-'));
    const fingerprint = await fingerprintOf(suite.sources);
    if (!process.env.CI && fingerprint === (await readFile(path, 'utf8').catch(() => ''))) {
      if (suite.project) options.push(`--project=!${suite.project}`);
      files.push(...((await suite.files?.()) ?? []));
      console.log(`Nothing of ${suite.name} has changed since its tests passed; \`${suite.command}\` runs them.`);
    } else {
      changed.set(path, fingerprint);
    }
  }
  return {
    options,
    files,
    passed: async () => {
      await mkdir(PASSED, { recursive: true });
      for (const [path, fingerprint] of changed) await writeFile(path, fingerprint);
    },
  };
}

/**
 * Files in `test/unit/data` that read nothing outside of the layer; others also check guides, functions or the build.
 */
export async function testsOfDataLayer(): Promise<string[]> {
  const files = await readdir(join(ROOT, 'test/unit/data'), { recursive: true });
  const tests = files.filter((file) => file.endsWith('.test.ts')).map((file) => join(ROOT, 'test/unit/data', file));
  const known = new Map<string, Promise<string[]>>();
  const staysInLayer = async (path: string, seen: Set<string>): Promise<boolean> => {
    if (seen.has(path)) return true;
    seen.add(path);
    if (!DATA_LAYER.some((folder) => path.startsWith(`${join(ROOT, folder)}/`))) return false;
    const read = known.get(path) ?? readPaths(path);
    known.set(path, read);
    for (const other of await read) if (!(await staysInLayer(other, seen))) return false;
    return true;
  };
  const stays = await Promise.all(tests.map((path) => staysInLayer(path, new Set())));
  return tests.filter((_, index) => stays[index]).map((path) => relative(ROOT, path));
}

/** What a file imports or names by a relative path. Folders and files that are made later name nothing themselves. */
async function readPaths(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return [...text.matchAll(/'(\.{1,2}\/[^'\n]*)'/g)].map(([, named]) => join(path, '..', named!));
}
