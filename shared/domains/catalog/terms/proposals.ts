import { auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { proposalKey, termItemKey } from './keys.ts';
import type { NamedTerm, TermProposal, TermRecord } from './records.ts';

export interface TermProposals {
  /** Newest first. */
  read(term: NamedTerm): Promise<TermProposal[]>;
  /**
   * Takes the place of the person's earlier proposal. Throws `STALE_WRITE` if the term or that proposal has changed in
   * between.
   */
  put(term: TermRecord, proposal: TermProposal, earlier: TermProposal | undefined): Promise<void>;
  /** The person's proposal for each of the terms, by the id of the term. */
  readOwn(terms: readonly NamedTerm[], userId: string): Promise<ReadonlyMap<string, TermProposal>>;
  /** Items for the transactions of an import, like `put`. */
  importItems(term: TermRecord, proposal: TermProposal): Promise<TransactItem[]>;
  /** Part of the transaction that changes the term: fails unless the proposal is still open. */
  decided(term: NamedTerm, proposal: TermProposal): TransactItem;
  /** Throws `STALE_WRITE` unless the proposal was open. */
  reject(term: TermRecord, rejected: TermProposal): Promise<void>;
}

export function termProposals(table: Table, keyOf: (workspaceId: string, id: string) => Key): TermProposals {
  const itemOf = (term: NamedTerm, proposal: TermProposal) => ({
    ...proposal,
    ...proposalKey(term, proposal.proposedBy),
    entity: 'term-proposal',
  });
  const decided = (term: NamedTerm, proposal: TermProposal): TransactItem => ({
    Put: {
      TableName: table.name,
      Item: itemOf(term, proposal),
      ConditionExpression: 'id = :id AND #state = :open',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':id': proposal.id, ':open': 'open' },
    },
  });
  const audited = (term: TermRecord, { before, changes }: TermProposal) =>
    auditItems(table, {
      action: 'term.proposed',
      object: { type: 'term', id: term.id, name: term.name },
      before,
      after: changes,
    });
  const write = async (items: TransactItem[]) => {
    try {
      await transact(table, items);
    } catch (cause) {
      if (failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
      throw cause;
    }
  };

  return {
    async read(term) {
      const items = await Array.fromAsync(itemsBelow(table, termItemKey(term, 'PROPOSAL#')));
      return items.map((item) => toRecord<TermProposal>(item)).sort((a, b) => (a.id < b.id ? 1 : -1));
    },

    async readOwn(terms, userId) {
      const items = await readItems(
        table,
        terms.map((term) => proposalKey(term, userId)),
      );
      return new Map(items.map((item) => [item.termId as string, toRecord<TermProposal>(item)]));
    },

    importItems: async (term, proposal) => [
      { Put: { TableName: table.name, Item: itemOf(term, proposal) } },
      ...(await audited(term, proposal)),
    ],

    async put(term, proposal, earlier) {
      const audit = await audited(term, proposal);
      await write([
        {
          Put: {
            TableName: table.name,
            Item: itemOf(term, proposal),
            ...(earlier
              ? {
                  ConditionExpression: 'id = :id AND #state = :state',
                  ExpressionAttributeNames: { '#state': 'state' },
                  ExpressionAttributeValues: { ':id': earlier.id, ':state': earlier.state },
                }
              : { ConditionExpression: 'attribute_not_exists(pk)' }),
          },
        },
        {
          ConditionCheck: {
            TableName: table.name,
            Key: keyOf(term.workspaceId, term.id),
            ConditionExpression: 'revision = :revision',
            ExpressionAttributeValues: { ':revision': term.revision },
          },
        },
        ...audit,
      ]);
    },

    decided,

    async reject(term, rejected) {
      const audit = await auditItems(table, {
        action: 'term.proposal_rejected',
        object: { type: 'term', id: term.id, name: term.name },
        before: rejected.changes,
        ...(rejected.reason === null ? {} : { after: { reason: rejected.reason } }),
      });
      await write([decided(term, rejected), ...audit]);
    },
  };
}
