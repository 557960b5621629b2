import { AwsError } from '../../core/aws-error.ts';
import { type Operation, rejectUnknownMembers } from '../../core/operations.ts';
import type { CloudContext } from '../../core/service.ts';
import type { Addresses } from './addresses.ts';
import { checkBatch, eachEntry, failedEntry } from './batch.ts';
import { checkRange, invalidValue, missingParameter } from './errors.ts';
import { ATTRIBUTE_MEMBERS, type MessageAttributes, messageBytes } from './message-attributes.ts';
import { MESSAGE_LIMIT_BYTES } from './queue-attributes.ts';
import type { Queue, Queues } from './queues.ts';
import { wireMessage } from './received-message.ts';
import type { Receiving } from './receiving.ts';
import type { Outgoing, Sending } from './sending.ts';

const SEND_MEMBERS = [
  'MessageBody',
  'DelaySeconds',
  'MessageAttributes',
  'MessageSystemAttributes',
  'MessageGroupId',
  'MessageDeduplicationId',
];
const MAX_VISIBILITY_SECONDS = 43_200;

interface Deps {
  context: CloudContext;
  addresses: Addresses;
  queues: Queues;
  sending: Sending;
  receiving: Receiving;
}

interface ReceiveInput {
  QueueUrl: string;
  MaxNumberOfMessages?: number;
  WaitTimeSeconds?: number;
  VisibilityTimeout?: number;
  AttributeNames?: string[];
  MessageSystemAttributeNames?: string[];
  MessageAttributeNames?: string[];
}

type ToUrl<T> = T & { QueueUrl: string };
interface Visibility {
  ReceiptHandle: string;
  VisibilityTimeout: number;
}

/** Operations on messages. */
export class MessageOperations {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  table(): Record<string, Operation> {
    const byUrl = { resource: ({ QueueUrl }: { QueueUrl: string }) => this.#named(QueueUrl).name };
    return {
      SendMessage: {
        members: ['QueueUrl', ...SEND_MEMBERS],
        structures: { 'MessageAttributes{}': ATTRIBUTE_MEMBERS },
        ...byUrl,
        run: ({ QueueUrl, ...message }: ToUrl<Outgoing>) => this.#send(this.#named(QueueUrl), message),
      },
      SendMessageBatch: {
        members: ['QueueUrl', 'Entries'],
        structures: { 'Entries[].MessageAttributes{}': ATTRIBUTE_MEMBERS },
        ...byUrl,
        run: ({ QueueUrl, Entries }) => this.#sendBatch(this.#named(QueueUrl), Entries),
      },
      ReceiveMessage: {
        members: [
          'QueueUrl',
          'MaxNumberOfMessages',
          'WaitTimeSeconds',
          'VisibilityTimeout',
          'AttributeNames',
          'MessageSystemAttributeNames',
          'MessageAttributeNames',
        ],
        ...byUrl,
        run: (input: ReceiveInput, signal) => this.#receive(input, signal),
      },
      DeleteMessage: {
        members: ['QueueUrl', 'ReceiptHandle'],
        ...byUrl,
        run: ({ QueueUrl, ReceiptHandle }) => this.#delete(this.#named(QueueUrl), ReceiptHandle),
      },
      DeleteMessageBatch: {
        members: ['QueueUrl', 'Entries'],
        ...byUrl,
        run: ({ QueueUrl, Entries }) => {
          const queue = this.#named(QueueUrl);
          checkEntries('DeleteMessageBatch', Entries, ['ReceiptHandle']);
          return eachEntry(Entries as { Id: string; ReceiptHandle: string }[], ({ ReceiptHandle }) =>
            this.#delete(queue, ReceiptHandle),
          );
        },
      },
      ChangeMessageVisibility: {
        members: ['QueueUrl', 'ReceiptHandle', 'VisibilityTimeout'],
        ...byUrl,
        run: ({ QueueUrl, ...change }: ToUrl<Visibility>) => this.#changeVisibility(this.#named(QueueUrl), change),
      },
      ChangeMessageVisibilityBatch: {
        members: ['QueueUrl', 'Entries'],
        ...byUrl,
        run: ({ QueueUrl, Entries }) => {
          const queue = this.#named(QueueUrl);
          checkEntries('ChangeMessageVisibilityBatch', Entries, ['ReceiptHandle', 'VisibilityTimeout']);
          return eachEntry(Entries as (Visibility & { Id: string })[], (entry) => this.#changeVisibility(queue, entry));
        },
      },
    };
  }

  #named(queueUrl: string | undefined): Queue {
    if (!queueUrl) throw missingParameter('QueueUrl');
    return this.#deps.queues.get(this.#deps.addresses.nameInUrl(queueUrl));
  }

  #send(queue: Queue, message: Outgoing) {
    this.#deps.sending.check(queue, message);
    return this.#deps.sending.send(queue, [message])[0];
  }

  /** An invalid entry fails alone; the others are stored together. */
  #sendBatch(queue: Queue, entries: (Outgoing & { Id: string })[] | undefined) {
    checkEntries('SendMessageBatch', entries, SEND_MEMBERS);
    const all = entries as (Outgoing & { Id: string })[];
    const bytes = all.reduce((sum, entry) => sum + entryBytes(entry), 0);
    if (bytes > MESSAGE_LIMIT_BYTES) {
      throw new AwsError(
        'BatchRequestTooLong',
        `Batch requests cannot be longer than ${MESSAGE_LIMIT_BYTES} bytes. You have sent ${bytes} bytes.`,
      );
    }
    const Failed: object[] = [];
    const valid = all.filter((entry) => {
      try {
        this.#deps.sending.check(queue, entry);
        return true;
      } catch (error) {
        if (!(error instanceof AwsError)) throw error;
        Failed.push(failedEntry(entry.Id, error));
        return false;
      }
    });
    const sent = this.#deps.sending.send(queue, valid);
    return { Successful: sent.map((each, index) => ({ Id: valid[index]?.Id, ...each })), Failed };
  }

  async #receive(input: ReceiveInput, signal: AbortSignal | undefined) {
    const queue = this.#named(input.QueueUrl);
    const { MaxNumberOfMessages = 1, VisibilityTimeout, WaitTimeSeconds } = input;
    checkRange('MaxNumberOfMessages', MaxNumberOfMessages, 1, 10, 'Must be between 1 and 10, if provided.');
    checkRange('WaitTimeSeconds', WaitTimeSeconds, 0, 20, 'Must be >= 0 and <= 20, if provided.');
    checkVisibility(VisibilityTimeout);
    const waitSeconds = WaitTimeSeconds ?? Number(queue.attributes.ReceiveMessageWaitTimeSeconds);
    const received = await this.#deps.receiving.receive(queue.name, {
      max: MaxNumberOfMessages,
      waitMs: waitSeconds * 1000,
      visibilitySeconds: VisibilityTimeout,
      signal,
    });
    const wanted = {
      system: [...(input.AttributeNames ?? []), ...(input.MessageSystemAttributeNames ?? [])],
      attributes: input.MessageAttributeNames ?? [],
    };
    const place = { accountId: this.#deps.context.accountId, fifo: queue.fifo };
    return received.length === 0 ? {} : { Messages: received.map((message) => wireMessage(message, place, wanted)) };
  }

  #delete(queue: Queue, receiptHandle: string | undefined): undefined {
    if (!receiptHandle) throw missingParameter('ReceiptHandle');
    this.#deps.receiving.delete(queue, receiptHandle);
  }

  #changeVisibility(queue: Queue, { ReceiptHandle, VisibilityTimeout }: Visibility): undefined {
    if (!ReceiptHandle) throw missingParameter('ReceiptHandle');
    if (VisibilityTimeout === undefined) throw missingParameter('VisibilityTimeout');
    checkVisibility(VisibilityTimeout);
    this.#deps.receiving.changeVisibility(queue, ReceiptHandle, VisibilityTimeout);
  }
}

function checkEntries(operation: string, entries: { Id: string }[] | undefined, members: string[]): void {
  checkBatch(operation, entries);
  for (const entry of entries ?? []) rejectUnknownMembers('sqs', `${operation}.Entries`, entry, ['Id', ...members]);
}

function entryBytes({ MessageBody, MessageAttributes }: Outgoing): number {
  const sized = Object.entries(MessageAttributes ?? {}).filter(
    ([, attribute]) => attribute.StringValue !== undefined || attribute.BinaryValue !== undefined,
  );
  return messageBytes(MessageBody ?? '', Object.fromEntries(sized) as MessageAttributes);
}

function checkVisibility(seconds: number | undefined): void {
  if (seconds === undefined) return;
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_VISIBILITY_SECONDS) return;
  throw invalidValue('VisibilityTimeout', seconds, `Must be between 0 and ${MAX_VISIBILITY_SECONDS}, if provided.`);
}
