/** The public API of this domain; everything else is internal. */
export { type InvitationTokens, invitationTokens } from './invitation-token.ts';
export { INVITATION_DAYS, type InvitationRecord, isMailed, isPending, validUntil } from './records.ts';
export { type InvitationRepository, invitationRepository } from './repository.ts';
