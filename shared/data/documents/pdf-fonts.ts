import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The fonts that documents contain. A character is written in the first font that has it. */
export const FONT_FILES = [
  { package: '@embedpdf/fonts-latin', regular: 'NotoSans-Regular.ttf', bold: 'NotoSans-Bold.ttf' },
  { package: '@embedpdf/fonts-arabic', regular: 'NotoNaskhArabic-Regular.ttf', bold: 'NotoNaskhArabic-Bold.ttf' },
  // One weight, because each has 8 MB.
  { package: '@embedpdf/fonts-sc', regular: 'NotoSansHans-Regular.otf', bold: 'NotoSansHans-Regular.otf' },
] as const;

/** Beside a bundle, or in its package. */
export function fontPath(packageName: string, file: string): string {
  const beside = join(import.meta.dirname, file);
  if (existsSync(beside)) return beside;
  return join(dirname(createRequire(import.meta.url).resolve(packageName)), '../fonts', file);
}
