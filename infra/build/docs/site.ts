import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Group } from '../../../functions/group.ts';
import { siteAssets } from '../site-assets.ts';
import { readGuides } from './guides.ts';
import { operationFinder, operationsOf } from './operations.ts';
import { guidePage, guidesPage, type PageAssets, referencePage } from './pages.ts';
import { searchIndex } from './search-index.ts';
import { viewerScript } from './viewer.ts';

/**
 * Writes the pages of the documentation and their files to `dist/docs/site`, beside the bundle of the function that
 * serves them.
 */
export async function buildDocsSite(root: string, groups: readonly Group[]): Promise<void> {
  const site = join(root, 'dist/docs/site');
  const operations = operationsOf(groups);
  const guides = await readGuides(join(root, 'docs'), operationFinder(operations));
  await mkdir(join(site, 'guides'), { recursive: true });
  const introduction = await readFile(join(root, 'functions/docs/introduction.md'), 'utf8');
  const assets = await writeAssets(root, site, searchIndex({ guides, operations, introduction }));
  await writeFile(join(site, 'reference.html'), referencePage(assets));
  await writeFile(join(site, 'guides.html'), guidesPage(assets, guides));
  for (const guide of guides) {
    await writeFile(join(site, 'guides', `${guide.slug}.html`), guidePage(assets, guides, guide));
  }
}

async function writeAssets(root: string, site: string, search: string): Promise<PageAssets> {
  const sources = join(root, 'functions/docs/site');
  const assets = await siteAssets(join(site, 'assets'), '/api/docs/assets');
  return {
    guideStyle: await assets.style(sources, 'guides'),
    icon: await assets.copy(sources, 'icon', 'svg'),
    page: await assets.script(sources, 'page'),
    reference: await assets.script(sources, 'reference'),
    referenceStyle: await assets.style(sources, 'reference'),
    search: await assets.write('search', 'json', search),
    theme: await assets.script(sources, 'theme'),
    viewer: await assets.write('viewer', 'js', viewerScript()),
  };
}
