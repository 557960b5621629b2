import { expect, it } from 'vitest';
import {
  type OwnerInactiveDeps,
  sendOwnerInactive,
} from '../../../../functions/platform/workers/send-mail/send-owner-inactive.ts';
import { DASHBOARDS } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import type { Delivery } from '../../../../shared/domains/delivery/deliveries/index.ts';
import type { UserRecord, WorkspaceRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';

const delivery = {
  name: 'Sales',
  owner: { userId: 'owner' },
  recipients: [{ userId: 'admin' }],
} as unknown as Delivery;

it.each([
  ['the address', undefined, 'new@corp.example'],
  ['the address before, until its person confirms the new one', false, 'old@corp.example'],
  ['the new address once it is confirmed', true, 'new@corp.example'],
])('an admin is told of a deactivated owner at %s', async (_, isConfirmed, expected) => {
  const change = isConfirmed === undefined ? {} : { addressChange: { from: 'old@corp.example', isConfirmed } };
  const sentTo: string[] = [];
  const deps = {
    members: async () =>
      new Map([['owner', false] as const, ['admin', true] as const].map(([id, isActive]) => [id, { isActive }])),
    user: async (id: string) => ({ id, name: id, email: 'new@corp.example', ...change }) as unknown as UserRecord,
    workspace: async () => ({ name: 'Shop' }) as WorkspaceRecord,
    mailer: { send: async (to: string) => void sentTo.push(to) },
  } as unknown as OwnerInactiveDeps;
  const message = {
    kind: 'ownerInactive',
    delivery: 'dashboard',
    workspaceId: 'w',
    deliveryId: 'd',
    userId: 'admin',
  } as const;
  await sendOwnerInactive(deps, { kind: DASHBOARDS, deliveries: { get: async () => delivery } }, message);
  expect(sentTo).toEqual([expected]);
});
