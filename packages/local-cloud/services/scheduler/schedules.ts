import type { DatabaseSync } from 'node:sqlite';
import { notFound } from './errors.ts';

export const SCHEDULES_SCHEMA = `
  CREATE TABLE IF NOT EXISTS schedule_groups (
    name TEXT PRIMARY KEY, created_at INTEGER NOT NULL, client_token TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS schedules (
    group_name TEXT NOT NULL REFERENCES schedule_groups (name) ON DELETE CASCADE,
    name TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (group_name, name)
  ) STRICT;
`;

export const DEFAULT_GROUP = 'default';

/** A target in the form of CreateSchedule. */
export interface ScheduleTarget {
  Arn: string;
  RoleArn: string;
  Input?: string;
  RetryPolicy?: { MaximumRetryAttempts?: number; MaximumEventAgeInSeconds?: number };
  DeadLetterConfig?: { Arn?: string };
  SqsParameters?: { MessageGroupId?: string };
  EventBridgeParameters?: { DetailType: string; Source: string };
}

/** All instants are epoch milliseconds. */
export interface Schedule {
  name: string;
  groupName: string;
  expression: string;
  timeZone: string;
  startAt?: number;
  endAt?: number;
  description?: string;
  state: 'ENABLED' | 'DISABLED';
  target: ScheduleTarget;
  /** 0 for a window that is OFF. */
  windowMinutes: number;
  deleteWhenDone: boolean;
  createdAt: number;
  modifiedAt: number;
  /** Start of a rate. */
  anchor: number;
  /** The last instant for which it fired. */
  firedFor?: number;
  clientToken?: string;
}

export interface ScheduleGroup {
  name: string;
  createdAt: number;
  clientToken?: string;
}

/** Schedules and their groups, on disk; the default group always exists. */
export class Schedules {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync, now: number) {
    this.#database = database;
    database.prepare('INSERT OR IGNORE INTO schedule_groups VALUES (?, ?, NULL)').run(DEFAULT_GROUP, now);
  }

  /** By group and name. */
  all(): Schedule[] {
    return this.#database
      .prepare('SELECT document FROM schedules ORDER BY group_name, name')
      .all()
      .map((row) => JSON.parse(row.document as string) as Schedule);
  }

  find(groupName: string, name: string): Schedule | undefined {
    const row = this.#database
      .prepare('SELECT document FROM schedules WHERE group_name = ? AND name = ?')
      .get(groupName, name);
    return row && (JSON.parse(row.document as string) as Schedule);
  }

  /** Throws `ResourceNotFoundException`. */
  get(groupName: string, name: string): Schedule {
    const schedule = this.find(groupName, name);
    if (!schedule) throw notFound(`Schedule ${name} does not exist.`);
    return schedule;
  }

  save(schedule: Schedule): void {
    this.#database
      .prepare(
        'INSERT INTO schedules VALUES (?, ?, ?) ON CONFLICT (group_name, name) DO UPDATE SET document = excluded.document',
      )
      .run(schedule.groupName, schedule.name, JSON.stringify(schedule));
  }

  delete({ groupName, name }: Schedule): void {
    this.#database.prepare('DELETE FROM schedules WHERE group_name = ? AND name = ?').run(groupName, name);
  }

  groups(): ScheduleGroup[] {
    return this.#database
      .prepare('SELECT * FROM schedule_groups ORDER BY name')
      .all()
      .map((row) => ({
        name: row.name as string,
        createdAt: row.created_at as number,
        ...(row.client_token !== null && { clientToken: row.client_token as string }),
      }));
  }

  /** Throws `ResourceNotFoundException`. */
  group(name: string): ScheduleGroup {
    const group = this.groups().find((each) => each.name === name);
    if (!group) throw notFound(`Schedule group ${name} does not exist.`);
    return group;
  }

  addGroup({ name, createdAt, clientToken }: ScheduleGroup): void {
    this.#database.prepare('INSERT INTO schedule_groups VALUES (?, ?, ?)').run(name, createdAt, clientToken ?? null);
  }

  /** Deletes the group's schedules too. */
  deleteGroup(name: string): void {
    this.#database.prepare('DELETE FROM schedule_groups WHERE name = ?').run(name);
  }
}
