const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE_OF = new Map([...DIGITS].map((digit, value) => [digit, value]));

interface SourceMap {
  version: number;
  sources: string[];
  names: string[];
  /**
   * Lines are separated by `;`, positions by `,`; each field is the difference to the previous one
   * (https://tc39.es/ecma426).
   */
  mappings: string;
}

/**
 * Removes the lines of libraries from a source map. A function reads its map at startup, so that stack traces refer to
 * our files. Lines of libraries are nine tenths of the map and do not help to find an error.
 */
export function withoutLibraryLines<M extends SourceMap>(map: M): M {
  const sources = new Renumbered(map.sources);
  const names = new Renumbered(map.names);
  const read: Position = [0, 0, 0, 0, 0];
  const wrote: Position = [0, 0, 0, 0, 0];
  let mapped = false;
  const lines = map.mappings.split(';').map((line) => {
    read[0] = 0;
    wrote[0] = 0;
    const kept: string[] = [];
    for (const segment of line === '' ? [] : line.split(',')) {
      const fields = decode(segment);
      for (const [index, difference] of fields.entries()) read[index]! += difference;
      const own = fields.length > 1 && !map.sources[read[1]]!.includes('node_modules/');
      if (own) {
        const position: Position = [read[0], sources.of(read[1]), read[2], read[3], 0];
        if (fields.length > 4) position[4] = names.of(read[4]);
        kept.push(encode(position, wrote, fields.length));
      } else if (mapped) {
        // The line ends with code that is not ours.
        kept.push(encode([read[0], 0, 0, 0, 0], wrote, 1));
      }
      mapped = own;
    }
    return kept.join(',');
  });
  return { ...map, sources: sources.kept, names: names.kept, mappings: lines.join(';') };
}

/** Column in the bundle; source, line and column there; name. */
type Position = [number, number, number, number, number];

/** The used items of a list, renumbered in the order of their first use. */
class Renumbered {
  readonly kept: string[] = [];
  readonly #all: readonly string[];
  readonly #numbers = new Map<number, number>();

  constructor(all: readonly string[]) {
    this.#all = all;
  }

  of(old: number): number {
    const known = this.#numbers.get(old);
    if (known !== undefined) return known;
    this.#numbers.set(old, this.kept.length);
    this.kept.push(this.#all[old]!);
    return this.kept.length - 1;
  }
}

/**
 * Base64 VLQ: five bits per digit, lowest first; the sixth bit marks continuation, the lowest bit of the value is the
 * sign.
 */
function decode(segment: string): number[] {
  const fields: number[] = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = VALUE_OF.get(digit)!;
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    fields.push(value & 1 ? -(value >>> 1) : value >>> 1);
    [value, shift] = [0, 0];
  }
  return fields;
}

/** Encodes the first `count` fields of a position relative to the previous one, which it updates. */
function encode(position: Position, wrote: Position, count: number): string {
  let text = '';
  for (let index = 0; index < count; index += 1) {
    const difference = position[index]! - wrote[index]!;
    wrote[index] = position[index]!;
    let value = difference < 0 ? (-difference << 1) | 1 : difference << 1;
    do {
      const rest = value >>> 5;
      text += DIGITS[(value & 31) | (rest > 0 ? 32 : 0)];
      value = rest;
    } while (value > 0);
  }
  return text;
}
