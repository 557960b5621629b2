import { auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { linkKey, termItemKey, termOfObjectKey } from './keys.ts';
import type { NamedTerm, TermLink, TermRecord } from './records.ts';
import { useAdded, usesRemoved } from './uses.ts';

export interface TermLinks {
  /** Also those to objects that no longer exist. */
  read(term: NamedTerm): Promise<TermLink[]>;
  /** The terms that are linked to an object, with the roles of the links. Some may no longer exist. */
  ofObject(workspaceId: string, object: Pick<TermLink, 'type' | 'objectId'>): Promise<LinkedTerm[]>;
  /**
   * Links the term, or changes the role of the link. Returns the link as stored. Throws `TERM_FULL`, or
   * `TERM_NOT_FOUND` if the term was deleted in between.
   */
  set(term: TermRecord, link: TermLink): Promise<TermLink>;
  /** Repeating it changes nothing. */
  remove(term: NamedTerm & { name: string }, link: Pick<TermLink, 'type' | 'objectId'>): Promise<void>;
}

export interface LinkedTerm {
  termId: string;
  role: TermLink['role'];
}

export function termLinks(table: Table, keyOf: (workspaceId: string, id: string) => Key): TermLinks {
  const find = async (term: NamedTerm, { type, objectId }: Pick<TermLink, 'type' | 'objectId'>) => {
    const [item] = await readItems(table, [linkKey(term, type, objectId)]);
    return item && toRecord<TermLink>(item);
  };
  const linked = ({ type, objectId, role }: TermLink) => ({ link: `${type} ${objectId}`, role });

  const exists = ({ workspaceId, id }: NamedTerm): TransactItem => ({
    ConditionCheck: {
      TableName: table.name,
      Key: keyOf(workspaceId, id),
      ConditionExpression: 'attribute_exists(pk)',
    },
  });

  const put = (term: NamedTerm, before: TermLink | undefined, after: TermLink): TransactItem => ({
    Put: {
      TableName: table.name,
      Item: { ...after, ...linkKey(term, after.type, after.objectId), entity: 'term-link' },
      ...(before
        ? {
            ConditionExpression: '#role = :role',
            ExpressionAttributeNames: { '#role': 'role' },
            ExpressionAttributeValues: { ':role': before.role },
          }
        : { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
  });

  const putOfObject = ({ workspaceId, id }: NamedTerm, { type, objectId, role }: TermLink): TransactItem => ({
    Put: {
      TableName: table.name,
      Item: { role, ...termOfObjectKey(workspaceId, type, objectId, id), entity: 'term-of-object' },
    },
  });

  return {
    async read(term) {
      const items = await Array.fromAsync(itemsBelow(table, termItemKey(term, 'LINK#')));
      return items.map((item) => toRecord<TermLink>(item));
    },

    async ofObject(workspaceId, { type, objectId }) {
      const items = await Array.fromAsync(itemsBelow(table, termOfObjectKey(workspaceId, type, objectId, '')));
      return items.map(({ sk, role }) => ({ termId: sk as string, role: role as TermLink['role'] }));
    },

    set: (term, link) =>
      onNewest('STALE_WRITE', async () => {
        const before = await find(term, link);
        if (before?.role === link.role) return before;
        const after = before ? { ...before, role: link.role } : link;
        const items = [
          exists(term),
          put(term, before, after),
          ...(before ? [] : [useAdded(table, term, 'links')]),
          putOfObject(term, after),
        ];
        const audit = await auditItems(table, {
          action: 'term.linked',
          object: { type: 'term', id: term.id, name: term.name },
          ...(before && { before: linked(before) }),
          after: linked(after),
        });
        await withReferences([...items, ...audit], (all) => transact(table, all), rejection);
        return after;
      }),

    async remove(term, { type, objectId }) {
      const before = await find(term, { type, objectId });
      if (!before) return;
      try {
        await transact(table, [
          {
            Delete: {
              TableName: table.name,
              Key: linkKey(term, type, objectId),
              ConditionExpression: 'attribute_exists(pk)',
            },
          },
          usesRemoved(table, term, 'links'),
          { Delete: { TableName: table.name, Key: termOfObjectKey(term.workspaceId, type, objectId, term.id) } },
          ...(await auditItems(table, {
            action: 'term.unlinked',
            object: { type: 'term', id: term.id, name: term.name },
            before: linked(before),
          })),
        ]);
      } catch (cause) {
        // A concurrent request has removed it, or deleted the term.
        const failed = failedConditions(cause);
        if (!failed.has(0) && !failed.has(1)) throw cause;
      }
    },
  };
}

/** By the items of the transaction: the term, the link, and the number of links. */
function rejection(cause: unknown, failed: readonly number[]): AppError {
  if (failed.includes(0)) return new AppError('TERM_NOT_FOUND', { cause });
  return new AppError(failed.includes(1) ? 'STALE_WRITE' : 'TERM_FULL', { cause });
}
