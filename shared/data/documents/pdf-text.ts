import { printable } from '../charts/svg.ts';
import { FONT_FILES, fontPath } from './pdf-fonts.ts';
import { inVisualOrder } from './visual-order.ts';

export interface TextStyle {
  size: number;
  bold?: boolean;
  /** Slanted, because the fonts have no italics. */
  italic?: boolean;
  color?: string;
  opacity?: number;
}

interface Run {
  font: string;
  text: string;
}

const FACES = FONT_FILES.map(({ package: name, only, ...files }) => ({
  only,
  regular: { name: files.regular, path: fontPath(name, files.regular) },
  bold: { name: files.bold, path: fontPath(name, files.bold) },
}));

/** A character, or the characters that make up one emoji: a flag, a family, a skin tone. */
const CHARACTERS = /\p{RGI_Emoji}|./gsv;
/** Joins or chooses forms of other characters, and has none of its own. */
const INVISIBLE = /^(?:\p{Format}|\p{Variation_Selector})/u;

/** Writes texts in the fonts that have their characters, and notes the characters that none has. */
export class PdfText {
  readonly missing = new Set<string>();
  readonly #doc: PDFKit.PDFDocument;
  readonly #known = new Map<string, readonly Run[]>();

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc;
    for (const { regular, bold } of FACES) {
      doc.registerFont(regular.name, regular.path);
      doc.registerFont(bold.name, bold.path);
    }
  }

  width(text: string, style: TextStyle): number {
    return this.#runs(text, style).reduce((sum, run) => sum + this.#widthOf(run, style), 0);
  }

  /** Writes one line from the left end of its baseline. */
  line(text: string, x: number, y: number, style: TextStyle): void {
    let at = x;
    for (const run of this.#runs(text, style)) {
      if (run.font === SYMBOLS) this.#triangle(run.text, at, y, style);
      else
        this.#doc
          .font(run.font)
          .fontSize(style.size)
          .fillColor(style.color ?? '#000000', style.opacity ?? 1)
          .text(run.text, at, y, {
            ...{ lineBreak: false, baseline: 'alphabetic' },
            ...(style.italic && { oblique: true }),
          });
      at += this.#widthOf(run, style);
    }
  }

  /** The text, cut to the width. */
  fitted(text: string, width: number, style: TextStyle): string {
    if (this.width(text, style) <= width) return text;
    const characters = text.match(CHARACTERS) ?? [];
    let [low, high] = [0, characters.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.width(`${characters.slice(0, middle).join('')}…`, style) <= width) low = middle;
      else high = middle - 1;
    }
    return `${characters.slice(0, low).join('')}…`;
  }

  /** The lines of a text of the width, at most so many. */
  wrapped(text: string, width: number, style: TextStyle, maxLines: number): string[] {
    const lines: string[] = [];
    for (const paragraph of text.split(/\r\n|\r|\n/)) {
      let line = '';
      for (const word of paragraph.split(/[ \t]+/)) {
        const longer = line === '' ? word : `${line} ${word}`;
        if (line === '' || this.width(longer, style) <= width) line = longer;
        else {
          lines.push(line);
          line = word;
        }
        if (lines.length > maxLines) break;
      }
      lines.push(line);
      if (lines.length > maxLines) break;
    }
    const kept = lines.slice(0, maxLines).map((line) => this.fitted(line, width, style));
    if (lines.length > maxLines && kept.length > 0) kept.push(this.fitted(`${kept.pop()} …`, width, style));
    return kept;
  }

  #triangle(symbol: string, x: number, y: number, { size, color = '#000000', opacity = 1 }: TextStyle): void {
    const [low, high] = symbol === '▲' ? [y, y - size * 0.6] : [y - size * 0.6, y];
    const width = size * 0.65;
    this.#doc
      .moveTo(x, low)
      .lineTo(x + width, low)
      .lineTo(x + width / 2, high)
      .closePath()
      .fillColor(color, opacity)
      .fill();
  }

  #widthOf({ font, text }: Run, { size }: TextStyle): number {
    if (font === SYMBOLS) return size * 0.7;
    return this.#doc.font(font).fontSize(size).widthOfString(text);
  }

  #runs(text: string, { bold = false }: TextStyle): readonly Run[] {
    const key = `${bold}${text}`;
    const known = this.#known.get(key);
    if (known) return known;
    const runs: Run[] = [];
    for (const character of printable(text).match(CHARACTERS) ?? []) {
      if (INVISIBLE.test(character)) continue;
      if (TRIANGLE.test(character)) {
        runs.push({ font: SYMBOLS, text: character });
        continue;
      }
      const font = this.#fontOf(character, bold, runs.at(-1)?.font);
      if (runs.at(-1)?.font === font) runs.at(-1)!.text += character;
      else runs.push({ font, text: character });
    }
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    const ordered = inVisualOrder(runs);
    this.#known.set(key, ordered);
    return ordered;
  }

  #fontOf(character: string, bold: boolean, previous: string | undefined): string {
    const weight = bold ? 'bold' : 'regular';
    const isIn = ({ only, ...face }: (typeof FACES)[number]) =>
      (!only || only.test(character)) && this.#has(face[weight].name, character);
    // Spaces and marks stay in the font of the text before them.
    const last = FACES.find((face) => face[weight].name === previous);
    if (last && /^[\s\p{Mark}]/u.test(character) && isIn(last)) return last[weight].name;
    const found = FACES.find(isIn);
    if (found) return found[weight].name;
    this.missing.add(character);
    return FACES[0]![weight].name;
  }

  #has(font: string, character: string): boolean {
    this.#doc.font(font);
    const { _font } = this.#doc as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } };
    return [...character].every(
      (each, index) => (index > 0 && INVISIBLE.test(each)) || _font.font.hasGlyphForCodePoint(each.codePointAt(0)!),
    );
  }
}

/** The fonts have no triangles, which numbers use for their change. */
const TRIANGLE = /[▲▼]/;
const SYMBOLS = 'symbols';

const MAX_KNOWN = 5_000;
