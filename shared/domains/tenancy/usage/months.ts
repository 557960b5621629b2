import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';

/** `YYYY-MM`, UTC. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** A counter of a month, or what is kept with it. */
export const usageKey = (workspaceId: string, month: string, part: string): Key =>
  workspaceKey(workspaceId, `USAGE#${month}`, part);
