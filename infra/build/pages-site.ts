import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle, siteAssets } from './site-assets.ts';

/**
 * Writes the scripts and styles of the pages of dashboards and stories, and the script for the pages that embed them,
 * to `dist/pages/site`, beside the bundle of the function that serves them.
 */
export async function buildPagesSite(root: string): Promise<void> {
  const site = join(root, 'dist/pages/site');
  const [own, docs] = [join(root, 'functions/boards/pages/site'), join(root, 'functions/platform/docs/site')];
  const assets = await siteAssets(join(site, 'assets'), '/api/d/assets');
  // What few readers need is loaded when they ask for it.
  const define = { MORE_ADDRESS: await assets.script(own, 'more', { isModule: true }) };
  const files = {
    style: await assets.style(own, 'page'),
    icon: await assets.copy(docs, 'icon', 'svg'),
    theme: await assets.script(docs, 'theme'),
    dashboard: await assets.script(own, 'dashboard', { define }),
    story: await assets.script(own, 'story', { define }),
    elsewhere: await assets.script(own, 'elsewhere'),
    share: await assets.script(own, 'share'),
    embed: await assets.script(own, 'embed'),
    'sign-in': await assets.script(own, 'sign-in'),
    device: await assets.script(own, 'device'),
  };
  await writeFile(join(site, 'view.js'), bundle(join(own, 'view.ts')));
  await writeFile(join(site, 'files.json'), JSON.stringify(files));
}
