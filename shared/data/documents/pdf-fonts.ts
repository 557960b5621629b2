import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

interface FontFiles {
  package: string;
  /** The files, from the folder of the module that the package exports. */
  regular: string;
  bold: string;
  /** The only characters that load the font. Without it, all those that the fonts before it do not have. */
  only?: RegExp;
}

/** The fonts that documents contain. A character is written in the first font that has it. */
export const FONT_FILES: readonly FontFiles[] = [
  {
    package: '@embedpdf/fonts-latin',
    regular: '../fonts/NotoSans-Regular.ttf',
    bold: '../fonts/NotoSans-Bold.ttf',
  },
  {
    package: '@embedpdf/fonts-arabic',
    regular: '../fonts/NotoNaskhArabic-Regular.ttf',
    bold: '../fonts/NotoNaskhArabic-Bold.ttf',
  },
  {
    package: '@embedpdf/fonts-hebrew',
    regular: '../fonts/NotoSansHebrew-Regular.ttf',
    bold: '../fonts/NotoSansHebrew-Bold.ttf',
    only: /\p{Script=Hebrew}|\s/u,
  },
  {
    package: '@embedpdf/fonts-kr',
    // One weight, because each has 5 MB.
    regular: '../fonts/NotoSansKR-Regular.otf',
    bold: '../fonts/NotoSansKR-Regular.otf',
    only: /\p{Script=Hangul}|\s/u,
  },
  {
    package: '@expo-google-fonts/noto-emoji',
    regular: '400Regular/NotoEmoji_400Regular.ttf',
    bold: '700Bold/NotoEmoji_700Bold.ttf',
    only: /\p{RGI_Emoji}|\p{Extended_Pictographic}/v,
  },
  {
    package: '@embedpdf/fonts-sc',
    // One weight, because each has 8 MB.
    regular: '../fonts/NotoSansHans-Regular.otf',
    bold: '../fonts/NotoSansHans-Regular.otf',
  },
];

/** Beside a bundle, or in its package. */
export function fontPath(packageName: string, file: string): string {
  const beside = join(import.meta.dirname, basename(file));
  if (existsSync(beside)) return beside;
  return join(dirname(createRequire(import.meta.url).resolve(packageName)), file);
}
