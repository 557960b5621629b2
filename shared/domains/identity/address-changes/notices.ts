import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { newId } from '../../../platform/storage/ids.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { type Key, userKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { isEmailAddress, isSameAddress } from '../../../platform/text/email-address.ts';
import { addressChangeTo, type UserRecord } from '../../tenancy/workspaces/index.ts';

/** How long the link in the mail works. */
export const CONFIRMATION_DAYS = 7;

const DAY_SECONDS = 24 * 60 * 60;
const KEPT_DAYS = 30;
const PREFIX = 'ADDRESS-NOTICE#';

/** A mail that tells a person that others have changed the address of the account. */
export interface AddressNotice {
  id: string;
  userId: string;
  /** An address before. */
  to: string;
  /** The address that the account has got. */
  email: string;
  /** Whether the mail has a link to confirm the change: it went to the last address that the person had confirmed. */
  hasLink: boolean;
  changedAt: string;
  /** The digest of the token in the link. */
  digest?: string;
  /** When SES took the mail, or refused it for good. */
  sentAt?: string;
}

export interface AddressNotices {
  /** For the transaction that changes the address: a notice for each address that is notified. */
  items(user: UserRecord, email: string, at: Date): TransactItem[];
  get(named: Pick<AddressNotice, 'userId' | 'id'>): Promise<AddressNotice | undefined>;
  /** Those whose mails are still to be sent. */
  unsent(userId: string): Promise<AddressNotice[]>;
  /** Stores the digest of a new token, which voids the one before. */
  setToken(notice: AddressNotice, digest: string): Promise<void>;
  sent(notice: AddressNotice, at: Date): Promise<void>;
}

/** Whether the link of the notice still confirms the change. */
export const isOpen = ({ to, email, changedAt, hasLink }: AddressNotice, user: UserRecord, now: Date): boolean =>
  hasLink &&
  user.addressChange?.isConfirmed === false &&
  isSameAddress(user.email, email) &&
  isSameAddress(user.addressChange.from, to) &&
  now.getTime() - Date.parse(changedAt) < CONFIRMATION_DAYS * DAY_SECONDS * 1000;

export function addressNotices(table: Table): AddressNotices {
  const keyOf = (userId: string, id: string): Key => userKey(userId, `${PREFIX}${id}`);
  const set = async ({ userId, id }: AddressNotice, members: Partial<AddressNotice>) =>
    void (await ifHolds(
      table.db.send(new UpdateCommand(updateOf(table, keyOf(userId, id), { set: { ...members } }, { exists: ['pk'] }))),
    ));

  return {
    items(user, email, at) {
      if (isSameAddress(user.email, email)) return [];
      const change = addressChangeTo(user, email);
      const confirming = change?.isConfirmed === false ? change.from : undefined;
      const notified =
        confirming === undefined || isSameAddress(confirming, user.email) ? [user.email] : [user.email, confirming];
      return notified.filter(isEmailAddress).map((to) => {
        const id = newId(at);
        const hasLink = confirming !== undefined && isSameAddress(to, confirming);
        const notice: AddressNotice = { id, userId: user.id, to, email, hasLink, changedAt: at.toISOString() };
        const expiresAt = Math.floor(at.getTime() / 1000) + KEPT_DAYS * DAY_SECONDS;
        const Item = { ...notice, ...keyOf(user.id, id), entity: 'address-notice', expiresAt };
        return { Put: { TableName: table.name, Item } };
      });
    },

    async get({ userId, id }) {
      const found = await table.db.send(
        new GetCommand({ TableName: table.name, Key: keyOf(userId, id), ConsistentRead: true }),
      );
      return found.Item && toRecord<AddressNotice>(found.Item);
    },

    async unsent(userId) {
      const stored = await Array.fromAsync(itemsBelow(table, userKey(userId, PREFIX)), toRecord<AddressNotice>);
      return stored.filter(({ sentAt }) => sentAt === undefined);
    },

    setToken: (notice, digest) => set(notice, { digest }),
    sent: (notice, at) => set(notice, { sentAt: at.toISOString() }),
  };
}
