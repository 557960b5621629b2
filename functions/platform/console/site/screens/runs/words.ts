import type { Types } from '../../data/client.ts';
import { durationOf } from '../../ui/format.ts';

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
