import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { changedMembers } from '../../../platform/audit/changes.ts';
import { auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import type { CatalogDomain, StoredDomains } from './records.ts';

export interface CatalogDomains {
  read(workspaceId: string): Promise<StoredDomains>;
  /** Stores the domains after a change of one of them. Throws `STALE_WRITE` if another change was faster. */
  replace(before: StoredDomains, domains: readonly CatalogDomain[], changedId: string): Promise<void>;
}

const domainsKey = (workspaceId: string): Key => workspaceKey(workspaceId, 'CATALOG-DOMAINS', 'ALL');

export function catalogDomains(table: Table): CatalogDomains {
  return {
    async read(workspaceId) {
      const Key = domainsKey(workspaceId);
      const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      return Item ? toRecord<StoredDomains>(Item) : { workspaceId, domains: [], revision: 0 };
    },

    async replace({ workspaceId, domains: before, revision }, domains, changedId) {
      const stored: StoredDomains = { workspaceId, domains: [...domains], revision: revision + 1 };
      const [was, is] = [before, domains].map((all) => all.find(({ id }) => id === changedId));
      const audit = await auditItems(table, {
        action: `catalog_domain.${was ? (is ? 'updated' : 'deleted') : 'created'}`,
        object: { type: 'catalog-domain', id: changedId, name: (is ?? was)!.name },
        ...changedMembers<CatalogDomain>({ name: 'shown', description: 'shown', parentId: 'shown' }, was, is),
      });
      const condition =
        revision === 0
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : { ConditionExpression: 'revision = :seen', ExpressionAttributeValues: { ':seen': revision } };
      const Item = { ...stored, ...domainsKey(workspaceId), entity: 'catalog-domains' };
      try {
        await transact(table, [{ Put: { TableName: table.name, Item, ...condition } }, ...audit]);
      } catch (cause) {
        if (failedConditions(cause).has(0)) throw new AppError('STALE_WRITE', { cause });
        throw cause;
      }
    },
  };
}
