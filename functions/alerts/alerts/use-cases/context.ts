import type { AlertRepository, ClassStates, EndedAlert } from '../../../../shared/domains/alerts/rules/index.ts';
import type { AlertReadDeps } from '../../../../shared/domains/alerts/sources/index.ts';
import type { deliveryPeople } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import type { WorkspacePerson } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import type { AddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import type { Table, TransactItem } from '../../../../shared/platform/storage/table.ts';

export interface AlertDeps extends AlertReadDeps {
  table: Table;
  alerts: AlertRepository;
  states: ClassStates;
  secrets: SecretBox;
  guard: AddressGuard;
  /** Which addresses and hosts may get what leaves the workspace. */
  deliveryPeople(workspaceId: string): ReturnType<typeof deliveryPeople>;
  members(workspaceId: string, userIds: readonly string[]): Promise<Map<string, WorkspacePerson>>;
  /** The ids of the groups that exist. */
  groupsAmong(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  cleanUpItem(ended: EndedAlert): TransactItem;
  cleanUpNow(ended: EndedAlert): Promise<void>;
}
