const RECENT_MS = 60_000;
/** A batch with so many deliveries for one webhook shows by itself that it is busy. */
const MANY = 3;
const MAX_REMEMBERED = 10_000;

/**
 * Which webhooks have had deliveries a moment ago, as far as this process knows: what comes for those is looked after
 * together (`shared/domains/webhooks/watch.ts`). It only decides what is cheaper, so it may be forgotten at any time.
 */
export class RecentWebhooks {
  readonly #lastAt = new Map<string, number>();

  /** Whether the webhook is busy, now that `count` deliveries more come for it. */
  isBusy(webhookId: string, count: number, now: Date): boolean {
    const lastAt = this.#lastAt.get(webhookId) ?? Number.NEGATIVE_INFINITY;
    if (this.#lastAt.size >= MAX_REMEMBERED) this.#lastAt.clear();
    this.#lastAt.set(webhookId, now.getTime());
    return count >= MANY || now.getTime() - lastAt < RECENT_MS;
  }
}
