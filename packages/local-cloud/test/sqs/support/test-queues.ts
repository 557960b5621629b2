import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { ManualClock } from '../../../core/clock.ts';
import { createSqs, type Sqs } from '../../../services/sqs/sqs.ts';
import { TestFront } from './test-front.ts';

/** SQS behind a front, on a manual clock. */
export class TestQueues {
  readonly clock = new ManualClock();
  readonly front = new TestFront(this.clock);
  sqs!: Sqs;
  client!: SQSClient;

  static async start(): Promise<TestQueues> {
    const queues = new TestQueues();
    await queues.#open();
    return queues;
  }

  async #open(): Promise<void> {
    await this.front.listen();
    this.sqs = this.front.add(createSqs(this.front.context('sqs')));
    this.client = new SQSClient(this.front.clientConfig);
  }

  /** Opens the same data again, on another port. */
  async restart(): Promise<void> {
    this.client.destroy();
    await this.front.stop();
    await this.#open();
  }

  async close(): Promise<void> {
    this.client.destroy();
    await this.front.close();
  }

  async create(QueueName: string, Attributes: Record<string, string> = {}): Promise<string> {
    const fifo = QueueName.endsWith('.fifo') ? { FifoQueue: 'true' } : {};
    const reply = await this.client.send(new CreateQueueCommand({ QueueName, Attributes: { ...fifo, ...Attributes } }));
    return reply.QueueUrl as string;
  }

  /** A queue and its dead-letter queue. */
  async createWithDeadLetters(name: string, maxReceiveCount: number): Promise<{ url: string; deadLetters: string }> {
    const suffix = name.endsWith('.fifo') ? '.fifo' : '';
    const deadName = `${name.replace('.fifo', '')}-dead${suffix}`;
    const deadLetters = await this.create(deadName);
    const deadLetterTargetArn = this.arn(deadName);
    const url = await this.create(name, { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }) });
    return { url, deadLetters };
  }

  arn(name: string): string {
    return `arn:aws:sqs:us-east-1:000000000000:${name}`;
  }

  send(QueueUrl: string, MessageBody: string, more: Partial<SendMessageCommandInput> = {}) {
    return this.client.send(new SendMessageCommand({ QueueUrl, MessageBody, ...more }));
  }

  async receive(QueueUrl: string, more: Partial<ReceiveMessageCommandInput> = {}): Promise<Message[]> {
    const input = { QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All'] as ['All'], ...more };
    return (await this.client.send(new ReceiveMessageCommand(input))).Messages ?? [];
  }

  async bodies(QueueUrl: string, more: Partial<ReceiveMessageCommandInput> = {}): Promise<(string | undefined)[]> {
    return (await this.receive(QueueUrl, more)).map((message) => message.Body);
  }

  async attributes(QueueUrl: string): Promise<Record<string, string>> {
    const reply = await this.client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
    return reply.Attributes ?? {};
  }

  /** Numbers of visible, in-flight and delayed messages. */
  async counts(QueueUrl: string): Promise<number[]> {
    const attributes = await this.attributes(QueueUrl);
    return ['', 'NotVisible', 'Delayed'].map((kind) => Number(attributes[`ApproximateNumberOfMessages${kind}`]));
  }
}
