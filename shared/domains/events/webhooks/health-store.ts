import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type Change, type Condition, updateOf } from '../../../platform/storage/update.ts';
import { HEALTHY, isBreakerOpen, PROBE_EVERY_MS, shouldRecordSuccess, type WebhookHealth } from './health.ts';
import { healthKey, WEBHOOK_CHECK } from './keys.ts';

/** Identifies a webhook. */
interface WebhookRef {
  id: string;
  workspaceId: string;
}

export interface HealthStore {
  /** The health of webhooks by id; absent for a webhook without deliveries. */
  getMany(workspaceId: string, webhookIds: readonly string[]): Promise<Map<string, WebhookHealth>>;
  /** Records a successful attempt; returns whether it closed the breaker. */
  recordSuccess(webhook: WebhookRef, seen: WebhookHealth, now: Date): Promise<boolean>;
  /** Records a failed attempt, which may open the breaker. */
  recordFailure(webhook: WebhookRef, now: Date): Promise<WebhookHealth>;
  /** Records the first answer of the webhook. */
  recordAnswer(webhook: WebhookRef, now: Date): Promise<void>;
  /** Records that the webhook answers late and belongs to the slow lane until then. */
  recordSlow(webhook: WebhookRef, until: string): Promise<void>;
  /** Takes the one attempt per minute that an open breaker allows; returns false if it was already taken. */
  takeProbe(webhook: WebhookRef, seen: WebhookHealth, now: Date): Promise<boolean>;
  /** Records that a delivery is held, and schedules a check of the webhook. */
  recordHeld(webhook: WebhookRef, now: Date): Promise<void>;
  /** Schedules the next check; with null, ends the checks unless a delivery was held since `seen`. */
  scheduleCheck(webhook: WebhookRef, seen: WebhookHealth, next: Date | null): Promise<void>;
  /** Removes the health of a deleted webhook, unless a delivery was held since `seen`. */
  remove(webhook: WebhookRef, seen: WebhookHealth): Promise<void>;
  /** Resets the health and schedules a check at once; written when the webhook is enabled, changed or deleted. */
  reset(webhook: WebhookRef, now: Date): TransactItem;
}

export function healthStore(table: Table): HealthStore {
  async function update(webhook: WebhookRef, change: Change, condition: Condition = {}): Promise<WebhookHealth> {
    const expressions = updateOf(table, healthKey(webhook.workspaceId, webhook.id), change, condition);
    const reply = await table.db.send(new UpdateCommand({ ...expressions, ReturnValues: 'ALL_NEW' }));
    return toHealth(reply.Attributes);
  }
  const checkAt = (at: Date) => ({ due: WEBHOOK_CHECK, dueAt: at.toISOString() });

  return {
    async getMany(workspaceId, webhookIds) {
      const found = new Map<string, WebhookHealth>();
      for (let start = 0; start < webhookIds.length; start += 100) {
        let keys = webhookIds.slice(start, start + 100).map((id) => healthKey(workspaceId, id));
        while (keys.length > 0) {
          const reply = await table.db.send(new BatchGetCommand({ RequestItems: { [table.name]: { Keys: keys } } }));
          for (const item of reply.Responses?.[table.name] ?? []) {
            found.set((item.sk as string).split('#')[0]!, toHealth(item));
          }
          keys = (reply.UnprocessedKeys?.[table.name]?.Keys ?? []) as Key[];
        }
      }
      return found;
    },

    async recordSuccess(webhook, seen, now) {
      if (!shouldRecordSuccess(seen, now)) return false;
      const at = now.toISOString();
      const answeredAt = seen.answeredAt ?? at;
      const set = {
        entity: 'webhook-health',
        consecutiveFailures: 0,
        lastSuccessAt: at,
        lastDeliveryAt: at,
        answeredAt,
      };
      await update(webhook, { set, remove: ['failingSince', 'probeAt'] });
      return isBreakerOpen(seen);
    },

    async recordFailure(webhook, now) {
      const at = now.toISOString();
      const set = { entity: 'webhook-health', lastFailureAt: at, lastDeliveryAt: at };
      const health = await update(webhook, { set, add: { consecutiveFailures: 1 } });
      const missing = {
        ...(health.failingSince === null ? { failingSince: at } : {}),
        ...(isBreakerOpen(health) && health.probeAt === null ? { probeAt: inAMinute(now) } : {}),
      };
      return Object.keys(missing).length > 0 ? update(webhook, { set: missing }) : health;
    },

    async recordAnswer(webhook, now) {
      await update(webhook, { set: { entity: 'webhook-health', answeredAt: now.toISOString() } });
    },

    async recordSlow(webhook, until) {
      await update(webhook, { set: { entity: 'webhook-health', slowUntil: until } });
    },

    async takeProbe(webhook, seen, now) {
      const set = { probeAt: inAMinute(now) };
      const condition = seen.probeAt === null ? { absent: ['probeAt'] } : { equals: { probeAt: seen.probeAt } };
      try {
        await update(webhook, { set }, condition);
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },

    async recordHeld(webhook, now) {
      const at = now.toISOString();
      const due = checkAt(new Date(now.getTime() + PROBE_EVERY_MS));
      try {
        await update(webhook, { set: { entity: 'webhook-health', heldAt: at, ...due } }, { absent: ['due'] });
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        await update(webhook, { set: { heldAt: at } });
      }
    },

    async scheduleCheck(webhook, seen, next) {
      if (next) await update(webhook, { set: checkAt(next) });
      else await update(webhook, { remove: ['due', 'dueAt'] }, nothingHeldSince(seen)).catch(unlessConditionFailed);
    },

    async remove(webhook, seen) {
      const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = updateOf(
        table,
        healthKey(webhook.workspaceId, webhook.id),
        {},
        nothingHeldSince(seen),
      );
      const condition = { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues };
      const Key = healthKey(webhook.workspaceId, webhook.id);
      await table.db.send(new DeleteCommand({ TableName: table.name, Key, ...condition })).catch(unlessConditionFailed);
    },

    reset(webhook, now) {
      const set = { entity: 'webhook-health', consecutiveFailures: 0, heldAt: now.toISOString(), ...checkAt(now) };
      return {
        Update: updateOf(table, healthKey(webhook.workspaceId, webhook.id), {
          set,
          remove: ['failingSince', 'probeAt', 'slowUntil', 'answeredAt'],
        }),
      };
    },
  };
}

/** The condition that no delivery was held since the health was read. */
const nothingHeldSince = ({ heldAt }: WebhookHealth): Condition =>
  heldAt === null ? { absent: ['heldAt'] } : { equals: { heldAt } };

function unlessConditionFailed(error: unknown): void {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
}

const inAMinute = (now: Date): string => new Date(now.getTime() + PROBE_EVERY_MS).toISOString();

export function toHealth(item: Record<string, unknown> | undefined): WebhookHealth {
  const names = Object.keys(HEALTHY) as (keyof WebhookHealth)[];
  return Object.fromEntries(names.map((name) => [name, item?.[name] ?? HEALTHY[name]])) as unknown as WebhookHealth;
}
