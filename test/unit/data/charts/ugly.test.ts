import { describe, expect, it } from 'vitest';
import { UGLY_CHARTS } from '../../../../infra/docs/ugly-charts.ts';
import { drawChart } from '../../../../shared/data/charts/draw.ts';
import { clippedTexts, overlappingTexts, placedTexts } from '../../../support/svg-texts.ts';

const SIZES = [
  { width: 1400, height: 500 },
  { width: 400, height: 240 },
  { width: 200, height: 140 },
];
const KINDS = Map.groupBy(UGLY_CHARTS, ({ name }) => name.split(':')[0]!);

describe('no text is cut off or covers another one, whatever the rows', () => {
  it.each([...KINDS])('%s', async (_, charts) => {
    for (const { name, look, data } of charts)
      for (const size of SIZES) {
        const svg = await drawChart(look, data, size);
        const texts = placedTexts(svg);
        const where = `${name} in ${size.width} × ${size.height}`;
        const [, width, height] = / width="([\d.]+)" height="([\d.]+)"/.exec(svg)!.map(Number);
        expect([width! <= size.width, height! <= size.height], where).toEqual([true, true]);
        expect(texts.length, where).toBeGreaterThan(0);
        expect(clippedTexts(texts, size.width, size.height), where).toEqual([]);
        expect(overlappingTexts(texts), where).toEqual([]);
      }
  });
});
