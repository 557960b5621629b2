import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { changedMembers } from '../../../platform/audit/changes.ts';
import { holdsAudited } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { assertExpected, staleCode } from '../../../platform/storage/expectation.ts';
import { companyKey, type Key } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { ScimAttributes, ScimMapping } from './records.ts';

export const mappingsKey = (companyId: string): Key => companyKey(companyId, 'SCIM-ATTRIBUTES');

export async function readScimAttributes(table: Table, companyId: string): Promise<ScimAttributes> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: mappingsKey(companyId), ConsistentRead: true }),
  );
  return scimAttributesOf(companyId, found.Item);
}

export const scimAttributesOf = (companyId: string, item: Record<string, unknown> | undefined): ScimAttributes =>
  item ? toRecord<ScimAttributes>(item) : { companyId, mappings: [], updatedBy: null, updatedAt: null, revision: 1 };

const showMappings = (mappings: readonly ScimMapping[]) => mappings.map(({ path, attribute }) => ({ path, attribute }));

/**
 * Throws `STALE_WRITE` if they have changed since they were read, `PRECONDITION_FAILED` if the client expects another
 * revision.
 */
export async function replaceScimAttributes(
  table: Table,
  previous: ScimAttributes,
  next: Omit<ScimAttributes, 'revision'>,
): Promise<ScimAttributes> {
  const { companyId, revision } = previous;
  assertExpected(companyId, revision);
  const stored = { ...next, revision: revision + 1 };
  const isNew = previous.updatedAt === null;
  const Put = {
    TableName: table.name,
    Item: { ...stored, ...mappingsKey(companyId), entity: 'scim-attributes' },
    ConditionExpression: isNew ? 'attribute_not_exists(pk)' : 'revision = :seen',
    ...(isNew ? {} : { ExpressionAttributeValues: { ':seen': revision } }),
  };
  const isStored = await holdsAudited(
    table,
    { Put },
    {
      action: 'scim_attributes.updated',
      object: { type: 'scim-attributes', id: companyId, name: null },
      place: { companyId, workspaceId: null },
      ...changedMembers<ScimAttributes>({ mappings: showMappings }, previous, stored),
    },
  );
  if (!isStored) throw new AppError(staleCode(companyId, 'STALE_WRITE'));
  return stored;
}
