import { CreateScheduleCommand, type CreateScheduleCommandInput, SchedulerClient } from '@aws-sdk/client-scheduler';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { ROOT } from '../../../core/access/principal.ts';
import { ManualClock } from '../../../core/clock.ts';
import type { CloudEvent, EventsPort, QueueMessage } from '../../../core/ports.ts';
import { createScheduler } from '../../../services/scheduler/scheduler.ts';
import { createSqs, type Sqs } from '../../../services/sqs/sqs.ts';
import { RecordingTargets } from '../../events/support/recording-targets.ts';
import { TestFront } from '../../sqs/support/test-front.ts';

export const ROLE = 'arn:aws:iam::000000000000:role/test';

/** The Scheduler with real queues and with a recording bus, functions and machines, on a manual clock. */
export class TestScheduler {
  readonly clock: ManualClock;
  readonly front: TestFront;
  readonly targets = new RecordingTargets();
  readonly published: CloudEvent[] = [];
  client!: SchedulerClient;
  sqs!: Sqs;

  constructor(clock: ManualClock) {
    this.clock = clock;
    this.front = new TestFront(clock);
  }

  static async start(clock = new ManualClock()): Promise<TestScheduler> {
    const test = new TestScheduler(clock);
    await test.open();
    return test;
  }

  async open(): Promise<void> {
    await this.front.listen();
    const { lambda, states } = this.targets;
    const events: EventsPort = {
      publish: async (events) => {
        this.published.push(...events);
      },
    };
    // Added in closing order: the Scheduler first, then its targets.
    const sqs = createSqs(this.front.context('sqs'));
    this.front.add(createScheduler(this.front.context('scheduler'), { lambda, states, sqs, events }));
    this.sqs = this.front.add(sqs);
    this.client = new SchedulerClient(this.front.clientConfig);
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
    await sqs.send(new CreateQueueCommand({ QueueName }));
    sqs.destroy();
    return `arn:aws:sqs:us-east-1:000000000000:${QueueName}`;
  }

  async create(
    ScheduleExpression: string,
    targetArn: string,
    more: Partial<CreateScheduleCommandInput> = {},
  ): Promise<string | undefined> {
    const reply = await this.client.send(
      new CreateScheduleCommand({
        Name: 'tick',
        ScheduleExpression,
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: targetArn, RoleArn: ROLE, Input: '"<aws.scheduler.scheduled-time>"' },
        ...more,
      }),
    );
    return reply.ScheduleArn;
  }

  /** Takes all messages out of the queue. */
  async take(queueArn: string): Promise<QueueMessage[]> {
    const messages = await this.sqs.receive({ caller: ROOT, queueArn, max: 10, waitMs: 0 });
    for (const { receiptHandle } of messages) await this.sqs.delete({ caller: ROOT, queueArn, receiptHandle });
    return messages;
  }

  /** The inputs that arrived in the queue, parsed, oldest first. */
  async inputs(queueArn: string): Promise<unknown[]> {
    const all: unknown[] = [];
    for (;;) {
      const messages = await this.take(queueArn);
      if (messages.length === 0) return all;
      all.push(...messages.map(({ body }) => JSON.parse(body)));
    }
  }
}
