import { type MessageQueue, messageQueue } from '../../platform/messaging/message-queue.ts';

/** Asks for a turn of a stream's capture. */
export interface CaptureMessage {
  workspaceId: string;
  id: string;
  /** Somebody has changed the stream: when another worker is at it, it is asked again, so often. */
  tries?: number;
}

export type CaptureQueue = MessageQueue<CaptureMessage>;

export const captureQueue = (url: string): CaptureQueue => messageQueue<CaptureMessage>(url);

/** How often a change is brought to a capture that is at work; afterwards the tick does. */
export const MAX_TRIES = 15;

/** The turns of a minute are announced by the tick at its beginning; a stream that is new then misses those of its first. */
const FIRST_MINUTE_SECONDS = [10, 20, 30, 40, 50, 60];

/** A change of the stream should show soon, and not with the next tick. */
export const wake = (queue: CaptureQueue, { workspaceId, id }: Pick<CaptureMessage, 'workspaceId' | 'id'>) =>
  queue.send([
    { message: { workspaceId, id, tries: MAX_TRIES }, delaySeconds: 0 },
    ...FIRST_MINUTE_SECONDS.map((delaySeconds) => ({ message: { workspaceId, id }, delaySeconds })),
  ]);
