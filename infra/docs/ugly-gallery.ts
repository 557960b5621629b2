import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawChart } from '../../shared/data/charts/draw.ts';
import { escapeXml } from '../../shared/data/charts/svg.ts';
import { DEFAULT_TOKENS, surfaceOf } from '../../shared/data/charts/theme.ts';
import { UGLY_CHARTS } from './ugly-charts.ts';

/**
 * `npm run charts`: writes a page with every kind of chart and every kind of rows, in three widths and two themes, to
 * look at after a change of how charts are drawn.
 */
const SIZES = [
  { width: 1400, height: 500 },
  { width: 400, height: 240 },
  { width: 200, height: 140 },
];
const folder = join(import.meta.dirname, '../../dist/charts');

const pages: string[] = [];
await mkdir(folder, { recursive: true });
for (const dark of [false, true])
  for (const size of SIZES) {
    const theme = { ...DEFAULT_TOKENS, dark };
    const { background, text } = surfaceOf(theme);
    const figures: string[] = [];
    for (const { name, look, data } of UGLY_CHARTS) {
      const svg = await drawChart(look, data, { ...size, theme, description: name });
      figures.push(`<figure><figcaption>${escapeXml(name)}</figcaption>${svg}</figure>`);
    }
    const page = `${dark ? 'dark' : 'light'}-${size.width}.html`;
    const style = `body{background:${background};color:${text};font:13px sans-serif}figure{display:inline-block;margin:12px}`;
    const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${page}</title><style>${style}</style>`;
    await writeFile(join(folder, page), `${head}${figures.join('\n')}</html>\n`);
    pages.push(`<li><a href="${page}">${page}</a></li>`);
  }
const index = join(folder, 'index.html');
await writeFile(index, `<!doctype html><html lang="en"><title>Charts</title><ul>${pages.join('')}</ul></html>\n`);
process.stdout.write(`${index}\n`);
