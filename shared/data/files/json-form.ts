import { open } from 'node:fs/promises';

/**
 * What a text that begins as JSON seems to be: a list of objects, an object in each of several lines, an object in the
 * only line, one object over several lines, or other values.
 */
export type JsonForm = 'list' | 'lines' | 'line' | 'object' | 'values';

const HEAD_BYTES = 64 * 1024;

export interface JsonHead {
  form: JsonForm;
  /** Whether it is a collection of features, as programs for maps write it. */
  isGeoJson: boolean;
}

/** What the beginning of a UTF-8 file shows; undefined if it is no JSON. */
export async function jsonHead(path: string): Promise<JsonHead | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.toString('utf8', 0, bytesRead);
    const form = jsonFormOf(head, bytesRead < HEAD_BYTES);
    return form && { form, isGeoJson: /^\s*\{/.test(head) && /"type"\s*:\s*"FeatureCollection"/.test(head) };
  } finally {
    await file.close();
  }
}

/** A delimited text may begin like JSON: `{"a":1};x` and `[1],[2]` are none. */
export function jsonFormOf(head: string, isWhole: boolean): JsonForm | undefined {
  const text = head.trimStart();
  if (!/^(?:\{\s*["}]|\[)/.test(text)) return undefined;
  const first = readValue(text, isWhole);
  if (first === undefined) return undefined;
  if (text.startsWith('[')) {
    const isOfObjects = /^\[\s*[{\]]/.test(text);
    return first.isCut || endsLine(text, first.end) ? (isOfObjects ? 'list' : 'values') : undefined;
  }
  if (first.isCut || /[\r\n]/.test(text.slice(0, first.end))) return 'object';
  if (!endsLine(text, first.end)) return undefined;
  const rest = text.slice(first.end).trimStart();
  if (rest === '' && isWhole) return 'line';
  return rest === '' || rest.startsWith('{') ? 'lines' : undefined;
}

const endsLine = (text: string, end: number) => /^[^\S\r\n]*(?:[\r\n]|$)/.test(text.slice(end, end + 1024));

const TOKEN = /"(?:[^"\\\r\n]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*|true|false|null|\s+/y;
const MAX_CUT_LITERAL = 32;

/** Where the first value ends, or that the text does; undefined if something in it is no JSON. */
function readValue(text: string, isWhole: boolean): { end: number; isCut: boolean } | undefined {
  let [at, depth] = [0, 0];
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return !isWhole && isCutOff(text.slice(at)) ? { end: at, isCut: true } : undefined;
    at += token.length;
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 0) return { end: at, isCut: false };
  }
  return { end: at, isCut: true };
}

const isCutOff = (rest: string) => /^"(?:[^"\\\r\n]|\\.)*\\?$/.test(rest) || rest.length < MAX_CUT_LITERAL;
