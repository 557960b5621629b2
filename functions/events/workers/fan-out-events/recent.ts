const RECENT_MS = 60_000;
/** A batch with this many deliveries for one webhook is enough to call it busy. */
const BUSY_BATCH_SIZE = 3;
const MAX_TRACKED = 10_000;

/**
 * Tracks in this process which webhooks had deliveries a moment ago. Deliveries of a busy webhook are watched as a
 * group (`shared/domains/events/webhooks/watch.ts`). This only saves writes, so the state may be lost at any time.
 */
export class RecentWebhooks {
  readonly #lastAt = new Map<string, number>();

  /** Whether the webhook is busy, counting `count` new deliveries. */
  isBusy(webhookId: string, count: number, now: Date): boolean {
    const lastAt = this.#lastAt.get(webhookId) ?? Number.NEGATIVE_INFINITY;
    if (this.#lastAt.size >= MAX_TRACKED) this.#lastAt.clear();
    this.#lastAt.set(webhookId, now.getTime());
    return count >= BUSY_BATCH_SIZE || now.getTime() - lastAt < RECENT_MS;
  }
}
