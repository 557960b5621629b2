import type { Principal } from '../../../platform/auth/principal.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import type { CountUse } from '../../../platform/object-use/object-use.ts';

const AT_ONCE = 8;
/** Of a statement with many more, the use of each says little. */
const MAX_COUNTED = 50;

/**
 * Counts that a person has queried the datasets. Keys count nothing, as elsewhere. An error is reported only: it is no
 * reason to withhold the reply.
 */
export async function countDatasets(
  { countUse, log }: { countUse?: CountUse | undefined; log: { warn(message: string, error: Error): void } },
  { kind, workspaceId, userId }: Principal,
  datasetIds: readonly string[],
): Promise<void> {
  if (kind !== 'user' || !countUse) return;
  try {
    await inParallel(AT_ONCE, datasetIds.slice(0, MAX_COUNTED), (id) =>
      countUse({ workspaceId, type: 'dataset', id }, userId, 'query'),
    );
  } catch (error) {
    log.warn('a use was not counted', error as Error);
  }
}
