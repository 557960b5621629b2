import type { Types } from '../../data/client.ts';

const TRIGGERS: Readonly<Record<string, string>> = {
  manual: 'a person',
  backfill: 'a backfill',
  schedule: 'a schedule',
  file_arrival: 'arriving files',
  pipeline: 'another pipeline',
  webhook: 'a call of its URL',
};

export const TRIGGER_KINDS = Object.keys(TRIGGERS);

/** What has started a run. */
export const triggerText = (kind: string): string => TRIGGERS[kind] ?? kind;

const SKIPPED: Readonly<Record<string, string>> = {
  when_false: 'Its condition was not met.',
  empty_items: 'Its forEach block had no items.',
  upstream_skipped: 'A step before it was skipped.',
  upstream_failed: 'A step before it failed.',
};

export const skipText = (reason: string): string => SKIPPED[reason] ?? `${reason.replaceAll('_', ' ')}.`;

const WHOLE = new Intl.NumberFormat('en');
export const countOf = (count: number): string => WHOLE.format(count);
export const rowsText = (count: number): string => `${countOf(count)} ${count === 1 ? 'row' : 'rows'}`;

/** Such as `0.8 s`, `42 s`, `3 min 5 s` or `2 h 4 min`. */
export function durationOf(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const timeOf = ({
  startedAt,
  finishedAt,
}: Pick<Types.StepRun, 'startedAt' | 'finishedAt'>): string | undefined =>
  startedAt && finishedAt ? durationOf(Date.parse(finishedAt) - Date.parse(startedAt)) : undefined;

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Such as `4.1 MB`; a KB has 1,000 bytes. */
export function bytesOf(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${value.toFixed(step > 0 && value < 10 ? 1 : 0)} ${UNITS[step]}`;
}
