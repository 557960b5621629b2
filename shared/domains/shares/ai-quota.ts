import { AppError } from '../../platform/errors/app-error.ts';
import type { Table } from '../../platform/storage/table.ts';
import { HourlyCount } from './hourly-count.ts';
import type { LinkReader } from './records.ts';

export interface AiQuota {
  /** Takes one question of the clock hour. Throws `SHARE_AI_SPENT`. Call `giveBack` if the provider was not called. */
  take(reader: LinkReader): Promise<{ remaining: number; giveBack(): Promise<void> }>;
  /** The questions of this clock hour, by the id of the share link. */
  used(workspaceId: string, ids: readonly string[]): Promise<Map<string, number>>;
}

/** Counts the questions of each clock hour. Embed tokens of one dashboard share a quota: a site may create any number of them. */
export function aiQuota(table: Table): AiQuota {
  const questions = new HourlyCount(table, 'LINK-AI');
  return {
    async take({ workspaceId, kind, id, content, aiRatePerHour }) {
      const name = kind === 'share' ? id : `EMBED#${content.id}`;
      const used = await questions.add(workspaceId, name, aiRatePerHour);
      if (used === undefined) throw new AppError('SHARE_AI_SPENT', { retryAfterSeconds: questions.secondsLeft() });
      return {
        remaining: Math.max(0, aiRatePerHour - used),
        giveBack: () => questions.subtract(workspaceId, name),
      };
    },
    used: (workspaceId, ids) => questions.counts(workspaceId, ids),
  };
}
