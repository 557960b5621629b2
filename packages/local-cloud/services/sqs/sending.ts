import { createHash, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../core/database.ts';
import type { CloudContext } from '../../core/service.ts';
import type { Arrivals } from './arrivals.ts';
import { checkRange, invalidParameter, invalidValue, missingParameter } from './errors.ts';
import {
  checkMessageAttributes,
  checkText,
  type MessageAttributes,
  md5,
  md5OfAttributes,
  messageBytes,
} from './message-attributes.ts';
import type { Messages } from './messages.ts';
import type { Queue } from './queues.ts';

export const DEDUPLICATION_SCHEMA = `
  CREATE TABLE IF NOT EXISTS deduplication (
    queue_id INTEGER NOT NULL REFERENCES queues (id) ON DELETE CASCADE,
    scope TEXT NOT NULL,
    deduplication_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (queue_id, scope, deduplication_id)
  ) STRICT;
`;

/** A message in SendMessage's form. */
export interface Outgoing {
  MessageBody: string;
  DelaySeconds?: number;
  MessageAttributes?: MessageAttributes;
  MessageSystemAttributes?: MessageAttributes;
  MessageGroupId?: string;
  MessageDeduplicationId?: string;
}

export interface Sent {
  MessageId: string;
  MD5OfMessageBody: string;
  MD5OfMessageAttributes?: string;
  MD5OfMessageSystemAttributes?: string;
  SequenceNumber?: string;
}

const DEDUPLICATION_MS = 5 * 60_000;
const GROUP_ID = /^[A-Za-z0-9!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]{1,128}$/;
const GROUP_ID_FORM = 'can only include alphanumeric and punctuation characters. 1 to 128 in length.';

/** A FIFO queue's sequence number: 20 increasing digits. */
export function sequenceNumber(seq: number): string {
  return String(seq).padStart(20, '0');
}

/** Stores messages; an answered message is on disk. */
export class Sending {
  readonly #context: CloudContext;
  readonly #database: DatabaseSync;
  readonly #messages: Messages;
  readonly #arrivals: Arrivals;

  constructor(context: CloudContext, database: DatabaseSync, messages: Messages, arrivals: Arrivals) {
    this.#context = context;
    this.#database = database;
    this.#messages = messages;
    this.#arrivals = arrivals;
  }

  /** Throws `InvalidParameterValue`, `MissingParameter` or `InvalidMessageContents` without storing anything. */
  check(queue: Queue, message: Outgoing): void {
    if (!message.MessageBody) throw missingParameter('MessageBody');
    checkText(message.MessageBody);
    checkMessageAttributes(message.MessageAttributes ?? {});
    checkSystemAttributes(message.MessageSystemAttributes ?? {});
    const max = Number(queue.attributes.MaximumMessageSize);
    if (messageBytes(message.MessageBody, message.MessageAttributes ?? {}) > max) {
      throw invalidParameter(`One or more parameters are invalid. Reason: Message must be shorter than ${max} bytes.`);
    }
    checkRange('DelaySeconds', message.DelaySeconds, 0, 900, 'DelaySeconds must be >= 0 and <= 900.');
    checkGroup(queue, message);
  }

  /** Stores checked messages together. */
  send(queue: Queue, messages: Outgoing[]): Sent[] {
    const sent = inTransaction(this.#database, () => messages.map((message) => this.#store(queue, message)));
    this.#arrivals.ring(queue.id);
    return sent;
  }

  #store(queue: Queue, message: Outgoing): Sent {
    const attributes = message.MessageAttributes ?? {};
    const now = this.#context.clock.now();
    const sums = {
      MD5OfMessageBody: md5(message.MessageBody),
      ...optional('MD5OfMessageAttributes', md5OfAttributes(attributes)),
      ...optional('MD5OfMessageSystemAttributes', md5OfAttributes(message.MessageSystemAttributes ?? {})),
    };
    const delaySeconds = message.DelaySeconds ?? Number(queue.attributes.DelaySeconds);
    const insert = (messageId: string, deduplicationId?: string) =>
      this.#messages.insert(queue.id, {
        messageId,
        body: message.MessageBody,
        attributes,
        traceHeader: message.MessageSystemAttributes?.AWSTraceHeader?.StringValue,
        groupId: message.MessageGroupId,
        deduplicationId,
        sentAt: now,
        visibleAt: now + delaySeconds * 1000,
      });
    if (!queue.fifo) {
      const MessageId = randomUUID();
      insert(MessageId);
      return { MessageId, ...sums };
    }
    const { messageId, seq } = this.#onceIn(queue, message, now, insert);
    return { MessageId: messageId, ...sums, SequenceNumber: sequenceNumber(seq) };
  }

  /** A duplicate within five minutes gets the first message's answer and is not stored. */
  #onceIn(
    queue: Queue,
    message: Outgoing,
    now: number,
    insert: (messageId: string, deduplicationId: string) => number,
  ): { messageId: string; seq: number } {
    const id = message.MessageDeduplicationId ?? createHash('sha256').update(message.MessageBody).digest('hex');
    const scope = queue.attributes.DeduplicationScope === 'messageGroup' ? `group ${message.MessageGroupId}` : 'queue';
    this.#database.prepare('DELETE FROM deduplication WHERE queue_id = ? AND expires_at <= ?').run(queue.id, now);
    const first = this.#database
      .prepare('SELECT message_id, seq FROM deduplication WHERE queue_id = ? AND scope = ? AND deduplication_id = ?')
      .get(queue.id, scope, id);
    if (first) return { messageId: first.message_id as string, seq: first.seq as number };
    const messageId = randomUUID();
    const seq = insert(messageId, id);
    this.#database
      .prepare('INSERT INTO deduplication VALUES (?, ?, ?, ?, ?, ?)')
      .run(queue.id, scope, id, messageId, seq, now + DEDUPLICATION_MS);
    return { messageId, seq };
  }
}

function checkGroup(queue: Queue, message: Outgoing): void {
  const { MessageGroupId, MessageDeduplicationId, DelaySeconds } = message;
  if (MessageGroupId !== undefined && !GROUP_ID.test(MessageGroupId)) {
    throw invalidValue('MessageGroupId', MessageGroupId, `MessageGroupId ${GROUP_ID_FORM}`);
  }
  if (!queue.fifo) {
    if (MessageDeduplicationId === undefined) return;
    throw invalidValue(
      'MessageDeduplicationId',
      MessageDeduplicationId,
      'The request includes a parameter that is not valid for this queue type.',
    );
  }
  if (MessageGroupId === undefined) throw missingParameter('MessageGroupId');
  if (MessageDeduplicationId !== undefined && !GROUP_ID.test(MessageDeduplicationId)) {
    throw invalidValue('MessageDeduplicationId', MessageDeduplicationId, `MessageDeduplicationId ${GROUP_ID_FORM}`);
  }
  if (MessageDeduplicationId === undefined && queue.attributes.ContentBasedDeduplication !== 'true') {
    throw invalidParameter(
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    );
  }
  if (DelaySeconds !== undefined && DelaySeconds > 0) {
    throw invalidValue(
      'DelaySeconds',
      DelaySeconds,
      'The request include parameter that is not valid for this queue type.',
    );
  }
}

function checkSystemAttributes(attributes: MessageAttributes): void {
  for (const [name, { DataType }] of Object.entries(attributes)) {
    if (name !== 'AWSTraceHeader') throw invalidParameter(`Message system attribute name '${name}' is invalid.`);
    if (DataType !== 'String') throw invalidParameter(`The type of message system attribute '${name}' is invalid.`);
  }
}

function optional<K extends string>(name: K, value: string | undefined): { [key in K]?: string } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]: string });
}
