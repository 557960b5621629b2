import { setTimeout as pause } from 'node:timers/promises';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { secretDigest } from '../../platform/auth/credentials.ts';
import type { Passwords } from '../../platform/auth/password.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { networkOf } from '../../platform/net/network-of.ts';
import { ifHolds } from '../../platform/storage/if-holds.ts';
import { uniqueKey } from '../../platform/storage/keys.ts';
import { LatestEntries } from '../../platform/storage/latest-entries.ts';
import type { Table } from '../../platform/storage/table.ts';
import type { LinkReader } from './records.ts';

const WINDOW_SECONDS = 10 * 60;
const MAX_FAILURES = 10;
const MAX_DELAY_MS = 2_000;
const MAX_KNOWN = 10_000;

export interface LinkPasswords {
  /**
   * Returns for links without a password and for the right one. Throws `SHARE_PASSWORD`, and `TOO_MANY_PASSWORDS` after ten wrong ones
   * from an address within ten minutes.
   */
  check(reader: LinkReader, given: { password?: string | undefined; sourceIp: string }): Promise<void>;
}

/** Wrong passwords from anywhere delay the next check of the link. A lock would shut out all its readers. */
export const delayMs = (failures: number): number =>
  failures < 3 ? 0 : Math.min(MAX_DELAY_MS, 50 * 2 ** (failures - 3));

/** Password-protected links. A page sends the password with every card, so a function caches those that were right. */
export function linkPasswords(
  table: Table,
  passwords: Passwords,
  wait: (ms: number) => Promise<unknown> = pause,
): LinkPasswords {
  const known = new LatestEntries<true>(MAX_KNOWN);
  const seconds = () => Math.floor(table.now().getTime() / 1000);

  async function failures(name: string): Promise<number> {
    const Key = uniqueKey('LINK-PASSWORDS', name);
    const found = (await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }))).Item;
    return found && (found.expiresAt as number) > seconds() ? (found.failures as number) : 0;
  }

  /** The first failure after the end of a window begins another one. Returns false once the window has `max` failures. */
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

  return {
    async check({ passwordHash, tokenDigest }, { password, sourceIp }) {
      if (passwordHash === null) return;
      if (password === undefined) throw new AppError('SHARE_PASSWORD');
      const proof = secretDigest(`${passwordHash} ${password}`);
      if (known.get(proof)) return;
      const pair = `${tokenDigest} ${networkOf(sourceIp)}`;
      // Counted before the check, so that parallel guesses do not evade the limit.
      if (!(await add(pair, MAX_FAILURES))) {
        throw new AppError('TOO_MANY_PASSWORDS', { retryAfterSeconds: WINDOW_SECONDS });
      }
      await wait(delayMs(await failures(tokenDigest)));
      if (await passwords.matches(password, passwordHash)) {
        await subtract(pair);
        known.set(proof, true);
        return;
      }
      await add(tokenDigest, Number.MAX_SAFE_INTEGER);
      throw new AppError('SHARE_PASSWORD');
    },
  };
}
