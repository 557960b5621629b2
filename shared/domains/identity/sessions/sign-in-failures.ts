import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { recordAct } from '../../../platform/audit/entry.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { uniqueKey } from '../../../platform/storage/keys.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { actOf, type UserRecord } from '../../tenancy/workspaces/index.ts';

const HOUR_SECONDS = 60 * 60;
/** Failures of an account in an hour that have an entry each. */
const LISTED = 10;

/** What did not admit the person. */
export type FailedProof = 'password' | 'secondFactor' | 'passkey' | 'sso';

/** Failed sign-ins in the audit log. */
export interface SignInFailures {
  /** Without an account it takes as many requests, so that the time does not reveal which accounts exist. */
  record(
    user: UserRecord | undefined,
    failed: { email: string; proof: FailedProof; providerId?: string; reason?: string },
  ): Promise<void>;
}

/**
 * Attackers decide how often sign-ins fail, so an hour of an account has ten entries, and then one for each power of
 * ten with the number of failures until then.
 */
export function signInFailures(table: Table): SignInFailures {
  async function count(email: string): Promise<number> {
    const hour = Math.floor(table.now().getTime() / 1000 / HOUR_SECONDS) * HOUR_SECONDS;
    const counted = await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: uniqueKey('SIGN-IN-FAILURES', `${email} ${hour}`),
        UpdateExpression: 'ADD failures :one SET expiresAt = :expiresAt',
        ExpressionAttributeValues: { ':one': 1, ':expiresAt': hour + 2 * HOUR_SECONDS },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return counted.Attributes!.failures as number;
  }

  return {
    async record(user, { email, ...failed }) {
      const failuresThisHour = await count(email);
      if (!isListed(failuresThisHour)) return;
      if (!user) return writeNothing(table);
      await recordAct(table, {
        ...actOf(user, null),
        action: 'user.sign_in_failed',
        after: { ...failed, failuresThisHour },
      });
    },
  };
}

export const isListed = (count: number): boolean => count <= LISTED || Number.isInteger(Math.log10(count));

async function writeNothing(table: Table): Promise<void> {
  const Item = uniqueKey('SIGN-IN-FAILURES', 'NONE');
  const never = { TableName: table.name, Item, ConditionExpression: 'attribute_exists(pk)' };
  await ifHolds(table.db.send(new PutCommand(never)));
}
