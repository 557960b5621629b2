/** The parts of a name in brackets or braces, or where reading it stopped. */
export type NameRead = { parts: [string, string?]; to: number } | { stoppedAt: number };

/** Reads `[name]` or `[alias.name]`. Everything after the first point that is not quoted belongs to the name. */
export function readFieldName(text: string, from: number): NameRead {
  const first = readPart(text, from + 1, /[[\]{}".\r\n]/g);
  if (first.text === undefined) return { stoppedAt: first.to };
  if (text[first.to] !== '.') return closed(text, first.to, ']', [first.text]);
  const second = readPart(text, first.to + 1, /[[\]{}"\r\n]/g);
  if (second.text === undefined) return { stoppedAt: second.to };
  return closed(text, second.to, ']', [first.text, second.text]);
}

/** Reads `{name}`. */
export function readMeasureName(text: string, from: number): NameRead {
  const part = readPart(text, from + 1, /[[\]{}"\r\n]/g);
  return part.text === undefined ? { stoppedAt: part.to } : closed(text, part.to, '}', [part.text]);
}

/** The text of a reference to a field, which `readFieldName` reads as the same names. */
export function fieldReference(alias: string | undefined, name: string): string {
  const parts = alias === undefined ? [name] : [alias, name];
  return `[${parts.map((part) => quotedIf(part, /^\s|\s$|[[\]{}".\r\n]|^$/)).join('.')}]`;
}

export function measureReference(name: string): string {
  return `{${quotedIf(name, /^\s|\s$|[[\]{}"\r\n]|^$/)}}`;
}

const quotedIf = (name: string, special: RegExp) => (special.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

function closed(text: string, at: number, bracket: string, parts: [string, string?]): NameRead {
  return text[at] === bracket ? { parts, to: at + 1 } : { stoppedAt: at };
}

/** A quoted or a plain part with the white space around it. `text` is undefined for an empty or unclosed part. */
function readPart(text: string, from: number, ends: RegExp): { text: string | undefined; to: number } {
  const start = skipSpace(text, from);
  if (text[start] === '"') {
    const quoted = /"(?:[^"]|"")*"/y;
    quoted.lastIndex = start;
    const found = quoted.exec(text)?.[0];
    if (found === undefined) return { text: undefined, to: text.length };
    return { text: found.slice(1, -1).replaceAll('""', '"'), to: skipSpace(text, start + found.length) };
  }
  ends.lastIndex = start;
  const to = ends.exec(text)?.index ?? text.length;
  const plain = text.slice(start, to).trim();
  return { text: plain === '' ? undefined : plain, to };
}

function skipSpace(text: string, from: number): number {
  const space = /\s*/y;
  space.lastIndex = from;
  return from + (space.exec(text)?.[0].length ?? 0);
}
