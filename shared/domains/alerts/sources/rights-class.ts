import { createHash } from 'node:crypto';
import type { Principal } from '../../../platform/auth/principal.ts';
import { readerOnce, tableRights } from '../../semantics/row-rights/index.ts';
import type { OpenedCondition } from './opened-condition.ts';
import type { AlertOpenDeps } from './reading-deps.ts';

/** The class of those who see all rows and columns. */
export const SEES_ALL = 'all';

export interface RightsClass {
  key: string;
  /** Whether models restrict who may see what the condition reads. */
  isProtected: boolean;
}

/**
 * What the principal sees of the rows of the condition. Those of the same class see the same rows, so that they share a
 * value and a state. A source that may read every table of a data source counts with all that are protected there.
 */
export async function rightsClassOf(
  { rights: deps }: Pick<AlertOpenDeps, 'rights'>,
  principal: Principal,
  { reads }: Pick<OpenedCondition, 'reads'>,
): Promise<RightsClass> {
  const { workspaceId } = principal;
  const reader = readerOnce(deps.table, principal);
  const classes = await Promise.all(
    reads.map(async ({ sourceId, places, returnsRowsOf }) => {
      const tables = returnsRowsOf ? ('all' as const) : places;
      const rights = await tableRights(deps, { workspaceId, sourceId, tables, reader });
      return { sourceId, readerClass: rights.readerClass, isProtected: rights.protected.length > 0 };
    }),
  );
  const isProtected = classes.some((each) => each.isProtected);
  const restricted = classes.filter(({ readerClass }) => readerClass !== SEES_ALL);
  if (restricted.length === 0) return { key: SEES_ALL, isProtected };
  const named = restricted.map(({ sourceId, readerClass }) => `${sourceId}#${readerClass}`).sort();
  return { key: digestOf(named), isProtected };
}

export const digestOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
