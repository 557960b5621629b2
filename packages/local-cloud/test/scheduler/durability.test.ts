import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../../core/access/principal.ts';
import { createScheduler } from '../../services/scheduler/scheduler.ts';
import { createSqs } from '../../services/sqs/sqs.ts';
import { RecordingTargets } from '../events/support/recording-targets.ts';
import { TestFront } from '../sqs/support/test-front.ts';
import { ROLE } from './support/test-scheduler.ts';

const SCHEDULES = 400;

let front: TestFront;
let server: ChildProcess;
beforeEach(() => {
  front = new TestFront();
});
afterEach(async () => {
  server.kill('SIGKILL');
  await front.close();
});

it('every acknowledged one-time schedule fires although the process is killed while it creates and fires them', async () => {
  const script = new URL('./support/scheduler-server.ts', import.meta.url).pathname;
  server = spawn(process.execPath, [script, front.dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [endpoint] = await once(createInterface({ input: server.stdout as NodeJS.ReadableStream }), 'line');
  const config = { ...front.clientConfig, endpoint };
  const scheduler = new SchedulerClient(config);
  await new SQSClient(config).send(new CreateQueueCommand({ QueueName: 'fired' }));
  const queueArn = 'arn:aws:sqs:us-east-1:000000000000:fired';

  const acknowledged = new Set<string>();
  const create = async (creator: number) => {
    for (let index = 0; ; index += 1) {
      const Name = `${creator}-${index}`;
      const soon = new Date(Date.now() + 500).toISOString().slice(0, 19);
      await scheduler.send(
        new CreateScheduleCommand({
          ...{ Name, ScheduleExpression: `at(${soon})`, FlexibleTimeWindow: { Mode: 'OFF' } },
          Target: { Arn: queueArn, RoleArn: ROLE, Input: Name },
          ActionAfterCompletion: 'DELETE',
        }),
      );
      acknowledged.add(Name);
      if (acknowledged.size >= SCHEDULES) server.kill('SIGKILL');
    }
  };
  await Promise.allSettled([create(1), create(2), create(3)]);
  expect(acknowledged.size).toBeGreaterThanOrEqual(SCHEDULES);

  await front.listen();
  const sqs = createSqs(front.context('sqs'));
  const { lambda, states } = new RecordingTargets();
  front.add(createScheduler(front.context('scheduler'), { lambda, states, sqs }));
  front.add(sqs);
  const missing = new Set(acknowledged);
  while (missing.size > 0) {
    const messages = await sqs.receive({ caller: ROOT, queueArn, max: 10, waitMs: 5_000 });
    if (messages.length === 0) break;
    for (const { body } of messages) missing.delete(body);
  }
  expect([...missing]).toEqual([]);
});
