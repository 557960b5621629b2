import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GROUPS } from '../../functions/api.ts';
import { clientOperations } from '../clients/operations.ts';
import { withSnippets } from '../clients/snippets.ts';
import { type BuildChoices, buildBundles, findBundles } from './bundles.ts';
import { buildConsoleSite } from './console/site.ts';
import { buildDocsSite } from './docs/site.ts';
import { openApiDocument } from './openapi/document.ts';
import { buildPagesSite } from './pages-site.ts';

/** Replaces everything in `dist/` except the packages for another processor. */
export async function makeBundles(root: string, choices: BuildChoices = {}): Promise<void> {
  const dist = join(root, 'dist');
  const kept = await readdir(dist).catch(() => []);
  for (const name of kept) if (name !== '.lambda') await rm(join(dist, name), { recursive: true });
  await mkdir(dist, { recursive: true });
  const bundles = await findBundles(root);
  // The bundler is a program of its own, beside which this one writes the pages.
  await Promise.all([buildBundles(root, bundles, choices), buildDocsSite(root, GROUPS), buildPagesSite(root)]);
  const document = openApiDocument(GROUPS);
  const operations = clientOperations(GROUPS, document);
  await writeFile(join(dist, 'docs/site/openapi.json'), JSON.stringify(withSnippets(document, operations)));
  // After the functions, whose build ends the bundler's process.
  await buildConsoleSite(root, { operations, document });
}
