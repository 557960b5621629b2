import { describe, expect, it } from 'vitest';
import { DEFAULT_TOKENS, surfaceOf } from '../../../../shared/data/charts/theme.ts';

/** How eyes without one kind of cones see a color: the matrices of Machado et al. for linear RGB. */
const EYES: Record<string, readonly (readonly number[])[]> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (hex: string): number[] =>
  hex
    .slice(1)
    .match(/../g)!
    .map((pair) => Number.parseInt(pair, 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));

/** OKLab, in which equal distances look equally large. */
function oklab([r, g, b]: readonly number[]): number[] {
  const l = Math.cbrt(0.4122214708 * r! + 0.5363325363 * g! + 0.0514459929 * b!);
  const m = Math.cbrt(0.2119034982 * r! + 0.6806995451 * g! + 0.1073969566 * b!);
  const s = Math.cbrt(0.0883024619 * r! + 0.2817188376 * g! + 0.6299787005 * b!);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const seen = (hex: string, eye: readonly (readonly number[])[]): number[] =>
  oklab(
    eye.map((row) =>
      Math.min(
        1,
        Math.max(
          0,
          row.reduce((sum, share, at) => sum + share * linear(hex)[at]!, 0),
        ),
      ),
    ),
  );

const luminance = (hex: string): number => {
  const [r, g, b] = linear(hex) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one: string, other: string): number => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

describe('the palette of the platform', () => {
  const { palette } = DEFAULT_TOKENS;

  it('has at least twelve colors', () => expect(new Set(palette).size).toBeGreaterThanOrEqual(12));

  it.each(Object.entries(EYES))('has colors that differ from each other for %s', (_, eye) => {
    for (const [at, one] of palette.entries())
      for (const other of palette.slice(at + 1)) {
        const [first, second] = [seen(one, eye), seen(other, eye)];
        const distance = Math.hypot(...first.map((value, index) => value - second[index]!));
        expect(distance, `${one} and ${other}`).toBeGreaterThan(0.08);
      }
  });

  it.each([false, true])('can be seen on its background, dark: %s', (dark) => {
    const { background } = surfaceOf({ ...DEFAULT_TOKENS, dark });
    for (const color of palette) expect(contrast(color, background), color).toBeGreaterThan(1.4);
  });
});
