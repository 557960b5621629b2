import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../platform/errors/app-error.ts';
import { ifHolds } from '../../platform/storage/if-holds.ts';
import { type Key, workspaceKey } from '../../platform/storage/keys.ts';
import { readItems } from '../../platform/storage/read-items.ts';
import type { Table } from '../../platform/storage/table.ts';
import type { LinkReader } from './records.ts';

const HOUR_SECONDS = 60 * 60;

export interface AiQuota {
  /** Takes one question of the clock hour. Throws `SHARE_AI_SPENT`. Call `giveBack` if the provider was not called. */
  take(reader: LinkReader): Promise<{ remaining: number; giveBack(): Promise<void> }>;
  /** The questions of this clock hour, by the id of the share link. */
  used(workspaceId: string, ids: readonly string[]): Promise<Map<string, number>>;
}

/** Counts the questions of each clock hour. Embed tokens of one dashboard share a quota: a site may create any number of them. */
export function aiQuota(table: Table): AiQuota {
  const now = () => Math.floor(table.now().getTime() / 1000);
  const keyOf = (workspaceId: string, scope: string, hour: number): Key =>
    workspaceKey(workspaceId, `LINK-AI#${hour}`, scope);
  const hourOf = (at: number) => at - (at % HOUR_SECONDS);

  return {
    async take({ workspaceId, kind, id, content, aiRatePerHour }) {
      const at = now();
      const hour = hourOf(at);
      const Key = keyOf(workspaceId, kind === 'share' ? id : `EMBED#${content.id}`, hour);
      const add = (by: number, condition: string, values: Record<string, number>) =>
        table.db.send(
          new UpdateCommand({
            TableName: table.name,
            Key,
            UpdateExpression: 'ADD used :by SET expiresAt = :expiresAt',
            ConditionExpression: condition,
            ExpressionAttributeValues: { ':by': by, ':expiresAt': hour + 2 * HOUR_SECONDS, ...values },
            ReturnValues: 'UPDATED_NEW',
          }),
        );
      let used = 0;
      const taken = add(1, 'attribute_not_exists(used) OR used < :max', { ':max': aiRatePerHour });
      if (!(await ifHolds(taken.then(({ Attributes }) => (used = Attributes!.used as number)))))
        throw new AppError('SHARE_AI_SPENT', { retryAfterSeconds: hour + HOUR_SECONDS - at });
      return {
        remaining: Math.max(0, aiRatePerHour - used),
        giveBack: async () => void (await ifHolds(add(-1, 'used > :none', { ':none': 0 }))),
      };
    },

    async used(workspaceId, ids) {
      const hour = hourOf(now());
      const items = await readItems(
        table,
        ids.map((id) => keyOf(workspaceId, id, hour)),
      );
      return new Map(items.map(({ sk, used }) => [sk as string, used as number]));
    },
  };
}
