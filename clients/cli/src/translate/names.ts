const MAX_KEY = 63;

/** The key of a file: the name in small letters. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return slug.slice(0, MAX_KEY).replace(/-+$/, '') || 'untitled';
}

/** Gives each name once; those that are taken get a number. */
export class Names {
  readonly #taken = new Set<string>();
  readonly #maxLength: number;
  readonly #separator: string;

  constructor(maxLength = MAX_KEY, separator = '-') {
    this.#maxLength = maxLength;
    this.#separator = separator;
  }

  free(wanted: string): string {
    let name = wanted.slice(0, this.#maxLength);
    for (let number = 2; this.#taken.has(name.toLowerCase()); number += 1) {
      const end = `${this.#separator}${number}`;
      name = wanted.slice(0, this.#maxLength - end.length) + end;
    }
    this.#taken.add(name.toLowerCase());
    return name;
  }
}

/** A name as expressions write it: in quotes where it would not be read as one. */
export const quoted = (name: string): string => (/["[\]{}.\n\r]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
