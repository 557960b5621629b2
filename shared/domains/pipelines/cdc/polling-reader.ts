import type { PostgresSource } from '../../../data/connectors/postgres/connection.ts';
import { fetchRows } from '../../../data/connectors/postgres/cursor.ts';
import type { ChangeReader, LogEvent } from './change-reader.ts';
import { LogDecoder, PLUGIN_OPTIONS } from './decode-log.ts';
import { confirm, flushedLsn } from './slot.ts';

/** A read ends with the first commit after this many changes, whatever the size of the transaction. */
const CHANGES_AT_ONCE = 50_000;

const PEEK = `SELECT data FROM pg_logical_slot_peek_binary_changes($1::text::name, NULL, $2::int, 'proto_version', '${PLUGIN_OPTIONS.proto_version}',
  'publication_names', $1::text, 'messages', '${PLUGIN_OPTIONS.messages}')`;

/**
 * Reads a slot with SQL, which needs only an ordinary connection and no process that waits. The changes stay in the
 * slot until they are confirmed.
 */
export function pollingReader(source: PostgresSource, slotName: string): ChangeReader {
  return {
    async *read(): AsyncGenerator<LogEvent[]> {
      const upTo = await flushedLsn(source);
      let seen = 0;
      for await (const messages of peek(source, slotName)) {
        seen += messages.length;
        yield messages.filter((message) => message !== undefined);
      }
      // With fewer changes than the limit, everything before `upTo` was included.
      yield [{ kind: 'idle', lsn: seen < CHANGES_AT_ONCE ? upTo : null }];
    },
    confirm: (lsn) => confirm(source, slotName, lsn),
    close: () => source.close(),
  };
}

async function* peek(source: PostgresSource, slotName: string): AsyncGenerator<(LogEvent | undefined)[]> {
  const decoder = new LogDecoder();
  await source.query('BEGIN READ ONLY');
  try {
    for await (const { rows } of fetchRows(source, PEEK, [slotName, CHANGES_AT_ONCE])) {
      yield rows.map(([data]) => decoder.decode(Buffer.from(data!.slice(2), 'hex')));
    }
  } finally {
    // A lost connection has no transaction to end.
    await source.query('ROLLBACK').catch(() => {});
  }
}
