import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Group } from '../../../functions/group.ts';
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
  await mkdir(join(site, 'assets'), { recursive: true });
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
  const write = async (name: string, ending: string, content: string) => {
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
    const file = `${name}.${digest}.${ending}`;
    await writeFile(join(site, 'assets', file), content);
    return `/api/docs/assets/${file}`;
  };
  const script = (name: string) => write(name, 'js', bundle(join(sources, `${name}.ts`)));
  const style = (name: string) => write(name, 'css', bundle(join(sources, `${name}.css`)));
  return {
    guideStyle: await style('guides'),
    icon: await write('icon', 'svg', await readFile(join(sources, 'icon.svg'), 'utf8')),
    page: await script('page'),
    reference: await script('reference'),
    referenceStyle: await style('reference'),
    search: await write('search', 'json', search),
    theme: await script('theme'),
    viewer: await write('viewer', 'js', viewerScript()),
  };
}

function bundle(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    write: false,
  });
  return outputFiles[0]!.text;
}
