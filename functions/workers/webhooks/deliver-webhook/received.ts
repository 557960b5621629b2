import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { Lane } from '../../../../shared/domains/webhooks/index.ts';

/** A message in the hands of this sender, whoever took it out of its queue. */
export interface Received {
  id: string;
  lane: Lane;
  body: string;
  receiptHandle: string;
  /** How often it was received, this time included. */
  receives: number;
}

const MAX_IN_A_BATCH = 10;

/** The queues of the lanes, as a consumer sees them. */
export class ReceivedMessages {
  readonly #urls: Record<Lane, string>;
  readonly #sqs: SQSClient;

  constructor(urls: Record<Lane, string>, client = new SQSClient({})) {
    this.#urls = urls;
    this.#sqs = client;
  }

  /** A message that Lambda has taken, and deletes when it was handled. */
  ofRecord({ messageId, eventSourceARN, body, receiptHandle, attributes }: SQSRecord): Received {
    const lane = eventSourceARN.split(':').at(-1) === this.#urls.slow.split('/').at(-1) ? 'slow' : 'main';
    return { id: messageId, lane, body, receiptHandle, receives: Number(attributes.ApproximateReceiveCount) };
  }

  /** Up to ten messages, as soon as there are any; none when there are none for so long. */
  async take(lane: Lane, waitSeconds: number): Promise<Received[]> {
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

  /** Ends messages of one `take`; one that cannot be deleted comes again, and its delivery is found to be over. */
  async delete(messages: readonly Received[]): Promise<void> {
    const [first] = messages;
    if (!first) return;
    const Entries = messages.map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));
    await this.#sqs.send(new DeleteMessageBatchCommand({ QueueUrl: this.#urls[first.lane], Entries }));
  }

  /** Otherwise it would stay hidden for the queue's whole visibility, which is made for senders that die. */
  async comeBack({ lane, receiptHandle }: Received, afterSeconds: number): Promise<void> {
    await this.#sqs.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: this.#urls[lane],
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: afterSeconds,
      }),
    );
  }
}
