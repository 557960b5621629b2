import { setTimeout as pause } from 'node:timers/promises';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { secretDigest } from '../../../platform/auth/credentials.ts';
import type { Passwords } from '../../../platform/auth/password.ts';
import type { MasterSecret } from '../../../platform/crypto/master-secret.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { networkOf } from '../../../platform/net/network-of.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { uniqueKey } from '../../../platform/storage/keys.ts';
import { LatestEntries } from '../../../platform/storage/latest-entries.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { linkPasses } from './link-pass.ts';
import type { LinkReader } from './records.ts';

const WINDOW_SECONDS = 10 * 60;
const MAX_FAILURES = 10;
const MAX_DELAY_MS = 2_000;
const MAX_KNOWN = 10_000;
/** Checks in progress count as failures for a moment; these are the waits for the ones before. */
const RETRY_MS = [100, 400] as const;

export interface LinkPasswords {
  /**
   * Returns for links without a password and for the right one. Throws `SHARE_PASSWORD`, and `TOO_MANY_PASSWORDS` after
   * ten wrong ones from an address within ten minutes.
   */
  check(reader: LinkReader, given: { password?: string | undefined; sourceIp: string }): Promise<void>;
  /** What a page sends in place of the password that has opened it. Undefined for links without a password. */
  passFor(reader: LinkReader): Promise<string | undefined>;
}

/** Wrong passwords from anywhere delay the next check of the link. A lock would shut out all its readers. */
export const delayMs = (failures: number): number =>
  failures < 3 ? 0 : Math.min(MAX_DELAY_MS, 50 * 2 ** (failures - 3));

/**
 * Password-protected links. Programs send the password with every card, so a function caches those that were right. A
 * cached one spares its hash, but not the limit: if the right password passed where wrong ones are refused, any number
 * of guesses would find it.
 */
export function linkPasswords(
  { table, master }: { table: Table; master: Pick<MasterSecret, 'derive'> },
  passwords: Passwords,
  wait: (ms: number) => Promise<unknown> = pause,
): LinkPasswords {
  const passes = linkPasses(master, table.now);
  const known = new LatestEntries<true>(MAX_KNOWN);
  const seconds = () => Math.floor(table.now().getTime() / 1000);

  async function failures(name: string): Promise<number> {
    const Key = uniqueKey('LINK-PASSWORDS', name);
    const found = (await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }))).Item;
    return found && (found.expiresAt as number) > seconds() ? (found.failures as number) : 0;
  }

  /**
   * The first failure after the end of a window begins another one. Returns false once the window has `max` failures.
   */
  async function add(name: string, max: number): Promise<boolean> {
    const now = seconds();
    const update = (UpdateExpression: string, ConditionExpression: string, values: Record<string, unknown>) =>
      ifHolds(
        table.db.send(
          new UpdateCommand({
            TableName: table.name,
            Key: uniqueKey('LINK-PASSWORDS', name),
            UpdateExpression,
            ConditionExpression,
            ExpressionAttributeValues: { ':one': 1, ...values },
          }),
        ),
      );
    const begun = await update(
      'SET failures = :one, expiresAt = :end',
      'attribute_not_exists(pk) OR expiresAt <= :now',
      {
        ':now': now,
        ':end': now + WINDOW_SECONDS,
      },
    );
    return begun || (await update('ADD failures :one', 'failures < :max', { ':max': max }));
  }

  const subtract = (name: string) =>
    ifHolds(
      table.db.send(
        new UpdateCommand({
          TableName: table.name,
          Key: uniqueKey('LINK-PASSWORDS', name),
          UpdateExpression: 'ADD failures :by',
          ConditionExpression: 'failures > :none',
          ExpressionAttributeValues: { ':by': -1, ':none': 0 },
        }),
      ),
    );

  /** Counts the check as a failure before it is made, so that parallel guesses do not evade the limit. */
  async function begin(name: string): Promise<void> {
    for (const ms of [0, ...RETRY_MS]) {
      if (ms > 0) await wait(ms);
      if (await add(name, MAX_FAILURES)) return;
    }
    throw new AppError('TOO_MANY_PASSWORDS', { retryAfterSeconds: WINDOW_SECONDS });
  }

  return {
    async check(reader, { password, sourceIp }) {
      const { passwordHash, tokenDigest } = reader;
      if (passwordHash === null) return;
      if (password === undefined) throw new AppError('SHARE_PASSWORD');
      if (await passes.isValid(reader, password)) return;
      const pair = `${tokenDigest} ${networkOf(sourceIp)}`;
      await begin(pair);
      const proof = secretDigest(`${passwordHash} ${password}`);
      if (!known.get(proof)) {
        await wait(delayMs(await failures(tokenDigest)));
        if (!(await passwords.matches(password, passwordHash))) {
          await add(tokenDigest, Number.MAX_SAFE_INTEGER);
          throw new AppError('SHARE_PASSWORD');
        }
        known.set(proof, true);
      }
      await subtract(pair);
    },

    passFor: async (reader) => (reader.passwordHash === null ? undefined : passes.create(reader)),
  };
}
