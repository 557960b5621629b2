import { md5, md5OfAttributes, selectAttributes } from './message-attributes.ts';
import type { StoredMessage } from './messages.ts';
import { receiptHandle } from './receipt-handle.ts';
import { sequenceNumber } from './sending.ts';

interface Place {
  accountId: string;
  fifo: boolean;
}

/** All system attributes of a message. */
export function systemAttributes(message: StoredMessage, { accountId, fifo }: Place): Record<string, string> {
  return {
    SenderId: accountId,
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.totalReceives),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    ...(fifo && { SequenceNumber: sequenceNumber(message.seq) }),
    ...(message.groupId !== undefined && { MessageGroupId: message.groupId }),
    ...(message.deduplicationId !== undefined && { MessageDeduplicationId: message.deduplicationId }),
    ...(message.traceHeader !== undefined && { AWSTraceHeader: message.traceHeader }),
    ...(message.sourceArn !== undefined && { DeadLetterQueueSourceArn: message.sourceArn }),
  };
}

export function handleOf(message: StoredMessage): string {
  return receiptHandle({ queueId: message.queueId, seq: message.seq, receipt: message.receipt as string });
}

/** A message in ReceiveMessage's form, with the requested attributes. */
export function wireMessage(message: StoredMessage, place: Place, wanted: { system: string[]; attributes: string[] }) {
  const system = Object.entries(systemAttributes(message, place)).filter(
    ([name]) => wanted.system.includes('All') || wanted.system.includes(name),
  );
  const attributes = selectAttributes(message.attributes, wanted.attributes);
  const sum = md5OfAttributes(attributes);
  return {
    MessageId: message.messageId,
    ReceiptHandle: handleOf(message),
    MD5OfBody: md5(message.body),
    Body: message.body,
    ...(system.length > 0 && { Attributes: Object.fromEntries(system) }),
    ...(sum !== undefined && { MD5OfMessageAttributes: sum, MessageAttributes: attributes }),
  };
}
