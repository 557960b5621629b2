import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ICON_NAMES } from '../../functions/platform/console/site/ui/icon-names.ts';

const require = createRequire(import.meta.url);

/** One file with a symbol for each icon, which takes its color from the text around it. */
export function iconSprite(): string {
  const symbols = ICON_NAMES.map((name) => {
    const source = readFileSync(require.resolve(`lucide-static/icons/${name}.svg`), 'utf8');
    const content = /<svg[^>]*>(.*)<\/svg>/s.exec(source)![1]!.replaceAll(/\s+/g, ' ').trim();
    return `<symbol id="${name}" viewBox="0 0 24 24">${content}</symbol>`;
  });
  return `<!-- Icons of Lucide (lucide.dev), ISC License -->\n<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('\n')}\n</svg>\n`;
}
