const [BYTE_BITS, LOW_BITS] = [0x80, 0x7f];
const [TRUE, FALSE, INT32, INT64, BINARY, LIST, STRUCT] = [1, 2, 5, 6, 8, 9, 12];

/** Writes structures in Thrift's compact protocol, in which Parquet describes its pages and columns. */
export class ThriftStruct {
  readonly #bytes: number[];
  #lastField = 0;

  constructor(bytes: number[] = []) {
    this.#bytes = bytes;
  }

  int32(field: number, value: number): this {
    this.#header(field, INT32);
    this.#integer(value);
    return this;
  }

  int64(field: number, value: number): this {
    this.#header(field, INT64);
    this.#integer(value);
    return this;
  }

  boolean(field: number, value: boolean): this {
    this.#header(field, value ? TRUE : FALSE);
    return this;
  }

  text(field: number, value: string): this {
    this.#header(field, BINARY);
    this.#text(value);
    return this;
  }

  struct(field: number, write: (struct: ThriftStruct) => void): this {
    this.#header(field, STRUCT);
    this.#struct(write);
    return this;
  }

  structs<T>(field: number, items: readonly T[], write: (struct: ThriftStruct, item: T) => void): this {
    this.#list(field, STRUCT, items.length);
    for (const item of items) this.#struct((struct) => write(struct, item));
    return this;
  }

  int32s(field: number, items: readonly number[]): this {
    this.#list(field, INT32, items.length);
    for (const item of items) this.#integer(item);
    return this;
  }

  texts(field: number, items: readonly string[]): this {
    this.#list(field, BINARY, items.length);
    for (const item of items) this.#text(item);
    return this;
  }

  /** The bytes of the outermost structure. */
  end(): Buffer {
    this.#bytes.push(0);
    return Buffer.from(this.#bytes);
  }

  #struct(write: (struct: ThriftStruct) => void): void {
    write(new ThriftStruct(this.#bytes));
    this.#bytes.push(0);
  }

  #list(field: number, type: number, length: number): void {
    this.#header(field, LIST);
    if (length < 15) this.#bytes.push((length << 4) | type);
    else {
      this.#bytes.push(0xf0 | type);
      this.#unsigned(length);
    }
  }

  /** Fields are written in ascending order, each less than 16 after the one before. */
  #header(field: number, type: number): void {
    this.#bytes.push(((field - this.#lastField) << 4) | type);
    this.#lastField = field;
  }

  #text(value: string): void {
    const bytes = Buffer.from(value);
    this.#unsigned(bytes.length);
    this.#bytes.push(...bytes);
  }

  /** No number of a Parquet file that we write is negative. */
  #integer(value: number): void {
    this.#unsigned(value * 2);
  }

  #unsigned(value: number): void {
    let rest = value;
    for (; rest >= BYTE_BITS; rest = Math.floor(rest / BYTE_BITS)) this.#bytes.push((rest % BYTE_BITS) | BYTE_BITS);
    this.#bytes.push(rest & LOW_BITS);
  }
}

/** A number in the variable length of Thrift, which Parquet also uses for runs of levels. */
export function variableLength(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= BYTE_BITS; rest = Math.floor(rest / BYTE_BITS)) bytes.push((rest % BYTE_BITS) | BYTE_BITS);
  bytes.push(rest);
  return bytes;
}
