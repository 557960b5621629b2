/**
 * Fonts differ from reader to reader: each class of characters is taken as wide as in the widest common font. In shares
 * of the size of the font.
 */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[\d+$€£¥<>=~#]/, 0.64],
  [/[−–]/, 0.7],
  [/[.,:;'!|() \u00a0\-/iIjltf]/, 0.36],
  [/[%@mwMW…]/, 0.96],
  [/[A-Z]/, 0.72],
  [/[a-z]/, 0.6],
  [/[ -\u02ff]/, 0.7],
];
const OTHERS = 1.05;
const MONO = 0.62;

/** How wide the text is at most, in pixels. */
export function textWidth(text: string, fontSize: number, { isMono = false, isBold = false } = {}): number {
  let width = 0;
  for (const character of text) width += isMono && character < '\u0300' ? MONO : widthOf(character);
  return width * fontSize * (isBold ? 1.1 : 1);
}

const known = new Map<string, number>();

function widthOf(character: string): number {
  const width = known.get(character) ?? WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? OTHERS;
  if (known.size < 1000) known.set(character, width);
  return width;
}

/** The text, cut to the width. */
export function cutText(
  text: string,
  width: number,
  fontSize: number,
  font: { isMono?: boolean; isBold?: boolean } = {},
): string {
  if (textWidth(text, fontSize, font) <= width) return text;
  const characters = [...text];
  let kept = 0;
  let left = width - textWidth('…', fontSize, font);
  for (; kept < characters.length; kept += 1) {
    left -= textWidth(characters[kept]!, fontSize, font);
    if (left < 0) break;
  }
  return `${characters.slice(0, Math.max(1, kept)).join('').trimEnd()}…`;
}
