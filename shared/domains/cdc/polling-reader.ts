import type { PostgresSource } from '../../data/connectors/postgres/connection.ts';
import { fetchRows } from '../../data/connectors/postgres/cursor.ts';
import type { ChangeReader, LogEvent } from './change-reader.ts';
import { LogDecoder, PLUGIN_OPTIONS } from './decode-log.ts';
import { confirm, flushedLsn } from './slot.ts';

/** At least so many changes in one look; a look ends with a commit, whatever the transaction's size. */
const CHANGES_AT_ONCE = 50_000;

const PEEK = `SELECT data FROM pg_logical_slot_peek_binary_changes($1::text::name, NULL, $2::int, 'proto_version', '${PLUGIN_OPTIONS.proto_version}',
  'publication_names', $1::text, 'messages', '${PLUGIN_OPTIONS.messages}')`;

/**
 * Looks into a slot by SQL: it needs no more than an ordinary connection, and nobody who waits. What was seen stays in the slot
 * until it is confirmed.
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
      // When less came than could have, everything before `upTo` was in it.
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
    // A source that is gone has no transaction left to end.
    await source.query('ROLLBACK').catch(() => {});
  }
}
