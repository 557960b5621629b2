import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  companyEntitlementKey,
  PLATFORM_SWITCHES_KEY,
  planKey,
  readEntitlements,
  readPlatformSwitches,
  trialKey,
} from '../../../../shared/platform/entitlements/entitlements.ts';
import type { Product } from '../../../../shared/platform/entitlements/products.ts';
import { companyKey, type Key } from '../../../../shared/platform/storage/keys.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import type { ChangedEntitlements, EntitlementChange } from './change.ts';

/** Every change is one write of its own item, or of its own member, so that changes beside each other are all kept. */
export async function applyChange(table: Table, event: EntitlementChange): Promise<void> {
  const { companyId } = event;
  if (companyId !== null) await assertCompany(table, companyId);
  const put = (key: Key, record: object) =>
    table.db.send(new PutCommand({ TableName: table.name, Item: { ...record, ...key, entity: 'entitlement' } }));
  switch (event.change) {
    case 'none':
      return;
    case 'plan': {
      const { change: _, companyId: company, ...row } = event;
      await put(planKey(company, row.product), row);
      return;
    }
    case 'no-plan':
      await table.db.send(new DeleteCommand({ TableName: table.name, Key: planKey(event.companyId, event.product) }));
      return;
    case 'trial':
      await put(trialKey(event.companyId, event.product), { product: event.product, lastDay: event.lastDay });
      return;
    case 'tier':
      await table.db.send(
        new UpdateCommand(
          updateOf(table, companyEntitlementKey(event.companyId), { set: { tier: event.tier, entity: 'entitlement' } }),
        ),
      );
      return;
    case 'switch':
      await setSwitch(table, companyId === null ? PLATFORM_SWITCHES_KEY : companyEntitlementKey(companyId), event);
  }
}

export async function readState(table: Table, companyId: string | null): Promise<ChangedEntitlements> {
  const platform = await readPlatformSwitches(table);
  return companyId === null ? { platform } : { platform, company: await readEntitlements(table, companyId) };
}

/** A member of a map can be set only once the map exists. */
async function setSwitch(table: Table, Key: Key, { product, on }: { product: Product; on: boolean | null }) {
  const update = (UpdateExpression: string, values: Record<string, unknown>, names: Record<string, string> = {}) =>
    table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key,
        UpdateExpression,
        ExpressionAttributeNames: { '#switches': 'availability', ...names },
        ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
      }),
    );
  await update('SET #switches = if_not_exists(#switches, :none), entity = :entity', {
    ':none': {},
    ':entity': 'entitlement',
  });
  const member = { '#product': product };
  if (on === null) await update('REMOVE #switches.#product', {}, member);
  else await update('SET #switches.#product = :on', { ':on': on }, member);
}

async function assertCompany(table: Table, companyId: string): Promise<void> {
  const Key = companyKey(companyId, 'META');
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  if (!found.Item) throw new Error(`No company has the id ${companyId}.`);
}
