import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '../../core/clock.ts';
import { inTransaction, openDatabase } from '../../core/database.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS log_groups (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    retention_days INTEGER,
    tags TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS log_streams (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id INTEGER NOT NULL REFERENCES log_groups (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (group_id, name)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS log_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id INTEGER NOT NULL REFERENCES log_groups (id) ON DELETE CASCADE,
    stream_id INTEGER NOT NULL REFERENCES log_streams (id) ON DELETE CASCADE,
    timestamp INTEGER NOT NULL,
    ingested_at INTEGER NOT NULL,
    message TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS log_events_by_group ON log_events (group_id, timestamp, id);
  CREATE INDEX IF NOT EXISTS log_events_by_stream ON log_events (stream_id, timestamp, id);
`;

/** Appended lines are written after this time or this many lines, whichever comes first. */
const FLUSH_AFTER_MS = 200;
const FLUSH_AT_LINES = 2_000;

export interface LogLine {
  /** Epoch milliseconds. */
  timestamp: number;
  message: string;
}

export interface LogGroup {
  id: number;
  name: string;
  createdAt: number;
  retentionDays?: number;
  tags: Record<string, string>;
}

export interface LogStream {
  id: number;
  name: string;
  createdAt: number;
  firstEventAt?: number;
  lastEventAt?: number;
  lastIngestedAt?: number;
}

interface Ids {
  groupId: number;
  streamId: number;
}

/** Log groups, streams and the writing of events, in one SQLite file. */
export class LogStore {
  readonly database: DatabaseSync;
  readonly #clock: Clock;
  readonly #insert: StatementSync;
  /** Ids by `group NUL stream`, cached for the hot path. */
  #ids = new Map<string, Ids>();
  #waiting: { group: string; stream: string; lines: LogLine[] }[] = [];
  #waitingLines = 0;
  #cancelFlush: (() => void) | undefined;

  constructor(dataDir: string, clock: Clock) {
    this.#clock = clock;
    this.database = openDatabase(join(dataDir, 'logs.sqlite'), SCHEMA);
    this.#insert = this.database.prepare(
      'INSERT INTO log_events (group_id, stream_id, timestamp, ingested_at, message) VALUES (?, ?, ?, ?, ?)',
    );
  }

  /** Accepts lines without waiting for the disk; creates group and stream if missing. */
  append(group: string, stream: string, lines: LogLine[]): void {
    this.#waiting.push({ group, stream, lines });
    this.#waitingLines += lines.length;
    if (this.#waitingLines >= FLUSH_AT_LINES) this.flush();
    else this.#cancelFlush ??= this.#clock.schedule(this.#clock.now() + FLUSH_AFTER_MS, () => this.flush());
  }

  /** Writes all waiting lines in one transaction. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingLines = 0;
    inTransaction(this.database, () => {
      for (const { group, stream, lines } of waiting) this.#write(this.#idsOf(group, stream), lines);
    });
  }

  /** Writes lines to an existing stream before it returns. */
  put(ids: Ids, lines: LogLine[]): void {
    inTransaction(this.database, () => this.#write(ids, lines));
  }

  groups(): LogGroup[] {
    const rows = this.database.prepare('SELECT * FROM log_groups ORDER BY name').all();
    return rows.map((row) => ({
      id: row.id as number,
      name: row.name as string,
      createdAt: row.created_at as number,
      ...(row.retention_days !== null && { retentionDays: row.retention_days as number }),
      tags: JSON.parse(row.tags as string),
    }));
  }

  createGroup(name: string, tags: Record<string, string>): void {
    this.database
      .prepare('INSERT INTO log_groups (name, created_at, tags) VALUES (?, ?, ?)')
      .run(name, this.#clock.now(), JSON.stringify(tags));
  }

  saveGroup(group: LogGroup): void {
    this.database
      .prepare('UPDATE log_groups SET retention_days = ?, tags = ? WHERE id = ?')
      .run(group.retentionDays ?? null, JSON.stringify(group.tags), group.id);
  }

  deleteGroup(id: number): void {
    this.database.prepare('DELETE FROM log_groups WHERE id = ?').run(id);
    this.#ids = new Map();
  }

  streams(groupId: number): LogStream[] {
    const rows = this.database
      .prepare(
        `SELECT s.id, s.name, s.created_at, min(e.timestamp) AS first, max(e.timestamp) AS last, max(e.ingested_at) AS ingested
         FROM log_streams s LEFT JOIN log_events e ON e.stream_id = s.id WHERE s.group_id = ? GROUP BY s.id ORDER BY s.name`,
      )
      .all(groupId);
    return rows.map((row) => ({
      id: row.id as number,
      name: row.name as string,
      createdAt: row.created_at as number,
      ...(row.last !== null && {
        firstEventAt: row.first as number,
        lastEventAt: row.last as number,
        lastIngestedAt: row.ingested as number,
      }),
    }));
  }

  findStream(groupId: number, name: string): number | undefined {
    const row = this.database.prepare('SELECT id FROM log_streams WHERE group_id = ? AND name = ?').get(groupId, name);
    return row?.id as number | undefined;
  }

  createStream(groupId: number, name: string): number {
    const { lastInsertRowid } = this.database
      .prepare('INSERT INTO log_streams (group_id, name, created_at) VALUES (?, ?, ?)')
      .run(groupId, name, this.#clock.now());
    return Number(lastInsertRowid);
  }

  deleteStream(id: number): void {
    this.database.prepare('DELETE FROM log_streams WHERE id = ?').run(id);
    this.#ids = new Map();
  }

  /** Removes events past their group's retention, and streams that become empty. */
  applyRetention(): void {
    for (const group of this.groups()) {
      if (group.retentionDays === undefined) continue;
      const oldest = oldestKept(group, this.#clock.now());
      this.database.prepare('DELETE FROM log_events WHERE group_id = ? AND timestamp < ?').run(group.id, oldest);
      this.database
        .prepare(
          `DELETE FROM log_streams WHERE group_id = ? AND created_at < ?
           AND NOT EXISTS (SELECT 1 FROM log_events e WHERE e.stream_id = log_streams.id)`,
        )
        .run(group.id, oldest);
    }
    this.#ids = new Map();
  }

  close(): void {
    this.flush();
    this.database.close();
  }

  #write({ groupId, streamId }: Ids, lines: LogLine[]): void {
    const now = this.#clock.now();
    for (const { timestamp, message } of lines) this.#insert.run(groupId, streamId, timestamp, now, message);
  }

  #idsOf(group: string, stream: string): Ids {
    const key = `${group}\0${stream}`;
    const known = this.#ids.get(key);
    if (known) return known;
    const find = this.database.prepare('SELECT id FROM log_groups WHERE name = ?');
    if (!find.get(group)) this.createGroup(group, {});
    const groupId = find.get(group)?.id as number;
    const ids = { groupId, streamId: this.findStream(groupId, stream) ?? this.createStream(groupId, stream) };
    this.#ids.set(key, ids);
    return ids;
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Timestamp of the oldest event within a group's retention. */
export function oldestKept(group: LogGroup, now: number): number {
  return group.retentionDays === undefined ? 0 : now - group.retentionDays * DAY_MS;
}
