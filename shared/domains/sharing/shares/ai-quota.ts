import { secretDigest } from '../../../platform/auth/credentials.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { HourlyCount } from './hourly-count.ts';
import type { LinkReader } from './records.ts';

/** Of all readers of one dashboard or report by embed tokens. */
export const MAX_EMBED_QUESTIONS = 200;
/** Of all embed tokens of a workspace, of which a site may create any number. */
export const MAX_WORKSPACE_QUESTIONS = 1000;

export interface AiQuota {
  /** Takes one question of the clock hour. Throws `SHARE_AI_SPENT`. Call `giveBack` if the provider was not called. */
  take(reader: LinkReader): Promise<{ remaining: number; giveBack(): Promise<void> }>;
  /** The questions of this clock hour, by the id of the share link. */
  used(workspaceId: string, ids: readonly string[]): Promise<Map<string, number>>;
}

/**
 * Counts the questions of each clock hour. A reader of an embedded view has a limit of its own, so that it cannot use
 * up the questions of others; the limits of its dashboard and workspace bound the costs of the company.
 */
export function aiQuota(table: Table): AiQuota {
  const questions = new HourlyCount(table, 'LINK-AI');
  return {
    async take(reader) {
      const { workspaceId } = reader;
      const taken: string[] = [];
      const giveBack = async () => {
        for (const name of taken) await questions.subtract(workspaceId, name);
      };
      let remaining = Number.POSITIVE_INFINITY;
      for (const { name, max } of limitsOf(reader)) {
        const used = await questions.add(workspaceId, name, max);
        if (used === undefined) {
          await giveBack();
          throw new AppError('SHARE_AI_SPENT', { retryAfterSeconds: questions.secondsLeft() });
        }
        taken.push(name);
        remaining = Math.min(remaining, Math.max(0, max - used));
      }
      return { remaining, giveBack };
    },
    used: (workspaceId, ids) => questions.counts(workspaceId, ids),
  };
}

/** The narrowest first: a reader who has none left does not touch the count of the others. */
function limitsOf({ kind, id, content, subject, aiRatePerHour }: LinkReader): { name: string; max: number }[] {
  if (kind === 'share') return [{ name: id, max: aiRatePerHour }];
  // The name of a person at the site is stored only as a digest, for two hours.
  const who = subject === null ? `TOKEN#${id}` : `SUBJECT#${secretDigest(subject)}`;
  return [
    { name: `EMBED#${who}`, max: aiRatePerHour },
    { name: `EMBED#CONTENT#${content.id}`, max: MAX_EMBED_QUESTIONS },
    { name: 'EMBED#WORKSPACE', max: MAX_WORKSPACE_QUESTIONS },
  ];
}
