import { readFile } from 'node:fs/promises';
import { zstdDecompressSync } from 'node:zlib';
import { type DataType, Type, tableFromIPC } from 'apache-arrow';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { exactJson, NumberText, type Truth } from './compare.ts';

/** The rows of a Parquet file by a reader that shares nothing with the platform; undefined for what it cannot show. */
export async function byHyparquet(path: string): Promise<(Truth | undefined)[][]> {
  const rows = await parquetReadObjects({
    file: await asyncBufferFromFile(path),
    compressors: { ZSTD: (input) => new Uint8Array(zstdDecompressSync(input)) },
    utf8: false,
    parsers: {
      timestampFromMicroseconds: (micros: bigint) => instantText(micros),
      dateFromDays: (days: number) => instantText(BigInt(days) * 86_400_000_000n).slice(0, -17),
      jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && new JsonText(textOf(bytes)),
      stringFromBytes: (bytes: Uint8Array | undefined) => bytes && textOf(bytes),
    } as never,
  });
  return rows.map((row) => Object.values(row).map(shown));
}

class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

function shown(value: unknown): Truth {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return new NumberText(String(value));
  if (typeof value === 'number') return Number.isFinite(value) ? new NumberText(String(value)) : null;
  if (value instanceof JsonText) return exactJson(value.text);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shown(each)]));
  return value as string | boolean;
}

/** ISO 8601 with microseconds; the year before 1 is 0. */
function instantText(micros: bigint): string {
  const ms = micros >= 0n ? micros / 1000n : -((-micros + 999n) / 1000n);
  const date = new Date(Number(ms));
  if (Number.isNaN(date.getTime())) return 'out of range';
  const year = date.getUTCFullYear();
  const text = `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`;
  const iso = date.toISOString();
  return `${text}${iso.slice(iso.indexOf('-', 1), -5)}.${String(ms - (ms / 1000n) * 1000n < 0n ? 1000n + (ms % 1000n) : ms % 1000n).padStart(3, '0')}${String(micros - ms * 1000n).padStart(3, '0')}Z`;
}

const PLAIN = new Set([Type.Utf8, Type.Bool, Type.Int, Type.Float]);

/** The plain columns of an Arrow stream by Apache's library; undefined for others. */
export async function byApacheArrow(path: string): Promise<(Truth | undefined)[][]> {
  const table = tableFromIPC(await readFile(path));
  const columns = table.schema.fields.map((field, i) => ({
    isPlain: PLAIN.has((field.type as DataType).typeId),
    values: table.getChildAt(i)!,
  }));
  return Array.from({ length: table.numRows }, (_, row) =>
    columns.map(({ isPlain, values }) => {
      if (!isPlain) return undefined;
      const value = shown(values.get(row));
      // This reader drops a byte order mark that begins a text.
      return value === 'mark' ? undefined : value;
    }),
  );
}
