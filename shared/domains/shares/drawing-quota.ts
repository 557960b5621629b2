import { AppError } from '../../platform/errors/app-error.ts';
import type { Table } from '../../platform/storage/table.ts';
import { HourlyCount } from './hourly-count.ts';
import type { LinkReader } from './records.ts';

/** One in a second on average: more than the readers of a busy link need, because pages ask for few sizes and pictures are stored. */
export const MAX_LINK_DRAWINGS = 3600;

export interface DrawingQuota {
  /** Takes one drawing of the clock hour. Throws `SHARE_DRAWINGS_SPENT`. */
  take(reader: Pick<LinkReader, 'workspaceId' | 'id'>): Promise<void>;
}

/** Counts the pictures that are drawn for a link, because readers choose sizes and themes. Stored pictures stay readable. */
export function drawingQuota(table: Table): DrawingQuota {
  const drawings = new HourlyCount(table, 'LINK-DRAWINGS');
  return {
    async take({ workspaceId, id }) {
      const used = await drawings.add(workspaceId, id, MAX_LINK_DRAWINGS);
      if (used === undefined) throw new AppError('SHARE_DRAWINGS_SPENT', { retryAfterSeconds: drawings.secondsLeft() });
    },
  };
}
