import { type Column, type ColumnType, readColumnType } from '../duckdb/column-types.ts';
import type { SandboxSettings } from './messages.ts';
import { MAX_LINE_CHARACTERS, MAX_LINES, MAX_LINES_CHARACTERS } from './received.ts';

/**
 * The script that runs in the sandbox before the author's code: a console that collects its lines, a fixed clock and a
 * repeatable `Math.random`. It evaluates to a function that takes the author's function and returns the functions that
 * the host calls.
 */
export function prelude({ context, inputColumns, outputColumns, seed, nowMs }: Omit<SandboxSettings, 'code'>): string {
  return `(() => {
  const { parse, stringify } = JSON, { isArray } = Array, text = String;
  let lines = [], written = 0, characters = 0;
  const shown = (value) => (typeof value === 'string' ? value : value instanceof Error ? text(value) : stringify(value) ?? text(value));
  const writer = (level) => (...values) => {
    if (written > ${MAX_LINES} || characters > ${MAX_LINES_CHARACTERS}) return;
    const line = values.map(shown).join(' ').slice(0, ${MAX_LINE_CHARACTERS});
    written += 1;
    characters += line.length;
    lines.push([level, line]);
  };
  const info = writer('info');
  globalThis.console = { log: info, info, debug: info, warn: writer('warn'), error: writer('error') };

  ${randomness(seed)}
  ${standingClock(nowMs)}
  BigInt.prototype.toJSON = function () { return text(this); };
  for (const name of ['SharedArrayBuffer', 'WeakRef', 'FinalizationRegistry']) delete globalThis[name];

  const context = ${JSON.stringify(context)};
  const special = { nan: NaN, inf: Infinity, '-inf': -Infinity };
  const double = (value) => (typeof value === 'string' ? special[value] : value);
  const number = (value) => (typeof value === 'number' && !(value - value === 0) ? text(value) : value);
  const json = (value) => (value === undefined || value === null ? null : stringify(value));
  const list = (value, each) => (isArray(value) ? value.map((item) => each(item)) : value);
  const struct = (value, made) => (isRow(value) ? made(value) : value);
  const toRow = (c) => ({ ${inputColumns.map(member).join(', ')} });
  const toCells = (row) => [${outputColumns.map(cell).join(', ')}];
  const isRow = (row) => typeof row === 'object' && row !== null && !isArray(row);

  return (transform) => ({
    run(batch) {
      const result = transform(parse(batch).map(toRow), context);
      if (!isArray(result)) throw new TypeError('the function must return an array of rows, not ' + kindOf(result));
      const cells = [];
      for (let i = 0; i < result.length; i++) {
        if (!isRow(result[i])) throw new TypeError('row ' + (i + 1) + ' of the answer is not an object');
        cells.push(toCells(result[i]));
      }
      return stringify(cells);
    },
    lines() {
      const taken = stringify(lines);
      lines = [];
      return taken;
    },
  });
  function kindOf(value) {
    return value instanceof Promise ? 'a promise' : value === null ? 'null' : typeof value;
  }
})()`;
}

/** A member of a row. A computed name is safe for any name, such as `__proto__`. */
function member({ name, type }: Column, index: number): string {
  return `[${JSON.stringify(name)}]: ${doublesBy('double', `c[${index}]`, readColumnType(type))}`;
}

function cell({ name, type }: Column): string {
  const value = `row[${JSON.stringify(name)}]`;
  return type === 'json' ? `json(${value})` : doublesBy('number', value, readColumnType(type));
}

/**
 * JavaScript that converts all doubles of a value, also nested ones, with the function `convert`; the value itself if
 * it has none.
 */
function doublesBy(convert: string, value: string, type: ColumnType): string {
  if (type.kind === 'scalar') return type.name === 'double' ? `${convert}(${value})` : value;
  if (type.kind === 'list') {
    const item = doublesBy(convert, 'v', type.item);
    return item === 'v' ? value : `list(${value}, (v) => ${item})`;
  }
  const changed = type.fields.flatMap((field) => {
    const name = JSON.stringify(field.name);
    const given = `v[${name}]`;
    const made = doublesBy(convert, given, field.type);
    return made === given ? [] : `[${name}]: ${made}`;
  });
  return changed.length === 0 ? value : `struct(${value}, (v) => ({ ...v, ${changed.join(', ')} }))`;
}

/** sfc32, a small random generator of good quality, seeded with the characters of a text. */
function randomness(seed: string): string {
  return `{
    let a = 0x9e3779b9, b = 0x243f6a88, c = 0xb7e15162, d = 1;
    const next = () => {
      const t = (a + b + d) | 0;
      d = (d + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = ((c << 21) | (c >>> 11)) + t | 0;
      return (t >>> 0) / 4294967296;
    };
    for (const character of ${JSON.stringify(seed)}) { a ^= character.codePointAt(0); next(); }
    for (let i = 0; i < 12; i++) next();
    Math.random = next;
  }`;
}

function standingClock(nowMs: number): string {
  return `{
    const RealDate = Date;
    const now = () => ${nowMs};
    RealDate.now = now;
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, values, made) => Reflect.construct(target, values.length === 0 ? [${nowMs}] : values, made),
      apply: () => new RealDate(${nowMs}).toString(),
    });
    RealDate.prototype.constructor = globalThis.Date;
  }`;
}
