import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build/index.ts';
import { ensureMasterSecret, operatorClients } from './operator.ts';
import { settings } from './settings.ts';

const ROOT = join(import.meta.dirname, '..');

/** Runs a program with this terminal and stops when it fails. */
function run(command: string, args: string[], cwd = ROOT): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

/** DuckDB for the processor that Lambda runs on, whatever this machine's is. */
function installEngineForLambda(): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  const version = lock.packages['node_modules/@duckdb/node-api']!.version;
  const folder = join(ROOT, 'dist/.lambda');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  // The binding names its processor; without force npm would refuse it on any other.
  const platform = ['--force', '--os=linux', '--cpu=arm64', '--libc=glibc'];
  const packages = ['@duckdb/node-api', '@duckdb/node-bindings-linux-arm64'].map((name) => `${name}@${version}`);
  run('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', ...platform, ...packages], folder);
}

console.log('Installing the engine for Lambda …');
installEngineForLambda();
console.log('Building …');
await build({ force: true });
const { masterSecretParameter } = settings();
if (await ensureMasterSecret(operatorClients(), masterSecretParameter)) {
  console.log(`Made the master secret ${masterSecretParameter}. Back it up.`);
}
run('npx', [
  'cdk',
  'deploy',
  '--all',
  '--require-approval',
  'never',
  '--outputs-file',
  'dist/outputs.json',
  ...process.argv.slice(2),
]);
