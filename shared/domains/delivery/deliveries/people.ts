/** A person, and the membership on which their part in a delivery depends. */
export interface DeliveryPerson {
  userId: string;
  membershipId: string;
}

/** A member, or an address outside the workspace, whose `userId` is an id made from the address. */
export interface DeliveryRecipient {
  userId: string;
  /** Absent for an address and a target. */
  membershipId?: string | undefined;
  address?: string | undefined;
  /** Whether it is a target of requests, whose `userId` is its id, and no person. */
  isTarget?: true | undefined;
}

/** Whether the recipient is a member of the workspace, or was one. */
export const isPerson = ({ address, isTarget }: DeliveryRecipient): boolean => address === undefined && !isTarget;

/** The recipient for exports and the audit log: memberships are internal. */
export const showRecipient = ({ userId, address }: DeliveryRecipient): { userId: string } | { address: string } =>
  address === undefined ? { userId } : { address };

/** Everything that a delivery is sent to. */
export const receiversOf = ({
  recipients,
  targets = [],
}: {
  recipients: readonly DeliveryRecipient[];
  targets?: readonly { id: string }[];
}): DeliveryRecipient[] => [...recipients, ...targets.map(({ id }) => ({ userId: id, isTarget: true as const }))];

/** The memberships of the people of a delivery, by user id. */
export type Memberships = ReadonlyMap<string, { membershipId: string }>;
/** The same, and whether their accounts are active. */
export type People = ReadonlyMap<string, { membershipId: string; isActive: boolean }>;

/** A person who left the workspace and rejoined has another membership, and is no longer the recipient. */
export const isStillMember = (members: Memberships, { userId, membershipId }: DeliveryRecipient): boolean =>
  members.has(userId) && members.get(userId)!.membershipId === membershipId;

/** A person whose account is deactivated gets nothing, but stays a recipient in case that it is activated again. */
export const mayReceive = (people: People, person: DeliveryRecipient): boolean =>
  isStillMember(people, person) && people.get(person.userId)!.isActive;

/** The reasons for which the people of a delivery stop it. */
export const PEOPLE_REASONS = ['OWNER_LEFT', 'OWNER_INACTIVE', 'NO_RECIPIENTS'] as const;
export type PeopleReason = (typeof PEOPLE_REASONS)[number];

/** Null if the owner and at least one recipient or target are left and active. */
export function stopReason(
  delivery: { owner: DeliveryPerson; recipients: readonly DeliveryRecipient[]; targets?: readonly { id: string }[] },
  people: People,
): PeopleReason | null {
  if (!isStillMember(people, delivery.owner)) return 'OWNER_LEFT';
  if (!mayReceive(people, delivery.owner)) return 'OWNER_INACTIVE';
  const isLeft = receiversOf(delivery).some((each) => !isPerson(each) || mayReceive(people, each));
  return isLeft ? null : 'NO_RECIPIENTS';
}

/** The ids of the members among the people. */
export const peopleOf = ({
  owner,
  recipients,
}: {
  owner: DeliveryPerson;
  recipients: readonly DeliveryRecipient[];
}): string[] => [owner, ...recipients.filter(isPerson)].map(({ userId }) => userId);
