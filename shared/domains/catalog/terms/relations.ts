import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { auditItems } from '../../../platform/audit/entry.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { noImport } from './imports/running-import.ts';
import { graphKey, relationKey, relationsBelow } from './keys.ts';
import { type NamedTerm, RELATIONS, type Relation, type TermRecord } from './records.ts';
import { useAdded, usesRemoved } from './uses.ts';

/** Both ends of a relation are stored, in one transaction, each with the other one's view. */
export const INVERSE: Readonly<Record<Relation, Relation>> = {
  broader: 'narrower',
  narrower: 'broader',
  related: 'related',
  replacedBy: 'replaces',
  replaces: 'replacedBy',
};

/** The relations that must not lead back to their start, as seen from their lower end. */
const UPWARD = new Set<Relation>(['broader', 'replacedBy']);

/** How many steps lead from the lowest term to the highest one. */
export const MAX_DEPTH = 10;

export type RelationsOf = Readonly<Record<Relation, readonly string[]>>;

export interface TermRelations {
  read(term: NamedTerm): Promise<RelationsOf>;
  /**
   * Repeating it changes nothing. Throws `TERM_CYCLE`, `TERM_TOO_DEEP`, `TERM_FULL`, `TERM_IMPORT_RUNNING`, or
   * `TERM_NOT_FOUND` if a term was deleted in between.
   */
  add(term: TermRecord, relation: Relation, other: TermRecord): Promise<void>;
  /** Repeating it changes nothing. Throws `TERM_IMPORT_RUNNING`. */
  remove(term: NamedTerm & { name: string }, relation: Relation, otherId: string): Promise<void>;
}

export function termRelations(table: Table, keyOf: (workspaceId: string, id: string) => Key): TermRelations {
  const read = async (term: NamedTerm): Promise<RelationsOf> => {
    const found = Object.fromEntries(RELATIONS.map((relation) => [relation, [] as string[]]));
    for await (const { sk } of itemsBelow(table, relationsBelow(term.workspaceId, term.id))) {
      const [, relation, otherId] = (sk as string).split('#') as [string, Relation, string];
      found[relation]!.push(otherId);
    }
    return found as unknown as RelationsOf;
  };

  const isRelated = async (term: NamedTerm, relation: Relation, otherId: string) =>
    (await readItems(table, [relationKey(term, relation, otherId)])).length > 0;

  /** The terms of each further step, without the start. Circles end it, because no path may be longer. */
  async function stepsFrom({ workspaceId, id }: NamedTerm, relation: Relation): Promise<string[][]> {
    const steps: string[][] = [];
    let step = [id];
    while (steps.length <= MAX_DEPTH) {
      const next = new Set<string>();
      await inParallel(10, step, async (each) => {
        for (const found of (await read({ workspaceId, id: each }))[relation]) next.add(found);
      });
      step = [...next];
      if (step.length === 0) break;
      steps.push(step);
    }
    return steps;
  }

  /**
   * Throws `TERM_CYCLE` and `TERM_TOO_DEEP`. The item fails the transaction if another relation was added since the
   * check.
   */
  async function checkedGraph(term: NamedTerm, relation: Relation, other: NamedTerm): Promise<TransactItem[]> {
    if (term.id === other.id) throw new AppError('TERM_CYCLE');
    if (relation === 'related') return [];
    const [lower, up, upper] = UPWARD.has(relation) ? [term, relation, other] : [other, INVERSE[relation], term];
    const Key = graphKey(term.workspaceId);
    const graph = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    const version = graph.Item?.version as number | undefined;
    const [above, below] = await Promise.all([stepsFrom(upper, up), stepsFrom(lower, INVERSE[up])]);
    if (above.some((step) => step.includes(lower.id))) throw new AppError('TERM_CYCLE');
    if (above.length + 1 + below.length > MAX_DEPTH) throw new AppError('TERM_TOO_DEEP');
    const condition = version === undefined ? { absent: ['version'] } : { equals: { version } };
    return [{ Update: updateOf(table, Key, { add: { version: 1 } }, condition) }];
  }

  const exists = ({ workspaceId, id }: NamedTerm): TransactItem => ({
    ConditionCheck: {
      TableName: table.name,
      Key: keyOf(workspaceId, id),
      ConditionExpression: 'attribute_exists(pk)',
    },
  });

  const stored = (key: Key): TransactItem => ({
    Put: {
      TableName: table.name,
      Item: { ...key, entity: 'term-relation' },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  });

  const audited = (term: NamedTerm & { name: string }, relation: Relation, otherId: string, isAdded: boolean) =>
    auditItems(table, {
      action: `term.${isAdded ? 'related' : 'unrelated'}`,
      object: { type: 'term', id: term.id, name: term.name },
      [isAdded ? 'after' : 'before']: { [relation]: otherId },
    });

  return {
    read,

    add: (term, relation, other) =>
      onNewest('STALE_WRITE', async () => {
        if (await isRelated(term, relation, other.id)) return;
        const items = [
          exists(term),
          exists(other),
          useAdded(table, term, 'relations'),
          useAdded(table, other, 'relations'),
          stored(relationKey(term, relation, other.id)),
          stored(relationKey(other, INVERSE[relation], term.id)),
          noImport(table, term.workspaceId),
          ...(await checkedGraph(term, relation, other)),
          ...(await audited(term, relation, other.id, true)),
        ];
        await withReferences(items, (all) => transact(table, all), rejection);
      }),

    async remove(term, relation, otherId) {
      if (!(await isRelated(term, relation, otherId))) return;
      const other = { workspaceId: term.workspaceId, id: otherId };
      const removed = (Key: Key): TransactItem => ({
        Delete: { TableName: table.name, Key, ConditionExpression: 'attribute_exists(pk)' },
      });
      try {
        await transact(table, [
          removed(relationKey(term, relation, otherId)),
          removed(relationKey(other, INVERSE[relation], term.id)),
          usesRemoved(table, term, 'relations'),
          usesRemoved(table, other, 'relations'),
          noImport(table, term.workspaceId),
          ...(await audited(term, relation, otherId, false)),
        ]);
      } catch (cause) {
        const failed = failedConditions(cause);
        if (failed.has(4)) throw new AppError('TERM_IMPORT_RUNNING', { cause });
        // A concurrent request has removed it, and perhaps deleted a term.
        if (![0, 1, 2, 3].some((index) => failed.has(index))) throw cause;
      }
    },
  };
}

/** By the items of the transaction: two terms, their numbers of relations, the relation, an import, and the rest. */
function rejection(cause: unknown, failed: readonly number[]): AppError {
  if (failed.includes(6)) return new AppError('TERM_IMPORT_RUNNING', { cause });
  if (failed.includes(0) || failed.includes(1)) return new AppError('TERM_NOT_FOUND', { cause });
  return new AppError(failed.includes(2) || failed.includes(3) ? 'TERM_FULL' : 'STALE_WRITE', { cause });
}
