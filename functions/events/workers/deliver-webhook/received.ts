import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { Lane } from '../../../../shared/domains/events/webhooks/index.ts';

/** A message that this sender handles, received either by Lambda or by the sender itself. */
export interface Received {
  id: string;
  lane: Lane;
  body: string;
  receiptHandle: string;
  /** How often it was received, including this time. */
  receives: number;
}

const MAX_IN_A_BATCH = 10;

/** The queues of the lanes, from the consumer's side. */
export class ReceivedMessages {
  readonly #urls: Record<Lane, string>;
  readonly #sqs: SQSClient;

  constructor(urls: Record<Lane, string>, client = new SQSClient({})) {
    this.#urls = urls;
    this.#sqs = client;
  }

  /** A message that Lambda received, and deletes once it is handled. */
  ofRecord({ messageId, eventSourceARN, body, receiptHandle, attributes }: SQSRecord): Received {
    const lane = eventSourceARN.split(':').at(-1) === this.#urls.slow.split('/').at(-1) ? 'slow' : 'main';
    return { id: messageId, lane, body, receiptHandle, receives: Number(attributes.ApproximateReceiveCount) };
  }

  /** Receives up to ten messages as soon as there are any; returns none after `waitSeconds`. */
  async receive(lane: Lane, waitSeconds: number): Promise<Received[]> {
    const { Messages = [] } = await this.#sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: this.#urls[lane],
        MaxNumberOfMessages: MAX_IN_A_BATCH,
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      }),
    );
    return Messages.map(({ MessageId, Body, ReceiptHandle, Attributes }) => ({
      id: MessageId!,
      lane,
      body: Body!,
      receiptHandle: ReceiptHandle!,
      receives: Number(Attributes!.ApproximateReceiveCount),
    }));
  }

  /**
   * Deletes messages of one `receive`. A message that cannot be deleted is received again; its delivery is then already
   * over.
   */
  async delete(messages: readonly Received[]): Promise<void> {
    const [first] = messages;
    if (!first) return;
    const Entries = messages.map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));
    await this.#sqs.send(new DeleteMessageBatchCommand({ QueueUrl: this.#urls[first.lane], Entries }));
  }

  /**
   * Shortens the time until the message is received again; the queue's visibility timeout is sized for crashed senders.
   */
  async receiveAgainAfter({ lane, receiptHandle }: Received, afterSeconds: number): Promise<void> {
    await this.#sqs.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: this.#urls[lane],
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: afterSeconds,
      }),
    );
  }
}
