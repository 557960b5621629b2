const MASK = '******';
const MIN_LENGTH = 4;
/** A secret that is truncated, as in long lines, is still found after this many characters. */
const HEAD_LENGTH = 16;

/**
 * Replaces secrets in texts for people. Secrets are also found in encoded forms: base64, URL-encoded, as a JSON string,
 * hexadecimal, in upper and lower case. A secret of several lines is found line by line.
 */
export function masker(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.flatMap((secret) => [secret, ...linesOf(secret)]).flatMap(formsOf));
  if (forms.size === 0) return (text) => text;
  const byHead = Map.groupBy([...forms].sort(longestFirst), headOf);
  const starts = new Set([...forms].map((form) => form.slice(0, MIN_LENGTH)));
  const lengths = [...new Set([...byHead.keys()].map((head) => head.length))];
  return (text) => {
    // A secret of many lines has thousands of forms, so only forms whose beginning occurs in the text are searched.
    const present = new Map<string, readonly string[]>();
    for (let at = 0; at + MIN_LENGTH <= text.length; at += 1) {
      if (!starts.has(text.slice(at, at + MIN_LENGTH))) continue;
      for (const length of lengths) {
        const head = text.slice(at, at + length);
        const alike = byHead.get(head);
        if (alike) present.set(head, alike);
      }
    }
    if (present.size === 0) return text;
    // The longest first, so that masking a form does not leave the remainder of a longer one.
    const found = [...present.values()].flat().sort(longestFirst);
    const masked = found.reduce((rest, form) => rest.replaceAll(form, MASK), text);
    return [...present]
      .filter(([head]) => head.length === HEAD_LENGTH)
      .sort(([, [one]], [, [other]]) => longestFirst(one!, other!))
      .reduce(withoutPart, masked);
  };
}

/** Texts to mask that become known one after the other. The masker is created on the next use, not with each text. */
export class HiddenTexts {
  readonly #texts: string[] = [];
  #masker: ((text: string) => string) | undefined;

  add(text: string): void {
    this.#texts.push(text);
    this.#masker = undefined;
  }

  mask(text: string): string {
    this.#masker ??= masker(this.#texts);
    return this.#masker(text);
  }
}

/** Masks the strings within a JSON text; the result is valid JSON. */
export function maskedJson(json: string, mask: (text: string) => string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (literal) => JSON.stringify(mask(JSON.parse(literal))));
}

const longestFirst = (one: string, other: string): number => other.length - one.length;

const headOf = (form: string): string => form.slice(0, HEAD_LENGTH);

function linesOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  return lines.length > 1 ? lines.filter((line) => line.length >= HEAD_LENGTH) : [];
}

/** Forms with a common beginning, of which a text may contain a part: masks the longest match. */
function withoutPart(text: string, [head, forms]: readonly [string, readonly string[]]): string {
  let masked = '';
  let copied = 0;
  for (let start = text.indexOf(head); start >= 0; start = text.indexOf(head, copied)) {
    masked += text.slice(copied, start) + MASK;
    copied = start + Math.max(...forms.map((form) => commonLength(text, start, form)));
  }
  return masked + text.slice(copied);
}

function commonLength(text: string, start: number, form: string): number {
  let length = HEAD_LENGTH;
  while (length < form.length && text[start + length] === form[length]) length += 1;
  return length;
}

function formsOf(secret: string): string[] {
  if (secret.length < MIN_LENGTH) return [];
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  return [
    secret,
    secret.toUpperCase(),
    secret.toLowerCase(),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    hex,
    hex.toUpperCase(),
  ].filter((form) => form.length >= MIN_LENGTH);
}
