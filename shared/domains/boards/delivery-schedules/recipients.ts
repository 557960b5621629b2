import type { Issue } from '../../../platform/errors/app-error.ts';
import { idFrom } from '../../../platform/storage/ids.ts';
import { foldAddress } from '../../../platform/text/email-address.ts';
import { type DeliveryPerson, type DeliveryRecipient, isStillMember } from '../../delivery/deliveries/index.ts';
import type { StoredMember, WorkspaceRecord } from '../../tenancy/workspaces/index.ts';
import type { ScheduleRecord } from './records.ts';
import type { ScheduleDeps } from './scheduled-object.ts';

/** The people who can own or receive what the workspace delivers. */
export async function deliveryPeople(
  deps: Pick<ScheduleDeps<ScheduleRecord>, 'members' | 'workspace'>,
  workspaceId: string,
) {
  const [members, workspace] = await Promise.all([deps.members(workspaceId), deps.workspace(workspaceId)]);
  const byEmail = new Map(members.map((member) => [foldAddress(member.email), member]));
  const byId = new Map(members.map((member) => [member.userId, member]));
  const find = (address: string) => recipientOf({ workspaceId, byEmail, workspace }, foldAddress(address.trim()));
  return {
    /** Whether rows may leave the workspace to the host. */
    allowsHost: (host: string) => allowsDomain(workspace, host),
    member: (userId: string): DeliveryPerson | undefined => personOf(byId.get(userId)),
    isLeft: (recipient: DeliveryRecipient) => recipient.address !== undefined || isStillMember(byId, recipient),
    find,
    /** Contains each recipient once, even if an address is given in two spellings. */
    recipients: (addresses: readonly string[]): DeliveryRecipient[] => [
      ...new Map(addresses.flatMap((each) => find(each) ?? []).map((each) => [each.userId, each])).values(),
    ],
    issues: (addresses: readonly string[]): Issue[] =>
      addresses.flatMap((address, index) => {
        if (find(address)) return [];
        const message =
          'is neither a member of the workspace nor in one of its delivery domains; an admin can add the domain to `deliveryDomains` with `PATCH /api/workspaces/current`';
        return [{ pointer: `/recipients/${index}`, code: 'NOT_A_MEMBER', message }];
      }),
  };
}

const personOf = (member: StoredMember | undefined): DeliveryPerson | undefined =>
  member && { userId: member.userId, membershipId: member.membershipId };

const allowsDomain = (workspace: WorkspaceRecord | undefined, domain: string): boolean =>
  workspace?.deliveryDomains?.includes(domain) ?? false;

function recipientOf(
  {
    workspaceId,
    byEmail,
    workspace,
  }: { workspaceId: string; byEmail: ReadonlyMap<string, StoredMember>; workspace: WorkspaceRecord | undefined },
  address: string,
): DeliveryRecipient | undefined {
  const member = byEmail.get(address);
  if (member) return personOf(member);
  return outsideRecipient({ workspaceId, workspace }, address);
}

/** An address outside the workspace; undefined if its domain is none of the delivery domains. */
export function outsideRecipient(
  { workspaceId, workspace }: { workspaceId: string; workspace: WorkspaceRecord | undefined },
  address: string,
): { userId: string; address: string } | undefined {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return allowsDomain(workspace, domain)
    ? { userId: idFrom('delivery-address', workspaceId, address), address }
    : undefined;
}
