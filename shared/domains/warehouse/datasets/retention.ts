import { DAY_MS } from '../../../platform/schedule/durations.ts';
import type { Retention } from './record.ts';

export interface DatedVersion {
  version: number;
  createdAt: string;
}

/**
 * When each superseded version expires; undefined for the newest ones, which stay. The days of the retention begin when
 * the next version has replaced it.
 */
export function expiryOf(
  versions: readonly DatedVersion[],
  retention: Retention,
): { version: number; expiresAt: Date | undefined }[] {
  const newestFirst = [...versions].sort((one, other) => other.version - one.version);
  return newestFirst.map(({ version }, index) => {
    const successor = newestFirst[index - 1];
    if (index < retention.versions || !successor) return { version, expiresAt: undefined };
    return { version, expiresAt: new Date(Date.parse(successor.createdAt) + retention.days * DAY_MS) };
  });
}
