import type { Types } from '../../data/client.ts';
import { durationOf } from '../../ui/format.ts';

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

export const timeOf = ({
  startedAt,
  finishedAt,
}: Pick<Types.StepRun, 'startedAt' | 'finishedAt'>): string | undefined =>
  startedAt && finishedAt ? durationOf(Date.parse(finishedAt) - Date.parse(startedAt)) : undefined;
