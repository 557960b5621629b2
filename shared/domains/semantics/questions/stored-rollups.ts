import { createHash } from 'node:crypto';
import type { SqlParameter } from '../../../data/expressions/index.ts';
import { rollupName } from '../../../data/semantics/rollup-sql.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type AttachedFile, type QueryDeps, runToFile } from '../queries/index.ts';
import type { ReaderRights } from '../row-rights/index.ts';

/** The statement that computes a rollup from the rows that a caller may see. */
export interface RollupStatement {
  id: string;
  sql: string;
  params: readonly SqlParameter[];
}

/** Larger rollups would not be faster than the tables. */
const MAX_ROWS = 1_000_000;
/** What computing may take of the time of a request. */
const MAX_MS = 10_000;

/** Rollups that could not be computed, with the time until which this function does not try again. */
const unusable = new Map<string, number>();
const MAX_UNUSABLE = 1000;
const UNUSABLE_MS = 10 * 60_000;

/**
 * The stored rollups, as tables for a statement. They are computed where that has not happened since the datasets have
 * changed, once for all callers with the same rights, so no caller has to be admitted. Undefined if one of them is too
 * large.
 */
export async function storedRollups(
  { admit: _, ...deps }: QueryDeps,
  statements: readonly RollupStatement[],
  { principal, ofCaller, timezone }: { principal: Principal; ofCaller: ReaderRights; timezone: string },
): Promise<AttachedFile[] | undefined> {
  const { workspaceId } = principal;
  const stored = await Promise.all(
    statements.map(async ({ id, sql, params }): Promise<AttachedFile | undefined> => {
      const command = {
        workspaceId,
        principal,
        ofCaller,
        sql,
        params: [...params],
        timezone,
        limit: MAX_ROWS,
        timeoutMs: MAX_MS,
      };
      // A reader may have thousands of attributes.
      const key = createHash('sha256')
        .update(JSON.stringify([workspaceId, sql, params]))
        .digest('hex');
      if ((unusable.get(key) ?? 0) > deps.now().getTime()) return undefined;
      let isBusy = false;
      const file = await runToFile(deps, command).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        // The tables answer the question, or fail in their own words.
        isBusy = error.code === 'SERVICE_BUSY';
      });
      if (file && !file.truncated) return { name: rollupName(id), ...file };
      if (unusable.size >= MAX_UNUSABLE) unusable.clear();
      if (!isBusy) unusable.set(key, deps.now().getTime() + UNUSABLE_MS);
      return undefined;
    }),
  );
  return stored.every((each) => each !== undefined) ? stored : undefined;
}
