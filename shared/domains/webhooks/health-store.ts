import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { type Change, type Condition, updateOf } from '../../platform/storage/update.ts';
import { HEALTHY, isBreakerOpen, isWorthNoting, PROBE_EVERY_MS, type WebhookHealth } from './health.ts';
import { healthKey, WEBHOOK_CHECK } from './keys.ts';

/** Which webhook: a stored one will do. */
interface Named {
  id: string;
  workspaceId: string;
}

export interface HealthStore {
  /** By webhook id; a webhook that nothing was ever delivered to has none. */
  getMany(workspaceId: string, webhookIds: readonly string[]): Promise<Map<string, WebhookHealth>>;
  /** Notes that an attempt succeeded; answers whether that closed the breaker. */
  succeeded(webhook: Named, seen: WebhookHealth, now: Date): Promise<boolean>;
  /** Notes that an attempt failed, and opens the breaker when it is time. */
  failed(webhook: Named, now: Date): Promise<WebhookHealth>;
  /** Notes that the webhook has answered at all. */
  answered(webhook: Named, now: Date): Promise<void>;
  /** Notes that the webhook answers late, and is kept apart until then. */
  slow(webhook: Named, until: string): Promise<void>;
  /** Takes the one attempt of the minute that an open breaker lets through; answers whether it was still to be had. */
  takeProbe(webhook: Named, seen: WebhookHealth, now: Date): Promise<boolean>;
  /** Sees to it that somebody cares for what is held back. */
  holds(webhook: Named, now: Date): Promise<void>;
  /** The next care is a minute from now, or never: then only if nothing was held back since `seen`. */
  cared(webhook: Named, seen: WebhookHealth, next: Date | null): Promise<void>;
  /** Forgets a webhook that is gone, unless something was held back since `seen`. */
  forget(webhook: Named, seen: WebhookHealth): Promise<void>;
  /** For the transaction that enables, replaces or deletes the webhook: a fresh start, and care at once. */
  reset(webhook: Named, now: Date): TransactItem;
}

export function healthStore(table: Table): HealthStore {
  async function update(webhook: Named, change: Change, condition: Condition = {}): Promise<WebhookHealth> {
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

    async succeeded(webhook, seen, now) {
      if (!isWorthNoting(seen, now)) return false;
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

    async failed(webhook, now) {
      const at = now.toISOString();
      const set = { entity: 'webhook-health', lastFailureAt: at, lastDeliveryAt: at };
      const health = await update(webhook, { set, add: { consecutiveFailures: 1 } });
      const missing = {
        ...(health.failingSince === null ? { failingSince: at } : {}),
        ...(isBreakerOpen(health) && health.probeAt === null ? { probeAt: inAMinute(now) } : {}),
      };
      return Object.keys(missing).length > 0 ? update(webhook, { set: missing }) : health;
    },

    async answered(webhook, now) {
      await update(webhook, { set: { entity: 'webhook-health', answeredAt: now.toISOString() } });
    },

    async slow(webhook, until) {
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

    async holds(webhook, now) {
      const at = now.toISOString();
      const due = checkAt(new Date(now.getTime() + PROBE_EVERY_MS));
      try {
        await update(webhook, { set: { entity: 'webhook-health', heldAt: at, ...due } }, { absent: ['due'] });
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        await update(webhook, { set: { heldAt: at } });
      }
    },

    async cared(webhook, seen, next) {
      if (next) await update(webhook, { set: checkAt(next) });
      else await update(webhook, { remove: ['due', 'dueAt'] }, heldSince(seen)).catch(unlessConditionFailed);
    },

    async forget(webhook, seen) {
      const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = updateOf(
        table,
        healthKey(webhook.workspaceId, webhook.id),
        {},
        heldSince(seen),
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

/** Holds while nothing was held back after the health was read. */
const heldSince = ({ heldAt }: WebhookHealth): Condition =>
  heldAt === null ? { absent: ['heldAt'] } : { equals: { heldAt } };

function unlessConditionFailed(error: unknown): void {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
}

const inAMinute = (now: Date): string => new Date(now.getTime() + PROBE_EVERY_MS).toISOString();

export function toHealth(item: Record<string, unknown> | undefined): WebhookHealth {
  const names = Object.keys(HEALTHY) as (keyof WebhookHealth)[];
  return Object.fromEntries(names.map((name) => [name, item?.[name] ?? HEALTHY[name]])) as unknown as WebhookHealth;
}
