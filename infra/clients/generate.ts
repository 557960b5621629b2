import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { GROUPS } from '../../functions/api.ts';
import { openApiDocument } from '../build/openapi/document.ts';
import { clientOperations } from './operations.ts';
import { pythonClient } from './python.ts';
import { typescriptClient } from './typescript.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The build of the library that needs nothing of Node, so that it can be part of a single file. */
const YAML = join(dirname(createRequire(import.meta.url).resolve('yaml/package.json')), 'browser/index.js');

/** Makes the TypeScript client from the declared operations, ready to be packed. */
export async function buildTypescriptClient(): Promise<string> {
  const folder = join(ROOT, 'clients/typescript');
  const document = openApiDocument(GROUPS);
  await writeFiles(join(folder, 'src/generated'), typescriptClient(clientOperations(GROUPS, document), document));
  const dist = join(folder, 'dist');
  await rm(dist, { recursive: true, force: true });
  await build({
    entryPoints: [join(folder, 'src/index.ts')],
    outfile: join(dist, 'index.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    sourcemap: true,
  });
  const tsc = join(dirname(createRequire(import.meta.url).resolve('@typescript/native/package.json')), 'bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', folder], { cwd: ROOT });
  return dist;
}

/** Makes the sources of the Python client from the declared operations; the package is made by Python itself. */
export async function generatePythonClient(): Promise<string> {
  const folder = join(ROOT, 'clients/python');
  const generated = join(folder, 'src/analytics_client/generated');
  await rm(generated, { recursive: true, force: true });
  const document = openApiDocument(GROUPS);
  await writeFiles(generated, pythonClient(clientOperations(GROUPS, document), document));
  return folder;
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
}

/** Makes the command line, a single file without dependencies, with the client inside. */
export async function buildCommandLine(): Promise<string> {
  const folder = join(ROOT, 'clients/cli');
  const outfile = join(folder, 'dist/analytics.js');
  await build({
    entryPoints: [join(folder, 'src/main.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    alias: { yaml: YAML },
    banner: { js: '#!/usr/bin/env node' },
  });
  await chmod(outfile, 0o755);
  return outfile;
}

if (import.meta.main) {
  console.log(`The TypeScript client is in ${await buildTypescriptClient()}.`);
  console.log(`The Python client is in ${await generatePythonClient()}.`);
  console.log(`The command line is ${await buildCommandLine()}.`);
}
