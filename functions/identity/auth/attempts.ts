import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { networkOf } from '../../../shared/platform/net/network-of.ts';
import { type Key, uniqueKey } from '../../../shared/platform/storage/keys.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';
import {
  browserScope,
  deviceScope,
  resetScope,
  roomLeft,
  type Scope,
  scopesOf,
  secondsUntilRoom,
  signInCodeScope,
  stepsAt,
  userCodeScope,
} from './sign-in-limits.ts';

/** How long an account counts as known at an address after a sign-in. */
const KNOWN_SECONDS = 90 * 24 * 60 * 60;

export interface Attempt {
  /** Subtracts the attempt, whose password was correct, and records that the account signed in from the address. */
  succeeded(): Promise<void>;
  /**
   * Subtracts the attempt, whose password was correct. The sign-in goes on with the second factor, whose attempts count
   * again.
   */
  passed(): Promise<void>;
}

export interface SignInAttempts {
  /**
   * Counts an attempt to sign in, before its password is checked, so that concurrent attempts count like consecutive
   * ones. Throws `TOO_MANY_ATTEMPTS`; a rejected attempt does not count.
   */
  begin(email: string, sourceIp: string): Promise<Attempt>;
  /** Records that the account signed in from the address without a password, by a passkey. */
  recordSuccess(email: string, sourceIp: string): Promise<void>;
  /**
   * Counts a request for a reset of the password. Throws `TOO_MANY_ATTEMPTS`. Returns whether the account has signed in
   * from the address before.
   */
  beginReset(email: string, sourceIp: string): Promise<boolean>;
  /** Counts a device that asks to be signed in. Throws `TOO_MANY_ATTEMPTS`. */
  beginDevice(sourceIp: string): Promise<void>;
  /** Counts a code of a sign-in by browser that was wrong. Throws `TOO_MANY_ATTEMPTS`. */
  countWrongSignInCode(sourceIp: string): Promise<void>;
  /** Counts a program that a person approves in the browser. Throws `TOO_MANY_ATTEMPTS`. */
  beginApproval(userId: string): Promise<void>;
  /** Counts the code of a device that a person types, before it is looked up. Throws `TOO_MANY_ATTEMPTS`. */
  beginUserCode(userId: string): Promise<Pick<Attempt, 'passed'>>;
}

export function signInAttempts(table: Table): SignInAttempts {
  const read = async (key: Key) =>
    (await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }))).Item;
  const countOf = async (scope: Scope, step: number): Promise<number> =>
    ((await read(stepKey(scope, step)))?.attempts as number | undefined) ?? 0;

  /** Throws `TOO_MANY_ATTEMPTS` if the scope has reached its limit. */
  async function count(scope: Scope, now: number): Promise<void> {
    const steps = stepsAt(now);
    const before = await Promise.all(steps.before.map((step) => countOf(scope, step)));
    try {
      await add(scope, steps, 1, roomLeft(scope, before));
    } catch (cause) {
      if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      const counts = [await countOf(scope, steps.current), ...before];
      throw new AppError('TOO_MANY_ATTEMPTS', { cause, retryAfterSeconds: secondsUntilRoom(scope, counts, now) });
    }
  }

  /** Adds to the step if it has fewer than `max` attempts. */
  async function add(
    scope: Scope,
    { current, expiresAt }: { current: number; expiresAt: number },
    by: 1 | -1,
    max: number,
  ): Promise<void> {
    await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: stepKey(scope, current),
        UpdateExpression: 'ADD attempts :by SET expiresAt = :expiresAt',
        ConditionExpression: '(attribute_not_exists(attempts) AND :max > :none) OR attempts < :max',
        ExpressionAttributeValues: { ':by': by, ':max': max, ':none': 0, ':expiresAt': expiresAt },
      }),
    );
  }

  async function isKnown(key: Key, now: number): Promise<boolean> {
    return (((await read(key))?.expiresAt as number | undefined) ?? 0) > now;
  }

  async function recordKnown(key: Key, now: number): Promise<void> {
    const Item = { ...key, entity: 'known-sign-in', expiresAt: now + KNOWN_SECONDS };
    await table.db.send(new PutCommand({ TableName: table.name, Item }));
  }

  return {
    recordSuccess: (email, sourceIp) => recordKnown(knownKey(email, networkOf(sourceIp)), secondsOf(table.now())),

    async beginReset(email, sourceIp) {
      const now = secondsOf(table.now());
      const address = networkOf(sourceIp);
      const known = await isKnown(knownKey(email, address), now);
      await count(resetScope({ email, address, isKnown: known }), now);
      return known;
    },

    beginDevice: (sourceIp) => count(deviceScope(networkOf(sourceIp)), secondsOf(table.now())),

    countWrongSignInCode: (sourceIp) => count(signInCodeScope(networkOf(sourceIp)), secondsOf(table.now())),

    beginApproval: (userId) => count(browserScope(userId), secondsOf(table.now())),

    async beginUserCode(userId) {
      const now = secondsOf(table.now());
      const scope = userCodeScope(userId);
      await count(scope, now);
      return { passed: () => add(scope, stepsAt(now), -1, Number.MAX_SAFE_INTEGER) };
    },

    async begin(email, sourceIp) {
      const now = secondsOf(table.now());
      const address = networkOf(sourceIp);
      const known = knownKey(email, address);
      const counted: Scope[] = [];
      const takeBack = () => Promise.all(counted.map((scope) => add(scope, stepsAt(now), -1, Number.MAX_SAFE_INTEGER)));
      for (const scope of scopesOf({ email, address, isKnown: await isKnown(known, now) })) {
        try {
          await count(scope, now);
        } catch (error) {
          await takeBack();
          throw error;
        }
        counted.push(scope);
      }
      return {
        passed: async () => void (await takeBack()),
        succeeded: async () => void (await Promise.all([takeBack(), recordKnown(known, now)])),
      };
    },
  };
}

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000);
const stepKey = ({ name }: Scope, step: number): Key => uniqueKey('SIGN-IN-ATTEMPTS', `${name} ${step}`);
const knownKey = (email: string, address: string): Key => uniqueKey('SIGN-IN-KNOWN', `${email} ${address}`);
