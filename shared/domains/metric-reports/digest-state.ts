import type { DigestMember, DigestRecord, StopReason } from './digest-records.ts';

/** The memberships of the people of a digest, by user id. */
export type Memberships = ReadonlyMap<string, { membershipId?: string | undefined }>;

/** Someone who left and came back is not the recipient of before. */
export const isStillMember = (members: Memberships, { userId, membershipId }: DigestMember): boolean =>
  members.has(userId) && members.get(userId)!.membershipId === membershipId;

/** Why the digest cannot be sent, apart from its metrics; null if it can. */
export function stopReason(
  { owner, recipients }: Pick<DigestRecord, 'owner' | 'recipients'>,
  members: Memberships,
): StopReason | null {
  if (!isStillMember(members, owner)) return 'OWNER_LEFT';
  return recipients.some((recipient) => isStillMember(members, recipient)) ? null : 'NO_RECIPIENTS';
}
