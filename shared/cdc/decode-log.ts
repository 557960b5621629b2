import { type Pgoutput, PgoutputPlugin } from 'pg-logical-replication';
import type { LogEvent, Relation, Tuple } from './change-reader.ts';
import { lsnOf } from './lsn.ts';

/** The settings by which the source's plugin writes what is decoded here. */
export const PLUGIN_OPTIONS = { protoVersion: 1, messages: true } as const;

/**
 * Leaves values as the source writes them: the engine reads them, and loses neither digits nor microseconds. Set as soon as a
 * table is described, because rows that arrive with the description are read before anybody hears of it.
 */
export class TextPlugin extends PgoutputPlugin {
  constructor(publicationNames: string[]) {
    super({ ...PLUGIN_OPTIONS, publicationNames });
  }

  override parse(buffer: Buffer): Pgoutput.Message {
    const message = super.parse(buffer);
    if (message.tag === 'relation') for (const column of message.columns) column.parser = (text: string) => text;
    return message;
  }
}

/** Turns the messages of `pgoutput` into events; it remembers the tables that were described. */
export class LogDecoder {
  readonly #plugin = new TextPlugin([]);
  readonly #relations = new Map<number, Relation>();

  /** Undefined for what is no event here, such as a heartbeat. */
  decode(message: Buffer): LogEvent | undefined {
    return this.event(this.#plugin.parse(message));
  }

  event(message: Pgoutput.Message): LogEvent | undefined {
    switch (message.tag) {
      case 'begin':
        return {
          kind: 'begin',
          xid: message.xid >>> 0,
          commitLsn: lsnOf(message.commitLsn!),
          committedAt: instantOf(message.commitTime as bigint),
        };
      case 'relation':
        return { kind: 'relation', relation: this.#describe(message) };
      case 'insert': {
        const relation = this.#relationOf(message.relation);
        return { kind: 'insert', relation, row: tuple(relation, message.new) };
      }
      case 'update': {
        const relation = this.#relationOf(message.relation);
        const old = message.key ?? message.old;
        return { kind: 'update', relation, old: old && tuple(relation, old), row: tuple(relation, message.new) };
      }
      case 'delete': {
        const relation = this.#relationOf(message.relation);
        return { kind: 'delete', relation, old: tuple(relation, message.key ?? message.old ?? {}) };
      }
      case 'truncate':
        return { kind: 'truncate', relations: message.relations.map((relation) => this.#relationOf(relation)) };
      case 'commit':
        return { kind: 'commit', endLsn: lsnOf(message.commitEndLsn!) };
      default:
        return undefined;
    }
  }

  #describe(message: Pgoutput.MessageRelation): Relation {
    const relation = {
      oid: message.relationOid >>> 0,
      name: `${message.schema}.${message.name}`,
      columns: message.columns.map(({ name, typeOid, typeMod }) => ({ name, oid: typeOid >>> 0, modifier: typeMod })),
    };
    this.#relations.set(relation.oid, relation);
    return relation;
  }

  #relationOf(message: Pgoutput.MessageRelation): Relation {
    return this.#relations.get(message.relationOid >>> 0) ?? this.#describe(message);
  }
}

const tuple = ({ columns }: Relation, values: Record<string, unknown>): Tuple =>
  columns.map(({ name }) => values[name] as string | null | undefined);

/** To the microsecond: `2026-11-21T10:15:30.123456Z`. */
function instantOf(micros: bigint): string {
  const seconds = new Date(Number(micros / 1000n)).toISOString().slice(0, -5);
  return `${seconds}.${String(micros % 1_000_000n).padStart(6, '0')}Z`;
}
