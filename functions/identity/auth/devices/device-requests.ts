import { createHmac, randomBytes } from 'node:crypto';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SignInMethod } from '../../../../shared/domains/identity/sessions/index.ts';
import { actOf, type UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { holdsAudited } from '../../../../shared/platform/audit/entry.ts';
import { secretDigest } from '../../../../shared/platform/auth/credentials.ts';
import type { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { ifHolds } from '../../../../shared/platform/storage/if-holds.ts';
import { type Key, uniqueKey } from '../../../../shared/platform/storage/keys.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { failedConditions, transact } from '../../../../shared/platform/storage/transact.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { newUserCode } from './user-code.ts';

export const DEVICE_SECONDS = 10 * 60;
export const FIRST_INTERVAL_SECONDS = 5;
/** By how much a client that polls too fast has to slow down (RFC 8628, 3.5). */
const SLOWER_SECONDS = 5;

/** The sign-in of a person who has approved the request: the new one is made in its place. */
export interface Approval {
  userId: string;
  workspaceId: string;
  membershipId: string;
  sessionId: string;
  /** Of the person at that time. What begins another one also ends what was approved before. */
  signInEpoch?: string | undefined;
  method?: SignInMethod | undefined;
  /** When the person signed in. */
  signedInAt: string;
}

/** A device that waits for a person to approve its sign-in. Neither of its codes is stored. */
export interface DeviceRequest {
  /** The digest of the device code. */
  digest: string;
  status: 'pending' | 'approved' | 'denied';
  clientName: string | null;
  sourceIp: string;
  userAgent: string | null;
  createdAt: string;
  intervalSeconds: number;
  /** The earliest time of the next poll, in milliseconds. */
  nextPollAt: number;
  /** Who has approved or denied it. */
  decidedBy?: string;
  approval?: Approval;
  /** Seconds since the epoch; DynamoDB removes the item afterwards. */
  expiresAt: number;
}

type NewRequest = Pick<DeviceRequest, 'clientName' | 'sourceIp' | 'userAgent'>;

export interface DeviceRequests {
  create(request: NewRequest): Promise<{ deviceCode: string; userCode: string }>;
  /** The request that a person names; undefined once it has expired or was used. */
  byUserCode(userCode: string): Promise<DeviceRequest | undefined>;
  /**
   * The request of a device that asks for its tokens, or the interval that it has to keep from now on, because it polls
   * too fast. Undefined for a code that is unknown, expired or used.
   */
  poll(deviceCode: string): Promise<DeviceRequest | { slowDownTo: number } | undefined>;
  /** Returns false if another decision was made before. */
  approve(request: DeviceRequest, user: UserRecord, approval: Approval): Promise<boolean>;
  deny(request: DeviceRequest, user: UserRecord, workspaceId: string): Promise<boolean>;
  /** Uses up an approved request. Of many simultaneous calls one returns true. */
  take(request: DeviceRequest): Promise<boolean>;
}

const deviceKey = (digest: string): Key => uniqueKey('DEVICE-SIGN-IN', digest);
const codeKey = (digest: string): Key => uniqueKey('DEVICE-CODE', digest);

export function deviceRequests(table: Table, master: MasterSecret): DeviceRequests {
  const nowMs = () => table.now().getTime();
  const isOver = ({ expiresAt }: Pick<DeviceRequest, 'expiresAt'>) => expiresAt * 1000 <= nowMs();

  /** User codes are short: their digest has a key, so that the table alone does not reveal them. */
  async function codeDigest(userCode: string): Promise<string> {
    const { key } = await master.derive('device-codes');
    return createHmac('sha256', key).update(userCode).digest('hex');
  }

  async function read<T>(key: Key): Promise<T | undefined> {
    const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }));
    return Item as T | undefined;
  }

  async function byDigest(digest: string): Promise<DeviceRequest | undefined> {
    const found = await read<DeviceRequest>(deviceKey(digest));
    return found && !isOver(found) ? found : undefined;
  }

  async function put(request: DeviceRequest, userCode: string): Promise<boolean> {
    const { digest, expiresAt } = request;
    const Code = { ...codeKey(await codeDigest(userCode)), entity: 'device-code', digest, expiresAt };
    const free = 'attribute_not_exists(pk) OR expiresAt <= :now';
    const values = { ':now': Math.floor(nowMs() / 1000) };
    try {
      await transact(table, [
        {
          Put: {
            TableName: table.name,
            Item: Code,
            ConditionExpression: free,
            ExpressionAttributeValues: values,
          },
        },
        { Put: { TableName: table.name, Item: { ...request, ...deviceKey(digest), entity: 'device-sign-in' } } },
      ]);
      return true;
    } catch (cause) {
      if (failedConditions(cause).has(0)) return false;
      throw cause;
    }
  }

  const decide = (
    { digest }: DeviceRequest,
    set: Partial<DeviceRequest>,
    user: UserRecord,
    { workspaceId, action }: { workspaceId: string; action: 'session.device_approved' | 'session.device_denied' },
    { clientName, sourceIp }: DeviceRequest,
  ) =>
    holdsAudited(
      table,
      { Update: updateOf(table, deviceKey(digest), { set }, { equals: { status: 'pending' } }) },
      { ...actOf(user, workspaceId), action, after: { clientName, sourceIp } },
    );

  return {
    async create(request) {
      const deviceCode = `dc_${randomBytes(32).toString('base64url')}`;
      const now = nowMs();
      const record: DeviceRequest = {
        ...request,
        digest: secretDigest(deviceCode),
        status: 'pending',
        createdAt: new Date(now).toISOString(),
        intervalSeconds: FIRST_INTERVAL_SECONDS,
        nextPollAt: now,
        expiresAt: Math.floor(now / 1000) + DEVICE_SECONDS,
      };
      for (;;) {
        const userCode = newUserCode();
        // Another device may have drawn the same code.
        if (await put(record, userCode)) return { deviceCode, userCode };
      }
    },

    async byUserCode(userCode) {
      const code = await read<{ digest: string; expiresAt: number }>(codeKey(await codeDigest(userCode)));
      return code && !isOver(code) ? byDigest(code.digest) : undefined;
    },

    async poll(deviceCode) {
      const found = await byDigest(secretDigest(deviceCode));
      if (!found) return undefined;
      const { digest, intervalSeconds, nextPollAt } = found;
      const now = nowMs();
      const isTooFast = now < nextPollAt;
      const kept = isTooFast ? intervalSeconds + SLOWER_SECONDS : intervalSeconds;
      const set = { intervalSeconds: kept, nextPollAt: now + kept * 1000 };
      // Of simultaneous polls one counts; the others are too fast.
      const isFirst = await ifHolds(
        table.db.send(new UpdateCommand(updateOf(table, deviceKey(digest), { set }, { equals: { nextPollAt } }))),
      );
      return isTooFast || !isFirst ? { slowDownTo: kept } : found;
    },

    approve: (request, user, approval) =>
      decide(
        request,
        { status: 'approved', decidedBy: user.id, approval },
        user,
        { workspaceId: approval.workspaceId, action: 'session.device_approved' },
        request,
      ),

    deny: (request, user, workspaceId) =>
      decide(
        request,
        { status: 'denied', decidedBy: user.id },
        user,
        { workspaceId, action: 'session.device_denied' },
        request,
      ),

    take: ({ digest }) =>
      ifHolds(
        table.db.send(
          new DeleteCommand({
            TableName: table.name,
            Key: deviceKey(digest),
            ConditionExpression: '#status = :approved',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':approved': 'approved' },
          }),
        ),
      ),
  };
}
