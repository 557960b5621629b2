import { pageDocument } from '../../../shared/platform/pages/page-document.ts';
import { html } from '../../../shared/platform/text/html.ts';
import type { ConsoleFiles } from './console-files.ts';
import { bestMatch } from './site/ui/path.ts';

/** The page of every screen. Its script signs in, and shows the screen of the address, whose path is given. */
export function consolePage(files: ConsoleFiles, { nonce, path }: { nonce: string; path: string }): string {
  const { icon, style, early, script, icons, styles } = files;
  const known = Object.entries(files.screens).map(([pattern, own]) => ({ path: pattern, own }));
  const own = bestMatch(known, path)?.screen.own;
  return pageDocument({
    title: 'Analytics',
    // Otherwise the browser would learn of the files of the screen only from the script.
    head: html`<link rel="preload" as="script" href="${early}" fetchpriority="high">${[
      script,
      ...(own?.scripts ?? []),
    ].map(
      (address) => html`<link rel="modulepreload" href="${address}">`,
    )}${own?.style && html`<link rel="preload" as="style" href="${own.style}">`}`,
    assets: { icon, style, theme: early, script },
    nonce,
    config: { nonce, icons, styles },
    body: html`<div id="app"><noscript><p>The console needs JavaScript.</p></noscript></div>`,
  });
}
