import { DataError } from '../../../platform/errors/data-error.ts';
import type { DatabaseConnection, LiveEnd, LiveQuery, TakeRows } from '../connection/connector.ts';

export interface LiveResult extends LiveEnd {
  /** A JSON array of arrays in the wire format. */
  rowsJson: string;
}

/** Returns all rows of a statement as one text of at most `maxBytes` (UTF-8); more throws RESULT_TOO_LARGE. */
export async function collectRows(
  connection: DatabaseConnection,
  sql: string,
  query: Omit<LiveQuery, 'batchBytes'>,
  maxBytes: number,
): Promise<LiveResult> {
  const rows: string[] = [];
  let bytes = 2;
  const end = await connection.query(sql, { ...query, batchBytes: maxBytes * BYTES_PER_TEXT_BYTE }, (batch) => {
    for (const row of batch) bytes += Buffer.byteLength(row) + 1;
    if (bytes > maxBytes) throw new DataError('RESULT_TOO_LARGE', `The result is larger than ${maxBytes} bytes.`);
    rows.push(...batch);
  });
  return { ...end, rowsJson: `[${rows.join(',')}]` };
}

/** A number of one digit takes up to eight bytes in the protocol. */
const BYTES_PER_TEXT_BYTE = 4;

/** Rethrows errors of the `take` callback unchanged, because they are not errors of the source. */
export async function rethrowingTakeErrors<T>(take: TakeRows, run: (take: TakeRows) => Promise<T>): Promise<T> {
  let thrown: { error: unknown } | undefined;
  try {
    return await run(async (rows) => {
      try {
        await take(rows);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    });
  } catch (error) {
    throw thrown ? thrown.error : error;
  }
}
