import { isSameAddress } from '../../../platform/text/email-address.ts';
import type { AddressChange, UserRecord } from './records.ts';

type Account = Pick<UserRecord, 'email' | 'companyRole' | 'passwordHash' | 'passwordSetBy' | 'addressChange'> & {
  hasOwnPassword?: true | undefined;
};

/**
 * Whether anyone but its company could lose the account: it has a role in the company, or a password that its user has
 * chosen.
 */
const isOwned = ({ companyRole, passwordHash, passwordSetBy, hasOwnPassword }: Account): boolean =>
  companyRole === 'company_admin' ||
  (passwordHash !== undefined && (passwordSetBy === undefined || hasOwnPassword === true));

/** Whether the address may get what gives access to the account. */
export const isTrustedAddress = ({ addressChange }: Pick<UserRecord, 'addressChange'>): boolean =>
  addressChange === undefined || addressChange.isConfirmed;

/** The address that mails about the person's work go to. */
export const trustedAddress = (user: Pick<UserRecord, 'email' | 'addressChange'>): string =>
  isTrustedAddress(user) ? user.email : user.addressChange!.from;

/** The state of the address after others have set it. */
export function addressChangeTo(user: Account, email: string): AddressChange | undefined {
  const { addressChange: current } = user;
  if (isSameAddress(user.email, email)) return current;
  if (!isOwned(user) && !current) return undefined;
  const from = trustedAddress(user);
  const isFromProven = current === undefined || (!current.isConfirmed && current.isFromProven);
  if (!isSameAddress(from, email)) return { from, isFromProven, isConfirmed: false };
  return isFromProven ? undefined : { from, isFromProven, isConfirmed: true };
}
