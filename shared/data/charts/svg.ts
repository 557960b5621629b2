/** Writes SVG by hand, for what is no chart of Vega: numbers and tables. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The text without the control characters and halves of characters that XML has no way to write. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').toWellFormed();
}

/** Text for an element or an attribute. */
export const escapeXml = (text: string): string =>
  printable(text).replace(/[&<>"']/g, (character) => ESCAPES[character]!);

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element; its children are SVG already, or text made safe by `escapeXml`. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(typeof value === 'number' ? rounded(value) : value)}"`],
  );
  return `<${name}${written.join('')}>${children.join('')}</${name}>`;
}

const rounded = (value: number): string => String(Math.round(value * 100) / 100);

export function svgDocument(
  { width, height, description }: { width: number; height: number; description?: string | undefined },
  ...children: string[]
): string {
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${rounded(width)} ${rounded(height)}`,
      role: 'img',
      'aria-label': description,
    },
    ...children,
  );
}

/** The text, cut to about the width; letters are taken as wide as those of a common font. */
export function fitted(text: string, width: number, fontSize: number): string {
  const letters = Math.max(1, Math.floor(width / (fontSize * 0.56)));
  const characters = [...text];
  return characters.length <= letters ? text : `${characters.slice(0, Math.max(1, letters - 1)).join('')}…`;
}

/** The words in lines of about the width. */
export function wrapped(text: string, width: number, fontSize: number): string[] {
  const letters = Math.max(8, Math.floor(width / (fontSize * 0.56)));
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters) lines.push(`${lines.pop()} ${word}`);
    else lines.push(fitted(word, width, fontSize));
  }
  return lines;
}
