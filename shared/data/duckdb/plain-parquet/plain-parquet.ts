import { type FileHandle, open } from 'node:fs/promises';
import { PlainColumn } from './plain-column.ts';
import { ThriftStruct } from './thrift.ts';

/** How the values of a column are stored, and as what DuckDB reads them. */
export interface PlainType {
  physical: 'INT32' | 'INT64' | 'DOUBLE' | 'BYTE_ARRAY' | 'FIXED_16';
  /** Without it, integers, doubles and bytes are read as such. */
  as?: 'text' | 'date' | 'time' | 'timestamp' | 'timestamptz' | 'uuid' | { precision: number; scale: number };
}

const PHYSICAL = { INT32: 1, INT64: 2, DOUBLE: 5, BYTE_ARRAY: 6, FIXED_16: 7 } as const;
const [OPTIONAL, PLAIN, RLE, UNCOMPRESSED, DATA_PAGE] = [1, 0, 3, 0, 0];
const MAGIC = Buffer.from('PAR1');

interface Chunk {
  offset: number;
  size: number;
  rows: number;
}

/**
 * Writes columns of plain values as a Parquet file without compression, statistics and dictionaries: the form in which
 * DuckDB reads rows from a file with the least work. Columns are named `c0`, `c1`, ….
 */
export class PlainParquet {
  readonly columns: readonly PlainColumn[];
  readonly #types: readonly PlainType[];
  readonly #file: FileHandle;
  readonly #groups: Chunk[][] = [];
  #written = 0;

  private constructor(types: readonly PlainType[], file: FileHandle) {
    this.columns = types.map(() => new PlainColumn());
    this.#types = types;
    this.#file = file;
  }

  static async create(path: string, types: readonly PlainType[]): Promise<PlainParquet> {
    const created = new PlainParquet(types, await open(path, 'w'));
    await created.#write([MAGIC]);
    return created;
  }

  /** Writes the rows that the columns hold as a row group, and empties the columns. */
  async flush(): Promise<void> {
    const rows = this.columns[0]!.rows;
    if (rows === 0) return;
    const group: Chunk[] = [];
    const parts: Uint8Array[] = [];
    let offset = this.#written;
    for (const column of this.columns) {
      const [levels, values] = [column.levels(), column.values()];
      const header = pageHeader(rows, levels.length + values.length);
      const size = header.length + levels.length + values.length;
      parts.push(header, levels, values);
      group.push({ offset, size, rows });
      offset += size;
    }
    await this.#write(parts);
    this.#groups.push(group);
    for (const column of this.columns) column.clear();
  }

  /** Writes what is left and closes the file. */
  async end(): Promise<void> {
    await this.flush();
    const footer = this.#footer();
    const length = Buffer.alloc(4);
    length.writeUInt32LE(footer.length);
    await this.#write([footer, length, MAGIC]);
    await this.close();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #write(parts: readonly Uint8Array[]): Promise<void> {
    await this.#file.writeFile(parts);
    for (const part of parts) this.#written += part.length;
  }

  #footer(): Buffer {
    const rows = this.#groups.reduce((sum, [first]) => sum + first!.rows, 0);
    const footer = new ThriftStruct()
      .int32(1, 1)
      .structs(2, [undefined, ...this.#types.keys()], (element, column) => {
        if (column === undefined) element.text(4, 'rows').int32(5, this.#types.length);
        else writeType(element, `c${column}`, this.#types[column]!);
      })
      .int64(3, rows)
      .structs(4, this.#groups, (struct, group) => this.#writeGroup(struct, group));
    return footer.end();
  }

  #writeGroup(struct: ThriftStruct, group: readonly Chunk[]): void {
    const size = group.reduce((sum, chunk) => sum + chunk.size, 0);
    struct
      .structs(1, [...group.entries()], (column, [i, chunk]) =>
        column.int64(2, chunk.offset).struct(3, (details) =>
          details
            .int32(1, PHYSICAL[this.#types[i]!.physical])
            .int32s(2, [PLAIN, RLE])
            .texts(3, [`c${i}`])
            .int32(4, UNCOMPRESSED)
            .int64(5, chunk.rows)
            .int64(6, chunk.size)
            .int64(7, chunk.size)
            .int64(9, chunk.offset),
        ),
      )
      .int64(2, size)
      .int64(3, group[0]!.rows);
  }
}

const pageHeader = (rows: number, size: number) =>
  new ThriftStruct()
    .int32(1, DATA_PAGE)
    .int32(2, size)
    .int32(3, size)
    .struct(5, (page) => page.int32(1, rows).int32(2, PLAIN).int32(3, RLE).int32(4, RLE))
    .end();

const CONVERTED = { text: 0, decimal: 5, date: 6, time: 8, timestamp: 10, timestamptz: 10 } as const;
const LOGICAL = { timestamp: 8, uuid: 14 } as const;
const MICROSECONDS = 2;

function writeType(element: ThriftStruct, name: string, { physical, as }: PlainType): void {
  element.int32(1, PHYSICAL[physical]);
  if (physical === 'FIXED_16') element.int32(2, 16);
  element.int32(3, OPTIONAL).text(4, name);
  if (typeof as === 'object') element.int32(6, CONVERTED.decimal).int32(7, as.scale).int32(8, as.precision);
  else if (as === 'uuid') element.struct(10, (type) => type.struct(LOGICAL.uuid, () => {}));
  else if (as) element.int32(6, CONVERTED[as]);
  // Without it, readers take every timestamp for an instant.
  if (as === 'timestamp' || as === 'timestamptz') {
    element.struct(10, (type) =>
      type.struct(LOGICAL.timestamp, (moment) =>
        moment.boolean(1, as === 'timestamptz').struct(2, (unit) => unit.struct(MICROSECONDS, () => {})),
      ),
    );
  }
}
