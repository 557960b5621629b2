import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
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
  const files = await siteAssets(join(site, 'assets'), '/api/docs/assets');
  const images = await writeImages(join(root, 'docs'), files);
  const guides = await readGuides(join(root, 'docs'), {
    image: (path) => images.get(path),
    operation: operationFinder(operations),
  });
  await mkdir(join(site, 'guides'), { recursive: true });
  const introduction = await readFile(join(root, 'functions/platform/docs/introduction.md'), 'utf8');
  const assets = await writeAssets(root, files, searchIndex({ guides, operations, introduction }));
  await writeFile(join(site, 'reference.html'), referencePage(assets));
  await writeFile(join(site, 'guides.html'), guidesPage(assets, guides));
  for (const guide of guides) {
    await writeFile(join(site, 'guides', `${guide.slug}.html`), guidePage(assets, guides, guide));
  }
}

type SiteAssets = Awaited<ReturnType<typeof siteAssets>>;

/** The addresses of the images of guides, by their paths in the folder. */
async function writeImages(folder: string, assets: SiteAssets): Promise<Map<string, string>> {
  const images = new Map<string, string>();
  for await (const path of glob('**/*.svg', { cwd: folder })) {
    const content = await readFile(join(folder, path), 'utf8');
    images.set(path.replaceAll('\\', '/'), await assets.write(basename(path, '.svg'), 'svg', content));
  }
  return images;
}

async function writeAssets(root: string, assets: SiteAssets, search: string): Promise<PageAssets> {
  const sources = join(root, 'functions/platform/docs/site');
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
