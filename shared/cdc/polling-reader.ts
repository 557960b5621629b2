import Cursor from 'pg-cursor';
import type { PostgresSource } from '../sources/postgres-connection.ts';
import type { ChangeReader, LogEvent } from './change-reader.ts';
import { LogDecoder, PLUGIN_OPTIONS } from './decode-log.ts';
import { confirm, flushedLsn } from './slot.ts';

/** At least so many changes in one look; a look ends with a commit, whatever the transaction's size. */
const CHANGES_AT_ONCE = 50_000;
const ROWS_AT_ONCE = 2_000;

const AS_TEXT = { getTypeParser: () => (value: string) => value } as never;
const PEEK = `SELECT data FROM pg_logical_slot_peek_binary_changes($1, NULL, $2, 'proto_version', '${PLUGIN_OPTIONS.protoVersion}',
  'publication_names', $3, 'messages', '${PLUGIN_OPTIONS.messages}')`;

/**
 * Looks into a slot by SQL: it needs no more than an ordinary connection, and nobody who waits. What was seen stays in the slot
 * until it is confirmed.
 */
export function pollingReader(source: PostgresSource, slotName: string): ChangeReader {
  return {
    async *read(): AsyncGenerator<LogEvent> {
      const decoder = new LogDecoder();
      for (;;) {
        const upTo = await flushedLsn(source);
        const cursor = source.client.query(
          new Cursor(PEEK, [slotName, CHANGES_AT_ONCE, slotName], { rowMode: 'array', types: AS_TEXT }),
        );
        let seen = 0;
        try {
          for (;;) {
            const rows = await source.bounded(() => cursor.read(ROWS_AT_ONCE));
            seen += rows.length;
            for (const [data] of rows) {
              const event = decoder.decode(Buffer.from(data!.slice(2), 'hex'));
              if (event) yield event;
            }
            if (rows.length < ROWS_AT_ONCE) break;
          }
        } finally {
          if (source.usable) await cursor.close();
        }
        // When less came than could have, everything before `upTo` was in it.
        const isAll = seen < CHANGES_AT_ONCE;
        yield { kind: 'idle', lsn: isAll ? upTo : null };
        if (isAll) return;
      }
    },
    confirm: (lsn) => confirm(source, slotName, lsn),
    close: () => source.close(),
  };
}
