import { textWidth } from './text-width.ts';

/** Scripts without spaces between words may break after any sign. */
const WORDS =
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+|\s+/g;

/** The text in lines of at most the width; undefined if a word is longer. */
export function wrapText(text: string, width: number, fontSize: number): string[] | undefined {
  const lines: string[] = [];
  let line = '';
  for (const part of text.match(WORDS) ?? []) {
    if (textWidth((line + part).trim(), fontSize) <= width) {
      line += part;
      continue;
    }
    if (line.trim() !== '') lines.push(line.trim());
    line = part.trimStart();
    if (textWidth(line, fontSize) > width) return undefined;
  }
  if (line.trim() !== '') lines.push(line.trim());
  return lines;
}
