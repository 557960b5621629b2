import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { MessageAttributes } from './message-attributes.ts';

/**
 * `receives` counts within the current queue and decides on redrive; `total_receives` counts across queues, as
 * `ApproximateReceiveCount` does. With `visible_at` in the future, a message is in flight if it was received here,
 * otherwise delayed. `echo` marks a second delivery by the fault switch.
 */
export const MESSAGES_SCHEMA = `
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    queue_id INTEGER NOT NULL REFERENCES queues (id) ON DELETE CASCADE,
    message_id TEXT NOT NULL,
    body TEXT NOT NULL,
    attributes TEXT,
    trace_header TEXT,
    group_id TEXT,
    deduplication_id TEXT,
    sent_at INTEGER NOT NULL,
    enqueued_at INTEGER NOT NULL,
    visible_at INTEGER NOT NULL,
    received_at INTEGER,
    first_received_at INTEGER,
    receives INTEGER NOT NULL DEFAULT 0,
    total_receives INTEGER NOT NULL DEFAULT 0,
    receipt TEXT,
    source_arn TEXT,
    echo INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue_id, visible_at, seq, group_id, receives);
  CREATE INDEX IF NOT EXISTS messages_in_order ON messages (queue_id, seq, visible_at, group_id);
  CREATE INDEX IF NOT EXISTS messages_by_age ON messages (queue_id, enqueued_at);
`;

export interface NewMessage {
  messageId: string;
  body: string;
  attributes: MessageAttributes;
  traceHeader?: string | undefined;
  groupId?: string | undefined;
  deduplicationId?: string | undefined;
  sentAt: number;
  /** Epoch milliseconds from which it can be received. */
  visibleAt: number;
}

export interface StoredMessage extends NewMessage {
  seq: number;
  queueId: number;
  receivedAt?: number;
  firstReceivedAt?: number;
  receives: number;
  totalReceives: number;
  receipt?: string;
  sourceArn?: string;
  echo: boolean;
}

/** A group of a standard queue yields to others from this number and share of messages in flight. */
const NOISY_GROUP = { messages: 30, share: 0.1 };

/** The messages of all queues, on disk. */
export class Messages {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Returns the position in the queue. */
  insert(queueId: number, message: NewMessage): number {
    const { lastInsertRowid } = this.#prepare(
      `INSERT INTO messages (queue_id, message_id, body, attributes, trace_header, group_id, deduplication_id, sent_at, enqueued_at, visible_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      queueId,
      message.messageId,
      message.body,
      Object.keys(message.attributes).length === 0 ? null : JSON.stringify(message.attributes),
      message.traceHeader ?? null,
      message.groupId ?? null,
      message.deduplicationId ?? null,
      message.sentAt,
      message.sentAt,
      message.visibleAt,
    );
    return Number(lastInsertRowid);
  }

  find(seq: number): StoredMessage | undefined {
    const row = this.#prepare('SELECT * FROM messages WHERE seq = ?').get(seq);
    return row && readRow(row);
  }

  /** Positions of receivable messages of a standard queue: quiet groups first. */
  visible(queueId: number, now: number, max: number): number[] {
    const noisy = this.#noisyGroups(queueId, now);
    const quiet = this.#prepare(
      `SELECT seq FROM messages INDEXED BY messages_by_visibility
       WHERE queue_id = ? AND visible_at <= ? AND (group_id IS NULL OR group_id NOT IN (SELECT value FROM json_each(?)))
       ORDER BY visible_at, seq LIMIT ?`,
    ).all(queueId, now, JSON.stringify(noisy), max);
    if (noisy.length === 0 || quiet.length === max) return quiet.map((row) => row.seq as number);
    const rest = this.#prepare(
      `SELECT seq FROM messages INDEXED BY messages_by_visibility
       WHERE queue_id = ? AND visible_at <= ? AND group_id IN (SELECT value FROM json_each(?))
       ORDER BY visible_at, seq LIMIT ?`,
    ).all(queueId, now, JSON.stringify(noisy), max - quiet.length);
    return [...quiet, ...rest].map((row) => row.seq as number);
  }

  /** The same for a FIFO queue: in order, without groups that have a message in flight. */
  visibleInOrder(queueId: number, now: number, max: number): number[] {
    return this.#prepare(
      `SELECT seq FROM messages INDEXED BY messages_in_order
       WHERE queue_id = ? AND visible_at <= ? AND group_id NOT IN (
         SELECT group_id FROM messages INDEXED BY messages_by_visibility WHERE queue_id = ? AND visible_at > ? AND receives > 0)
       ORDER BY seq LIMIT ?`,
    )
      .all(queueId, now, queueId, now, max)
      .map((row) => row.seq as number);
  }

  /** When the next hidden message becomes visible, in epoch milliseconds. */
  nextVisibleAt(queueId: number, now: number): number | undefined {
    const row = this.#prepare('SELECT min(visible_at) AS at FROM messages WHERE queue_id = ? AND visible_at > ?').get(
      queueId,
      now,
    );
    return (row?.at as number | null) ?? undefined;
  }

  receive(seq: number, receipt: string, now: number, visibleAt: number): void {
    this.#prepare(
      `UPDATE messages SET receives = receives + 1, total_receives = total_receives + 1, receipt = ?, received_at = ?,
       first_received_at = coalesce(first_received_at, ?), visible_at = ? WHERE seq = ?`,
    ).run(receipt, now, now, visibleAt, seq);
  }

  /** Adds a copy of the message and returns its position. */
  repeat(seq: number, now: number): number {
    const { lastInsertRowid } = this.#prepare(
      `INSERT INTO messages (queue_id, message_id, body, attributes, trace_header, group_id, sent_at, enqueued_at, visible_at, first_received_at, receives, total_receives, source_arn, echo)
       SELECT queue_id, message_id, body, attributes, trace_header, group_id, sent_at, enqueued_at, ?, first_received_at, receives, total_receives, source_arn, 1
       FROM messages WHERE seq = ?`,
    ).run(now, seq);
    return Number(lastInsertRowid);
  }

  setVisibility(seq: number, visibleAt: number): void {
    this.#prepare('UPDATE messages SET visible_at = ? WHERE seq = ?').run(visibleAt, seq);
  }

  delete(seq: number): void {
    this.#prepare('DELETE FROM messages WHERE seq = ?').run(seq);
  }

  /** Moves the message to a dead-letter queue, visible at once; in a FIFO queue its retention restarts. */
  moveToDeadLetters(seq: number, to: { id: number; fifo: boolean }, sourceArn: string, now: number): void {
    this.#prepare(
      `UPDATE messages SET queue_id = ?, receives = 0, receipt = NULL, visible_at = ?, source_arn = ?,
       enqueued_at = iif(?, ?, enqueued_at) WHERE seq = ?`,
    ).run(to.id, now, sourceArn, to.fifo ? 1 : 0, now, seq);
  }

  purge(queueId: number): void {
    this.#prepare('DELETE FROM messages WHERE queue_id = ?').run(queueId);
  }

  /** Drops messages enqueued before `enqueuedBefore`. */
  expire(queueId: number, enqueuedBefore: number): void {
    const old = 'FROM messages WHERE queue_id = ? AND enqueued_at <= ?';
    // Most calls find nothing and should not cost a write.
    if (this.#prepare(`SELECT 1 ${old} LIMIT 1`).get(queueId, enqueuedBefore)) {
      this.#prepare(`DELETE ${old}`).run(queueId, enqueuedBefore);
    }
  }

  counts(queueId: number, now: number): { visible: number; inFlight: number; delayed: number } {
    const row = this.#prepare(
      `SELECT count(*) FILTER (WHERE visible_at <= ?1) AS visible,
       count(*) FILTER (WHERE visible_at > ?1 AND receives > 0) AS inFlight,
       count(*) FILTER (WHERE visible_at > ?1 AND receives = 0) AS delayed
       FROM messages INDEXED BY messages_by_visibility WHERE queue_id = ?2`,
    ).get(now, queueId) as Record<'visible' | 'inFlight' | 'delayed', number>;
    return { visible: row.visible, inFlight: row.inFlight, delayed: row.delayed };
  }

  #noisyGroups(queueId: number, now: number): string[] {
    const groups = this.#prepare(
      `SELECT group_id, count(*) AS messages FROM messages INDEXED BY messages_by_visibility
       WHERE queue_id = ? AND visible_at > ? AND receives > 0 GROUP BY group_id`,
    ).all(queueId, now) as { group_id: string | null; messages: number }[];
    const inFlight = groups.reduce((sum, group) => sum + group.messages, 0);
    return groups
      .filter(({ messages }) => messages >= NOISY_GROUP.messages && messages > inFlight * NOISY_GROUP.share)
      .map((group) => group.group_id)
      .filter((id) => id !== null);
  }

  #prepare(sql: string) {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function readRow(row: Record<string, SQLOutputValue>): StoredMessage {
  return {
    seq: row.seq as number,
    queueId: row.queue_id as number,
    messageId: row.message_id as string,
    body: row.body as string,
    attributes: row.attributes === null ? {} : JSON.parse(row.attributes as string),
    ...(row.trace_header !== null && { traceHeader: row.trace_header as string }),
    ...(row.group_id !== null && { groupId: row.group_id as string }),
    ...(row.deduplication_id !== null && { deduplicationId: row.deduplication_id as string }),
    sentAt: row.sent_at as number,
    visibleAt: row.visible_at as number,
    ...(row.received_at !== null && { receivedAt: row.received_at as number }),
    ...(row.first_received_at !== null && { firstReceivedAt: row.first_received_at as number }),
    receives: row.receives as number,
    totalReceives: row.total_receives as number,
    ...(row.receipt !== null && { receipt: row.receipt as string }),
    ...(row.source_arn !== null && { sourceArn: row.source_arn as string }),
    echo: row.echo === 1,
  };
}
