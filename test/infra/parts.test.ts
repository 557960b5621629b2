import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBundles, findBundles } from '../../infra/build/bundles.ts';
import { SETUP_TIMEOUT_MS } from '../support/setup/ask.ts';

const ROOT = join(import.meta.dirname, '../..');
const DIST = 'node_modules/.cache/parts-of-a-test';
const NAMES = ['themes', 'exports', 'query'];

beforeAll(async () => {
  const bundles = (await findBundles(ROOT)).filter(({ name }) => NAMES.includes(name));
  await buildBundles(ROOT, bundles, { shape: 'parts', dist: DIST });
}, SETUP_TIMEOUT_MS);

afterAll(() => rm(join(ROOT, DIST), { recursive: true, force: true }));

describe('bundles in parts', () => {
  it('stand in the folders of their functions, each with all parts that it imports', async () => {
    expect((await readdir(join(ROOT, DIST))).sort()).toEqual(['engine', 'stream-changes', ...NAMES].sort());
    for (const name of NAMES) {
      const folder = join(ROOT, DIST, name);
      const files = await readdir(folder);
      const texts = await Promise.all(
        files.filter((file) => file.endsWith('.mjs')).map((file) => readFile(join(folder, file), 'utf8')),
      );
      const imported = texts.flatMap((text) => [...text.matchAll(/(?:from|import\(?)"\.\/([^"]+)"/g)]);
      const missing = imported.map(([, file]) => file!).filter((file) => !files.includes(file));
      expect(missing, name).toEqual([]);
      expect(files).toContain('index.mjs');
    }
  });

  it('share the parts that several functions need', async () => {
    const [themes, query] = await Promise.all(['themes', 'query'].map((name) => readdir(join(ROOT, DIST, name))));
    expect(themes!.filter((file) => file.startsWith('chunk-') && query!.includes(file)).length).toBeGreaterThan(2);
  });

  it('run up to what a function without an environment lacks', async () => {
    const url = pathToFileURL(join(ROOT, DIST, 'themes/index.mjs')).href;
    await expect(import(url)).rejects.toThrow('the environment variable TABLE_NAME is missing');
  });
});
