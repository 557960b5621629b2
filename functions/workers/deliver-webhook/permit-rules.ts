/** The right to have one request under way; it lapses by itself, so a sender that dies keeps none. */
export interface Permit {
  id: string;
  webhookId: string;
  /** Milliseconds of the epoch. */
  until: number;
  /** Taken while the webhook failed. */
  isFailing: boolean;
}

const MOST_PER_WEBHOOK = 10;
const MOST_PER_WORKSPACE = 50;
/** What a webhook that fails may have: it is likely to hold a permit until the timeout, and has others behind it. */
const MOST_PER_FAILING_WEBHOOK = 2;
/** Of the workspace's permits, so many may go to webhooks that fail. */
const MOST_FOR_FAILING = 25;

/** The permits in use, and one more if there is room. Asking twice under one id takes one. */
export function withPermit(inUse: readonly Permit[], asked: Permit): { inUse: readonly Permit[]; isGranted: boolean } {
  if (inUse.some(({ id }) => id === asked.id)) return { inUse, isGranted: true };
  const ofWebhook = inUse.filter(({ webhookId }) => webhookId === asked.webhookId);
  const failing = inUse.filter(({ isFailing }) => isFailing);
  const isGranted =
    ofWebhook.length < MOST_PER_WEBHOOK &&
    inUse.length < MOST_PER_WORKSPACE &&
    (!asked.isFailing ||
      (failing.length < MOST_FOR_FAILING &&
        ofWebhook.filter(({ isFailing }) => isFailing).length < MOST_PER_FAILING_WEBHOOK));
  return { inUse: isGranted ? [...inUse, asked] : inUse, isGranted };
}

/** Whether an idle permit should be given back rather than kept for the next delivery: others may be waiting for it. */
export function isCrowded(inUse: readonly Permit[], webhookId: string): boolean {
  const ofWebhook = inUse.filter((permit) => permit.webhookId === webhookId).length;
  return ofWebhook > MOST_PER_WEBHOOK / 2 || inUse.length > MOST_PER_WORKSPACE / 2;
}
