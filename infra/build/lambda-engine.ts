import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../run-program.ts';
import type { LambdaArchitecture } from '../settings.ts';

/** The packages with DuckDB's library for one processor, and the `node_modules` folder that contains them. */
export interface EnginePackages {
  modules: string;
  names: readonly string[];
}

const CPU = { arm64: 'arm64', x86_64: 'x64' } as const;

/**
 * Finds DuckDB for the processor of the functions: the installed packages if this machine has that processor, else
 * packages from the registry, under `dist/.lambda`. Throws instructions if the registry lacks them.
 */
export function lambdaEngine(root: string, architecture: LambdaArchitecture, run: Run): EnginePackages {
  const binding = `@duckdb/node-bindings-linux-${CPU[architecture]}`;
  const names = ['@duckdb/node-bindings', binding];
  const installed = join(root, 'node_modules');
  if (existsSync(join(installed, binding))) return { modules: installed, names };

  const version = lockedVersion(root, '@duckdb/node-bindings');
  const folder = join(root, 'dist/.lambda', architecture);
  const modules = join(folder, 'node_modules');
  if (installedVersion(modules, binding) === version) return { modules, names };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  // The binding declares its processor; without force npm would reject it on any other.
  const platform = ['--force', '--os=linux', `--cpu=${CPU[architecture]}`, '--libc=glibc'];
  const packages = names.map((name) => `${name}@${version}`);
  const status = run(
    'npm',
    ['install', '--no-save', '--ignore-scripts', '--no-audit', ...platform, ...packages],
    folder,
  );
  if (status === 0 && installedVersion(modules, binding) === version) return { modules, names };
  const other = architecture === 'arm64' ? 'x86_64' : 'arm64';
  throw new Error(
    `The registry has no ${binding}@${version}, which the functions need on ${architecture}. Some mirrors lack it: set another registry (npm config set registry …), or run the functions on the other processor: LAMBDA_ARCHITECTURE=${other} npm run deploy`,
  );
}

function lockedVersion(root: string, name: string): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  return lock.packages[`node_modules/${name}`]!.version;
}

function installedVersion(modules: string, name: string): string | undefined {
  const file = join(modules, name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : undefined;
}
