import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fingerprintOf } from './build/index.ts';
import type { Settings } from './settings.ts';

/** Beside the bundles; a build replaces them together with the assemblies that were synthesized from them. */
const CACHE_FOLDER = join(import.meta.dirname, '../dist/.assemblies');
const CACHE_MS = 24 * 60 * 60 * 1000;

/** The inputs of the template. */
const SOURCES = [
  'cdk.json',
  'docs',
  'events/outbound',
  'functions',
  'infra/build',
  'infra/constructs',
  'infra/containers',
  'infra/nag-acknowledgements.ts',
  'infra/settings.ts',
  'infra/stacks',
  'infra/synth.ts',
  'package-lock.json',
  'shared',
];

/**
 * Returns the folder with the cloud assembly for these settings and the current bundles. Synthesis takes seconds, so
 * its result is cached until an input changes; it takes half a gigabyte of memory, so it runs in a process of its own.
 */
export async function assemblyOf(chosen: Settings): Promise<string> {
  const digest = createHash('sha256').update(`${await fingerprintOf(SOURCES)} ${JSON.stringify(chosen)}`);
  const kept = join(CACHE_FOLDER, digest.digest('hex').slice(0, 32));
  if (existsSync(kept)) return kept;
  await mkdir(CACHE_FOLDER, { recursive: true });
  await removeOld();
  // Several processes may synthesize at once: each writes to a folder of its own, which is renamed once it is complete.
  const folder = await mkdtemp(`${kept}-`);
  await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'synthesize.ts'),
    folder,
    JSON.stringify(chosen),
  ]);
  await rename(folder, kept).catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    if (!existsSync(kept)) throw error;
  });
  return kept;
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(CACHE_FOLDER)) {
    const folder = join(CACHE_FOLDER, name);
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs > CACHE_MS) await rm(folder, { recursive: true, force: true });
  }
}
