import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  PutRuleCommand,
  PutTargetsCommand,
  type Target,
} from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { ROOT } from '../../../core/access/principal.ts';
import { ManualClock } from '../../../core/clock.ts';
import type { QueueMessage } from '../../../core/ports.ts';
import { createEvents, type Events } from '../../../services/events/events.ts';
import { createSqs, type Sqs } from '../../../services/sqs/sqs.ts';
import { TestFront } from '../../sqs/support/test-front.ts';
import { RecordingTargets } from './recording-targets.ts';

/** EventBridge with real queues and with recording functions and machines, on a manual clock. */
export class TestEvents {
  readonly clock = new ManualClock();
  readonly front = new TestFront(this.clock);
  targets = new RecordingTargets();
  client!: EventBridgeClient;
  events!: Events;
  sqs!: Sqs;

  static async start(): Promise<TestEvents> {
    const test = new TestEvents();
    await test.#open();
    return test;
  }

  async #open(): Promise<void> {
    await this.front.listen();
    const { lambda, states } = this.targets;
    // Added in closing order: events first, then its targets.
    const sqs = createSqs(this.front.context('sqs'));
    this.events = this.front.add(createEvents(this.front.context('events'), { lambda, states, sqs }));
    this.sqs = this.front.add(sqs);
    this.client = new EventBridgeClient(this.front.clientConfig);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.#open();
  }

  async stop(): Promise<void> {
    this.client.destroy();
    await this.front.stop();
  }

  async close(): Promise<void> {
    this.client.destroy();
    await this.front.close();
  }

  async queue(QueueName: string): Promise<string> {
    const sqs = new SQSClient(this.front.clientConfig);
    const Attributes = QueueName.endsWith('.fifo') ? { FifoQueue: 'true', ContentBasedDeduplication: 'true' } : {};
    await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
    sqs.destroy();
    return `arn:aws:sqs:us-east-1:000000000000:${QueueName}`;
  }

  /** The next messages of a queue, deleted; waits for the first. */
  async take(queueArn: string): Promise<QueueMessage[]> {
    const messages = await this.sqs.receive({ caller: ROOT, queueArn, max: 10, waitMs: 20_000 });
    for (const { receiptHandle } of messages) await this.sqs.delete({ caller: ROOT, queueArn, receiptHandle });
    return messages;
  }

  /** The messages currently in the queue. */
  async waiting(queueArn: string): Promise<number> {
    return Number((await this.sqs.attributes(queueArn))?.ApproximateNumberOfMessages);
  }

  async rule(Name: string, pattern: object, ...targets: Partial<Target>[]): Promise<void> {
    await this.client.send(new PutRuleCommand({ Name, EventPattern: JSON.stringify(pattern) }));
    await this.#targets(Name, targets);
  }

  async scheduledRule(Name: string, ScheduleExpression: string, ...targets: Partial<Target>[]): Promise<void> {
    await this.client.send(new PutRuleCommand({ Name, ScheduleExpression }));
    await this.#targets(Name, targets);
  }

  async #targets(Rule: string, targets: Partial<Target>[]): Promise<void> {
    if (targets.length === 0) return;
    const Targets = targets.map((target, index) => ({ Id: `target-${index}`, Arn: '', ...target }));
    await this.client.send(new PutTargetsCommand({ Rule, Targets }));
  }

  async put(detail: object, more: Partial<PutEventsRequestEntry> = {}): Promise<string | undefined> {
    const entry = { Source: 'shop', DetailType: 'order placed', Detail: JSON.stringify(detail), ...more };
    const reply = await this.client.send(new PutEventsCommand({ Entries: [entry] }));
    return reply.Entries?.[0]?.EventId;
  }
}
