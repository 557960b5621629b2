import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chartGallery, EXAMPLES, withGallery } from '../../../infra/docs/chart-gallery.ts';
import { MARKS } from '../../../shared/data/charts/chart-look.ts';

const docs = join(import.meta.dirname, '../../../docs');

it('the gallery is what `npm run docs` writes, and shows every mark', async () => {
  const { files, table } = await chartGallery();
  const guide = readFileSync(join(docs, 'charts.md'), 'utf8');
  expect(withGallery(guide, table)).toBe(guide);
  expect(readdirSync(join(docs, 'charts')).sort()).toEqual(Object.keys(files).sort());
  for (const [name, svg] of Object.entries(files))
    expect(readFileSync(join(docs, 'charts', name), 'utf8') === svg, `${name} is out of date: npm run docs`).toBe(true);
  const shown = EXAMPLES.flatMap(({ look }) => [look.mark, ...(look.layer ?? []).map(({ mark }) => mark)]);
  expect(MARKS.filter((mark) => !shown.some(({ type }) => type === mark))).toEqual([]);
  expect(Object.values(files).reduce((bytes, svg) => bytes + svg.length, 0)).toBeLessThan(1_100_000);
});
