import type { LogEvent, Relation, Tuple } from './change-reader.ts';
import type { Lsn } from './lsn.ts';
import type { ShapeColumn } from './table-shape.ts';

/** The options of the plugin `pgoutput` for the format that is decoded here. */
export const PLUGIN_OPTIONS = { proto_version: '1', messages: 'true' } as const;

const [BEGIN, COMMIT, RELATION, INSERT, UPDATE, DELETE, TRUNCATE] = [...'BCRIUDT'].map((tag) => tag.charCodeAt(0));
const [KEY, OLD, NULL, UNCHANGED, TEXT] = [...'KOnut'].map((kind) => kind.charCodeAt(0));

/** Microseconds from 1970 to 2000, where the time of Postgres begins. */
const POSTGRES_EPOCH = 946_684_800_000_000n;

/**
 * Decodes the messages of `pgoutput` into events; caches the tables that the log has described. Values stay texts as
 * the source writes them, so the engine reads every digit and microsecond. Throws RangeError for malformed messages.
 */
export class LogDecoder {
  readonly #relations = new Map<number, Relation>();
  #buffer: Buffer = Buffer.alloc(0);
  #at = 0;

  /** Decodes the message that begins at `start`; undefined for a message without an event, such as a heartbeat. */
  decode(buffer: Buffer, start = 0): LogEvent | undefined {
    this.#buffer = buffer;
    this.#at = start;
    switch (this.#byte()) {
      case INSERT: {
        const relation = this.#relation();
        this.#at += 1;
        return { kind: 'insert', relation, row: this.#tuple(relation) };
      }
      case UPDATE:
        return this.#update();
      case DELETE: {
        const relation = this.#relation();
        this.#at += 1;
        return { kind: 'delete', relation, old: this.#tuple(relation) };
      }
      case BEGIN:
        return { kind: 'begin', commitLsn: this.#lsn(), committedAt: this.#instant(), xid: this.#int32() >>> 0 };
      case COMMIT:
        this.#at += 9;
        return { kind: 'commit', endLsn: this.#lsn() };
      case RELATION:
        return { kind: 'relation', relation: this.#describe() };
      case TRUNCATE: {
        const count = this.#int32();
        this.#at += 1;
        return { kind: 'truncate', relations: Array.from({ length: count }, () => this.#relation()) };
      }
      default:
        return undefined;
    }
  }

  #update(): LogEvent {
    const relation = this.#relation();
    const kind = this.#byte();
    if (kind !== KEY && kind !== OLD) return { kind: 'update', relation, old: null, row: this.#tuple(relation) };
    const old = this.#tuple(relation);
    this.#at += 1;
    return { kind: 'update', relation, old, row: this.#tuple(relation, kind === OLD ? old : undefined) };
  }

  #describe(): Relation {
    const oid = this.#int32() >>> 0;
    const name = `${this.#string()}.${this.#string()}`;
    this.#at += 1;
    const columns = Array.from({ length: this.#int16() }, (): ShapeColumn => {
      this.#at += 1;
      return { name: this.#string(), oid: this.#int32() >>> 0, modifier: this.#int32() };
    });
    const relation = { oid, name, columns };
    this.#relations.set(oid, relation);
    return relation;
  }

  #relation(): Relation {
    const oid = this.#int32() >>> 0;
    const relation = this.#relations.get(oid);
    if (!relation) throw new RangeError(`The log has rows of the table ${oid}, which it has not described.`);
    return relation;
  }

  /** Unchanged values are taken from `before`, if the whole previous row is known. */
  #tuple({ columns }: Relation, before?: Tuple): Tuple {
    const count = this.#int16();
    if (count !== columns.length) throw new RangeError('The log has a row that is not as its table was described.');
    const tuple: Tuple = new Array(count);
    for (let i = 0; i < count; i += 1) {
      const kind = this.#byte();
      if (kind === TEXT) {
        const end = this.#int32() + this.#at;
        if (end > this.#buffer.length) throw new RangeError('The log has a value that does not end.');
        tuple[i] = this.#buffer.toString('utf8', this.#at, end);
        this.#at = end;
      } else if (kind === NULL) tuple[i] = null;
      else if (kind === UNCHANGED) tuple[i] = before?.[i];
      else throw new RangeError(`The log has a value of the unknown kind ${kind}.`);
    }
    return tuple;
  }

  #byte(): number {
    return this.#buffer.readUInt8(this.#at++);
  }

  #int16(): number {
    this.#at += 2;
    return this.#buffer.readInt16BE(this.#at - 2);
  }

  #int32(): number {
    this.#at += 4;
    return this.#buffer.readInt32BE(this.#at - 4);
  }

  #string(): string {
    const end = this.#buffer.indexOf(0, this.#at);
    if (end < 0) throw new RangeError('The log has a name that does not end.');
    const text = this.#buffer.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  #lsn(): Lsn {
    this.#at += 8;
    return lsnAt(this.#buffer, this.#at - 8);
  }

  /** To the microsecond: `2026-11-21T10:15:30.123456Z`. */
  #instant(): string {
    this.#at += 8;
    const micros = this.#buffer.readBigInt64BE(this.#at - 8) + POSTGRES_EPOCH;
    const seconds = new Date(Number(micros / 1000n)).toISOString().slice(0, -5);
    return `${seconds}.${String(micros % 1_000_000n).padStart(6, '0')}Z`;
  }
}

/** Reads a position from eight bytes. */
export function lsnAt(buffer: Buffer, at: number): Lsn {
  const digits = buffer.toString('hex', at, at + 8).toUpperCase();
  return `${digits.slice(0, 8)}/${digits.slice(8)}`;
}
