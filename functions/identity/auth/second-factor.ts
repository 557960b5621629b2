import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Secret, TOTP } from 'otpauth';
import {
  actOf,
  SECOND_FACTOR,
  type UserRecord,
  userRecordKey,
} from '../../../shared/domains/tenancy/workspaces/index.ts';
import { holdsAudited } from '../../../shared/platform/audit/entry.ts';
import { secretDigest } from '../../../shared/platform/auth/credentials.ts';
import type { SecretBox } from '../../../shared/platform/crypto/secret-box.ts';
import { ifHolds } from '../../../shared/platform/storage/if-holds.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import { wrongCodes } from './wrong-codes.ts';

/** Codes of an authenticator app: TOTP (RFC 6238) with what all apps support: SHA-1, six digits, 30 seconds. */
const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
/** A clock may be one step off. */
const WINDOW = 1;

/** How long the secret of an app that is being set up is valid. */
const SETUP_MS = 15 * 60_000;

const RECOVERY_CODES = 10;
const RECOVERY_CODE_BYTES = 10;

export interface Enrolment {
  /** Base32, for typing into an app. */
  secret: string;
  /** For a QR code. */
  otpauthUrl: string;
}

/** The second factor of users: codes of an app, and recovery codes for its loss. Each code works once. */
export interface SecondFactor {
  /** Creates a secret for an app. It replaces an earlier one that was not activated. */
  enrol(user: UserRecord): Promise<Enrolment>;
  /** Turns the factor on with a code of the new app. Returns recovery codes, or undefined if the code is wrong. */
  activate(user: UserRecord, code: string): Promise<string[] | undefined>;
  /**
   * What the code is of, if it is right. It cannot be used again. Throws `TOO_MANY_ATTEMPTS` after 30 wrong ones.
   */
  redeem(user: UserRecord, code: string): Promise<'app' | 'recoveryCode' | undefined>;
  replaceRecoveryCodes(user: UserRecord): Promise<string[]>;
  turnOff(user: UserRecord): Promise<void>;
}

export const hasSecondFactor = (user: UserRecord): boolean => user.sealedTotp !== undefined;

export function secondFactor(table: Table, secrets: SecretBox): SecondFactor {
  const wrong = wrongCodes(table);
  const change = (user: UserRecord, action: SecondFactorAct, ...[members, condition]: ChangeAndCondition) =>
    holdsAudited(
      table,
      { Update: updateOf(table, userRecordKey(user.id), members, condition) },
      { ...actOf(user, null), action },
    );
  const sealedFor = (user: UserRecord) => `user/${user.id}`;
  const stepOf = async (user: UserRecord, sealed: string, code: string): Promise<number | undefined> =>
    acceptedStep(await secrets.open(sealedFor(user), sealed), code, table.now());

  return {
    async enrol(user) {
      const secret = new Secret({ size: SECRET_BYTES }).base32;
      const sealedPendingTotp = await secrets.seal(sealedFor(user), secret);
      const pendingTotpUntil = new Date(table.now().getTime() + SETUP_MS).toISOString();
      await change(
        user,
        'user.mfa_setup_started',
        { set: { sealedPendingTotp, pendingTotpUntil } },
        { exists: ['pk'] },
      );
      return { secret, otpauthUrl: totp(secret, user.email).toString() };
    },

    async activate(user, code) {
      const { sealedPendingTotp, pendingTotpUntil = '' } = user;
      if (pendingTotpUntil <= table.now().toISOString()) return undefined;
      const totpStep = sealedPendingTotp && (await stepOf(user, sealedPendingTotp, code));
      if (!sealedPendingTotp || !totpStep) return undefined;
      const codes = newRecoveryCodes();
      const set = { sealedTotp: sealedPendingTotp, totpStep, recoveryDigests: digestsOf(codes) };
      const isOn = await change(
        user,
        'user.mfa_enabled',
        { set, remove: ['sealedPendingTotp', 'pendingTotpUntil'] },
        { equals: { sealedPendingTotp }, absent: ['sealedTotp'] },
      );
      return isOn ? codes : undefined;
    },

    async redeem(user, code) {
      const { sealedTotp } = user;
      if (sealedTotp === undefined) return undefined;
      const wasRight = await wrong.count(user.id);
      const isOfApp = /^\d{6}$/.test(code);
      const isRight = isOfApp
        ? await redeemTotp(table, user, await stepOf(user, sealedTotp, code))
        : await redeemRecoveryCode(table, user, code);
      if (!isRight) return undefined;
      await wasRight();
      return isOfApp ? 'app' : 'recoveryCode';
    },

    async replaceRecoveryCodes(user) {
      const codes = newRecoveryCodes();
      await change(
        user,
        'user.recovery_codes_replaced',
        { set: { recoveryDigests: digestsOf(codes) } },
        { exists: ['sealedTotp'] },
      );
      return codes;
    },

    async turnOff(user) {
      await change(user, 'user.mfa_disabled', { remove: SECOND_FACTOR }, { exists: ['pk'] });
    },
  };
}

type SecondFactorAct =
  | 'user.mfa_setup_started'
  | 'user.mfa_enabled'
  | 'user.mfa_disabled'
  | 'user.recovery_codes_replaced';
type ChangeAndCondition = [Parameters<typeof updateOf>[2], Parameters<typeof updateOf>[3]];

const totp = (secret: string, label: string): TOTP =>
  new TOTP({ issuer: 'Analytics', label, secret: Secret.fromBase32(secret), period: STEP_SECONDS });

/** The step whose code this is, within the window. */
function acceptedStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = totp(secret, '').validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta;
}

/** Sixteen characters without those that look alike, in groups of four: 80 random bits. */
function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const { base32 } = new Secret({ size: RECOVERY_CODE_BYTES });
    return base32.match(/.{4}/g)!.join('-').toLowerCase();
  });
}

const recoveryDigest = (code: string): string => secretDigest(code.replace(/[\s-]/g, '').toLowerCase());
const digestsOf = (codes: readonly string[]): Set<string> => new Set(codes.map(recoveryDigest));

async function redeemTotp(table: Table, user: UserRecord, step: number | undefined): Promise<boolean> {
  if (step === undefined) return false;
  return ifHolds(
    table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: userRecordKey(user.id),
        UpdateExpression: 'SET totpStep = :step',
        ConditionExpression: 'totpStep < :step AND sealedTotp = :sealed',
        ExpressionAttributeValues: { ':step': step, ':sealed': user.sealedTotp },
      }),
    ),
  );
}

/** One conditional write, so that of many simultaneous uses one succeeds. */
function redeemRecoveryCode(table: Table, user: UserRecord, code: string): Promise<boolean> {
  const digest = recoveryDigest(code);
  return ifHolds(
    table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: userRecordKey(user.id),
        UpdateExpression: 'DELETE recoveryDigests :used',
        ConditionExpression: 'contains(recoveryDigests, :digest)',
        ExpressionAttributeValues: { ':used': new Set([digest]), ':digest': digest },
      }),
    ),
  );
}
