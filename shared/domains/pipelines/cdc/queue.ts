import { type MessageQueue, messageQueue } from '../../../platform/messaging/message-queue.ts';

/** Requests a turn of a stream's capture. */
export interface CaptureMessage {
  workspaceId: string;
  id: string;
  /** How often to request the turn again while another worker has the stream; set after a change of the stream. */
  tries?: number;
}

export type CaptureQueue = MessageQueue<CaptureMessage>;

export const captureQueue = (url: string): CaptureQueue => messageQueue<CaptureMessage>(url);

/** After this many requests, the tick starts the turn. */
export const MAX_TRIES = 15;

/**
 * The tick requests the turns of a minute at its beginning. These delays replace them in the first minute of a new
 * stream.
 */
const FIRST_MINUTE_SECONDS = [10, 20, 30, 40, 50, 60];

/** Requests a turn at once, so that a change of the stream does not wait for the next tick. */
export const requestCapture = (queue: CaptureQueue, { workspaceId, id }: Pick<CaptureMessage, 'workspaceId' | 'id'>) =>
  queue.send([
    { message: { workspaceId, id, tries: MAX_TRIES }, delaySeconds: 0 },
    ...FIRST_MINUTE_SECONDS.map((delaySeconds) => ({ message: { workspaceId, id }, delaySeconds })),
  ]);
