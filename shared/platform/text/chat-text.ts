import { numberText } from './number-text.ts';

const MAX_VALUE_CHARACTERS = 250;
/** An invisible character that breaks sequences which a chat tool would take for formatting, a mention or a link. */
const GAP = '\u200b';

/** Text in the markup of chat tools: our own wording, with values escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Template tag that escapes every value unless it is markup itself. */
export function markup(strings: TemplateStringsArray, ...values: unknown[]): Markup {
  const parts = values.map((value) => (value instanceof Markup ? value.text : escaped(value)));
  return new Markup(String.raw({ raw: strings }, ...parts));
}

/**
 * A value as one line without any markup. `&`, `<` and `>` are the control characters of the format (mentions such as
 * `<!channel>` and links are made of them); the other characters start formatting, a mention or a link in some tool.
 */
function escaped(value: unknown): string {
  return plainLine(typeof value === 'number' ? numberText(value) : String(value ?? ''))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`|[\]@#]|^&gt;|:(?=\/\/)/g, (mark) => `${GAP}${mark}${GAP}`);
}

/** A link, which only our own code may write: its label hides where it leads. */
export const linkTo = (url: string, label: string): Markup =>
  new Markup(`<${new URL(url).href.replaceAll('&', '&amp;').replaceAll('|', '%7C')}|${label}>`);

/** A text of any length as lines that are short enough to escape; only a word beyond the limit is shortened. */
export function markupLines(text: string): Markup[] {
  const lines: string[] = [];
  for (const word of oneLine(text).split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length === 0 || longer.length > MAX_VALUE_CHARACTERS) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => markup`${line}`);
}

/** A text as one line of limited length, for places without markup. */
export const plainLine = (text: string): string => shortened(oneLine(text));

/** Removes line breaks and other control characters, bidirectional overrides, and lone surrogates. */
function oneLine(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .trim();
  return line === '' ? '–' : line;
}

function shortened(text: string): string {
  if (text.length <= MAX_VALUE_CHARACTERS) return text;
  return `${text.slice(0, MAX_VALUE_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
