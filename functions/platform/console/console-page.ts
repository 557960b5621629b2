import { pageDocument } from '../../../shared/platform/pages/page-document.ts';
import { html } from '../../../shared/platform/text/html.ts';
import type { ConsoleFiles } from './console-files.ts';

/** The page of every screen. Its script signs in, and shows the screen of the address. */
export function consolePage(files: ConsoleFiles, { nonce, screen }: { nonce: string; screen: string }): string {
  const { icon, style, theme, script, icons } = files;
  const own = files.screens[screen];
  return pageDocument({
    title: 'Analytics',
    // Otherwise the browser would learn of the files of the screen only from the script.
    head: html`${[...files.preload, ...(own?.scripts ?? [])].map(
      (address) => html`<link rel="modulepreload" href="${address}">`,
    )}${own?.style && html`<link rel="preload" as="style" href="${own.style}">`}`,
    assets: { icon, style, theme, script },
    nonce,
    config: {
      nonce,
      icons,
      styles: Object.fromEntries(Object.entries(files.screens).map(([name, { style }]) => [name, style])),
    },
    body: html`<div id="app"><noscript><p>The console needs JavaScript.</p></noscript></div>`,
  });
}
