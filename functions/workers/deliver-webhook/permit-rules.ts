/** The right to have one request under way; it lapses by itself, so a sender that dies keeps none. */
export interface Permit {
  id: string;
  webhookId: string;
  /** Milliseconds of the epoch. */
  until: number;
}

const MOST_PER_WEBHOOK = 10;
const MOST_PER_WORKSPACE = 50;
/** What a webhook that fails may have: it is likely to hold a permit until the timeout, and has others behind it. */
const MOST_PER_FAILING_WEBHOOK = 2;
/** Of the workspace's permits, so many stay for webhooks that work. */
const KEPT_FOR_WORKING = 25;

/** The permits in use, and one more if there is room. Asking twice under one id takes one. */
export function withPermit(
  inUse: readonly Permit[],
  asked: Permit & { isFailing: boolean },
): { inUse: readonly Permit[]; isGranted: boolean } {
  const { isFailing, ...permit } = asked;
  if (inUse.some(({ id }) => id === permit.id)) return { inUse, isGranted: true };
  const ofWebhook = inUse.filter(({ webhookId }) => webhookId === permit.webhookId).length;
  const isGranted =
    ofWebhook < (isFailing ? MOST_PER_FAILING_WEBHOOK : MOST_PER_WEBHOOK) &&
    inUse.length < MOST_PER_WORKSPACE - (isFailing ? KEPT_FOR_WORKING : 0);
  return { inUse: isGranted ? [...inUse, permit] : inUse, isGranted };
}

/** Whether an idle permit should be given back rather than kept for the next delivery: others may be waiting for it. */
export function isCrowded(inUse: readonly Permit[], webhookId: string): boolean {
  const ofWebhook = inUse.filter((permit) => permit.webhookId === webhookId).length;
  return ofWebhook > MOST_PER_WEBHOOK / 2 || inUse.length > MOST_PER_WORKSPACE / 2;
}
