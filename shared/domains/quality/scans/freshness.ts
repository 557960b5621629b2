import type { Static } from 'typebox';
import * as Type from 'typebox';
import { StrictObject } from '../../../platform/http/schemas.ts';
import { nextInstant, type Schedule } from '../../../platform/schedule/schedule.ts';

export const FRESHNESS_STATUSES = ['fresh', 'stale', 'unknown'] as const;

export const FreshnessConfig = StrictObject(
  {
    columnName: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'A column of dates or timestamps whose newest value shows how new the rows are.',
    }),
    maxAgeMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5_256_000,
        description: 'The table is stale when the newest value is older. Omit it to expect the usual interval.',
      }),
    ),
  },
  {
    description:
      'How to determine whether the rows are fresh. Also applies to later scans, until one has another setting.',
  },
);
export type FreshnessConfig = Static<typeof FreshnessConfig>;

export interface Freshness {
  status: (typeof FRESHNESS_STATUSES)[number];
  lastLoadedAt: string | null;
  /** Seconds between loads; null if that is not known. */
  expectedEvery: number | null;
  /** When the next load is overdue. */
  staleAt: string | null;
}

/** Without a schedule, rows are late after so many times of the usual interval. */
const LATE_AFTER_INTERVALS = 2;
/** Fewer loads show no rhythm. */
const MIN_LOADS = 4;
/** A load takes time after its instant, but not more than this. */
const MAX_LOAD_MS = 60 * 60 * 1000;
/** Loads in quick succession are no rhythm to keep. */
const MIN_LATE_MS = 60 * 60 * 1000;

export interface Loads {
  lastLoadedAt: string | null;
  schedule: Schedule | null;
  /** Sorted by time. */
  loads: readonly string[];
  /** Decides instead of the schedule and the rhythm. */
  maxAgeMinutes?: number | undefined;
  /** When the last load was looked up, if that is not now: whether a load overdue since then came is unknown. */
  readAt?: string | undefined;
}

/** Whether rows are as new as their schedule, or else the rhythm of earlier loads, promises. */
export function freshnessOf({ lastLoadedAt, schedule, loads, maxAgeMinutes, readAt }: Loads, now: Date): Freshness {
  const unknown: Freshness = { status: 'unknown', lastLoadedAt, expectedEvery: null, staleAt: null };
  if (lastLoadedAt === null) return unknown;
  const loadedAt = new Date(lastLoadedAt);
  const expected = byAge(maxAgeMinutes, loadedAt) ?? bySchedule(schedule, loadedAt) ?? byRhythm(loads, loadedAt);
  if (!expected) return unknown;
  const { everyMs, staleAt } = expected;
  return {
    status: now <= staleAt ? 'fresh' : readAt !== undefined && new Date(readAt) <= staleAt ? 'unknown' : 'stale',
    lastLoadedAt,
    expectedEvery: Math.round(everyMs / 1000),
    staleAt: staleAt.toISOString(),
  };
}

interface Expected {
  everyMs: number;
  staleAt: Date;
}

function byAge(minutes: number | undefined, loadedAt: Date): Expected | undefined {
  if (minutes === undefined) return undefined;
  const everyMs = minutes * 60_000;
  return { everyMs, staleAt: new Date(loadedAt.getTime() + everyMs) };
}

function bySchedule(schedule: Schedule | null, loadedAt: Date): Expected | undefined {
  const next = nextInstant(schedule, loadedAt);
  const afterNext = next && nextInstant(schedule, next);
  if (!next || !afterNext) return undefined;
  const everyMs = afterNext.getTime() - next.getTime();
  return { everyMs, staleAt: new Date(next.getTime() + Math.min(everyMs, MAX_LOAD_MS)) };
}

function byRhythm(loads: readonly string[], loadedAt: Date): Expected | undefined {
  if (loads.length < MIN_LOADS) return undefined;
  const intervals = loads.slice(1).map((at, i) => Date.parse(at) - Date.parse(loads[i]!));
  const everyMs = intervals.sort((a, b) => a - b)[Math.floor(intervals.length / 2)]!;
  return { everyMs, staleAt: new Date(loadedAt.getTime() + Math.max(LATE_AFTER_INTERVALS * everyMs, MIN_LATE_MS)) };
}
