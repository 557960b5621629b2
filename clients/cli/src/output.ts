import { styleText } from 'node:util';

export interface Terminal {
  out(text: string): void;
  /** For people: progress, hints and errors. */
  note(text: string): void;
  readonly isJson: boolean;
  readonly isInteractive: boolean;
  readonly columns: number;
  paint(format: Parameters<typeof styleText>[0], text: string): string;
}

interface Streams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  stdin: NodeJS.ReadStream;
  env: Readonly<Record<string, string | undefined>>;
}

const NARROW = 40;
const WIDE = 120;

export function terminal({ stdout, stderr, stdin, env }: Streams, isJson: boolean): Terminal {
  const hasColor = !isJson && stdout.isTTY === true && env.NO_COLOR === undefined && env.TERM !== 'dumb';
  return {
    out: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    isJson,
    isInteractive: !isJson && stdin.isTTY === true && stdout.isTTY === true && env.CI === undefined,
    columns: Math.max(stdout.columns ?? WIDE, NARROW),
    paint: (format, text) => (hasColor ? styleText(format, text, { validateStream: false }) : text),
  };
}

// Control characters of names and values could move the cursor, or repaint what stands above.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export const printable = (value: unknown): string => textOf(value).replace(CONTROL, ' ');

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Two columns wide, as terminals draw them. */
const WIDE_CHARACTER =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const NO_WIDTH = /\p{Mn}|\u200d|\ufe0f/u;

const widthOf = (text: string): number =>
  [...text].reduce(
    (width, character) => width + (NO_WIDTH.test(character) ? 0 : WIDE_CHARACTER.test(character) ? 2 : 1),
    0,
  );

function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [kept, used] = ['', 0];
  for (const character of text) {
    used += widthOf(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

export interface Column {
  name: string;
  isNumber?: boolean;
}

const GAP = 2;
const SHORTEST = 6;

/** A table without lines, as wide as the terminal: the widest columns give way first. Numbers are never shortened. */
export function table(
  { columns: most, paint }: Pick<Terminal, 'columns' | 'paint'>,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
): string {
  const texts = rows.map((row) => columns.map((_, index) => printable(row[index])));
  const names = columns.map(({ name }) => printable(name));
  const widths = names.map((name, index) => Math.max(widthOf(name), ...texts.map((row) => widthOf(row[index]!))));
  const total = () => widths.reduce((sum, width) => sum + width, 0) + GAP * (widths.length - 1);
  while (total() > most) {
    const widest = widths.reduce<number>(
      (best, width, index) => (!columns[index]!.isNumber && (best < 0 || width > widths[best]!) ? index : best),
      -1,
    );
    if (widest < 0 || widths[widest]! <= SHORTEST) break;
    widths[widest] = Math.max(SHORTEST, widths[widest]! - Math.max(1, Math.min(total() - most, widths[widest]! >> 1)));
  }
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => {
        const text = columns[index]!.isNumber ? cell : shorten(cell, widths[index]!);
        const space = ' '.repeat(Math.max(widths[index]! - widthOf(text), 0));
        return columns[index]!.isNumber ? space + text : text + space;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  return [paint('bold', line(names)), ...texts.map(line)].join('\n');
}

/** Signs that differ without color too. */
export const SIGNS: Readonly<Record<string, [sign: string, color: 'green' | 'red' | 'yellow' | 'blue' | 'gray']>> = {
  succeeded: ['✓', 'green'],
  delivered: ['✓', 'green'],
  failed: ['✕', 'red'],
  running: ['●', 'blue'],
  delivering: ['●', 'blue'],
  queued: ['‖', 'yellow'],
  pending: ['‖', 'yellow'],
  retrying: ['‖', 'yellow'],
  waiting: ['‖', 'yellow'],
  cancelled: ['⊘', 'gray'],
  skipped: ['–', 'gray'],
};

export function statusText({ paint }: Pick<Terminal, 'paint'>, status: string): string {
  const [sign, color] = SIGNS[status] ?? ['?', 'gray'];
  return `${paint(color, sign)} ${printable(status)}`;
}

/** A number with its noun, such as `1 row` and `12,000 rows`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function bytes(count: number): string {
  const unit = ['B', 'KB', 'MB', 'GB', 'TB'];
  let power = count < 1000 ? 0 : Math.min(Math.floor(Math.log10(count) / 3), unit.length - 1);
  // What would round to 1000.0 KB is 1.0 MB.
  if (power > 0 && power < unit.length - 1 && count / 1000 ** power >= 999.95) power += 1;
  return `${(count / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${unit[power]}`;
}

const TIME = {
  ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
  ...({ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const),
};

/** The local time with its zone. */
export const localTime = (iso: string | null | undefined): string =>
  iso ? new Date(iso).toLocaleString('sv-SE', TIME) : '–';
