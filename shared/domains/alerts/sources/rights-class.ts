import { createHash } from 'node:crypto';
import type { Principal } from '../../../platform/auth/principal.ts';
import { lastingClass, readerOnce, tableRights } from '../../semantics/row-rights/index.ts';
import type { OpenedCondition, SourceReads } from './opened-condition.ts';
import type { AlertOpenDeps } from './reading-deps.ts';

const SEES_ALL = 'all';

/** Whether those of the class see all rows and columns. */
export const seesAll = (classKey: string): boolean => classKey.startsWith(`${SEES_ALL}.`);

export interface RightsClass {
  key: string;
  /** Changes also with the rows that policies read besides: values that were stored before are not shown after it. */
  lasting: string;
  /** Whether models restrict who may see what the condition reads. */
  isProtected: boolean;
}

/**
 * What the principal sees of the rows of the condition. Those of the same class see the same rows, so that they share a
 * value and a state. A source that may read every table of a data source counts with all that are protected there.
 *
 * The tables and which of them are protected are a part of the class: once a source reads other tables, or tables that
 * were protected are open, people of the new class see nothing of what was read before.
 */
export async function rightsClassOf(
  { rights: deps }: Pick<AlertOpenDeps, 'rights'>,
  principal: Principal,
  { reads }: Pick<OpenedCondition, 'reads'>,
  reader: ReturnType<typeof readerOnce> = readerOnce(deps.table, principal),
): Promise<RightsClass> {
  const { workspaceId } = principal;
  const classes = await Promise.all(
    reads.map(async ({ sourceId, places, returnsRowsOf }) => {
      const tables = returnsRowsOf ? ('all' as const) : places;
      const rights = await tableRights(deps, { workspaceId, sourceId, tables, reader });
      const guarded = rights.protected.map(({ place }) => place);
      return { sourceId, readerClass: rights.readerClass, lasting: lastingClass(rights), tables, guarded };
    }),
  );
  const isProtected = classes.some(({ guarded }) => guarded.length > 0);
  const read = digestOf(
    classes.map(({ sourceId, tables, guarded }) => [sourceId, namesOf(tables), namesOf(guarded)].join()).sort(),
  );
  const restricted = classes.filter(({ readerClass }) => readerClass !== SEES_ALL);
  if (restricted.length === 0) return { key: `${SEES_ALL}.${read}`, lasting: SEES_ALL, isProtected };
  const named = restricted.map(({ sourceId, readerClass }) => `${sourceId}#${readerClass}`).sort();
  const lasting = digestOf(restricted.map((each) => `${each.sourceId}#${each.lasting}`).sort());
  return { key: `${digestOf(named)}.${read}`, lasting, isProtected };
}

const namesOf = (places: SourceReads['places']): string =>
  places === 'all'
    ? places
    : JSON.stringify([...new Set(places.map(({ schema, table }) => JSON.stringify([schema, table])))].sort());

export const digestOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
