import type { DatabaseSync } from 'node:sqlite';
import { AwsError } from '../../core/aws-error.ts';

export interface StoredEvent {
  id: number;
  streamName: string;
  timestamp: number;
  ingestedAt: number;
  message: string;
}

/** A position between events, in order of their timestamps. */
export interface Position {
  timestamp: number;
  id: number;
}

export interface Range {
  groupId: number;
  /** All streams of the group when absent. */
  streamIds?: number[];
  /** Inclusive, epoch milliseconds. */
  from: number;
  /** Exclusive. */
  to: number;
}

/** Reads up to `limit` events of a range next to a position, oldest first. */
export function readEvents(
  database: DatabaseSync,
  range: Range,
  { after, before, limit }: { after?: Position; before?: Position; limit: number },
): StoredEvent[] {
  const conditions = ['e.group_id = ?', 'e.timestamp >= ?', 'e.timestamp < ?'];
  const values: number[] = [range.groupId, range.from, range.to];
  if (range.streamIds) {
    conditions.push(`e.stream_id IN (${range.streamIds.map(() => '?').join(', ')})`);
    values.push(...range.streamIds);
  }
  const place = after ?? before;
  if (place) {
    conditions.push(`(e.timestamp, e.id) ${after ? '>' : '<'} (?, ?)`);
    values.push(place.timestamp, place.id);
  }
  const order = before ? 'DESC' : 'ASC';
  const rows = database
    .prepare(
      `SELECT e.id, s.name, e.timestamp, e.ingested_at, e.message FROM log_events e JOIN log_streams s ON s.id = e.stream_id
       WHERE ${conditions.join(' AND ')} ORDER BY e.timestamp ${order}, e.id ${order} LIMIT ?`,
    )
    .all(...values, limit);
  const events = rows.map((row) => ({
    id: row.id as number,
    streamName: row.name as string,
    timestamp: row.timestamp as number,
    ingestedAt: row.ingested_at as number,
    message: row.message as string,
  }));
  return before ? events.reverse() : events;
}

/** `f/<timestamp>/<id>`: events after that position; `b/…`: events before it. */
export function token(direction: 'f' | 'b', { timestamp, id }: Position): string {
  return `${direction}/${timestamp}/${id}`;
}

/** Throws `InvalidParameterException` for a token that this service did not issue. */
export function parseToken(text: string): { direction: 'f' | 'b'; position: Position } {
  const parts = /^([fb])\/(\d+)\/(\d+)$/.exec(text);
  if (!parts) throw new AwsError('InvalidParameterException', 'The specified nextToken is invalid.');
  return { direction: parts[1] as 'f' | 'b', position: { timestamp: Number(parts[2]), id: Number(parts[3]) } };
}
