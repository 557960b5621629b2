/** Sends one line. Rejects when the client has disconnected. */
export type SendLine = (line: string) => Promise<void>;

/**
 * A reply that is sent line by line while it is made. A function that streams its replies returns it; see
 * `streamReplies`.
 */
export type Lines = (send: SendLine) => Promise<void>;

export const LINES_TYPE = 'application/x-ndjson';
