import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { EventBridgeClient, PutEventsCommand, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../../core/access/principal.ts';
import { createEvents } from '../../services/events/events.ts';
import { createSqs } from '../../services/sqs/sqs.ts';
import { TestFront } from '../sqs/support/test-front.ts';
import { RecordingTargets } from './support/recording-targets.ts';

let front: TestFront;
let server: ChildProcess;
beforeEach(() => {
  front = new TestFront();
});
afterEach(async () => {
  server.kill('SIGKILL');
  await front.close();
});

it('every accepted event reaches its target although the process is killed under load', async () => {
  const script = new URL('./support/events-server.ts', import.meta.url).pathname;
  server = spawn(process.execPath, [script, front.dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [endpoint] = await once(createInterface({ input: server.stdout as NodeJS.ReadableStream }), 'line');
  const config = { ...front.clientConfig, endpoint };
  const events = new EventBridgeClient(config);
  await new SQSClient(config).send(new CreateQueueCommand({ QueueName: 'all' }));
  const queueArn = 'arn:aws:sqs:us-east-1:000000000000:all';
  await events.send(new PutRuleCommand({ Name: 'all', EventPattern: '{"source":["load"]}' }));
  await events.send(new PutTargetsCommand({ Rule: 'all', Targets: [{ Id: 'q', Arn: queueArn }] }));

  const accepted = new Set<string>();
  const publisher = async () => {
    for (;;) {
      const entry = { Source: 'load', DetailType: 'x', Detail: '{}' };
      const reply = await events.send(new PutEventsCommand({ Entries: Array.from({ length: 10 }, () => entry) }));
      for (const { EventId } of reply.Entries ?? []) accepted.add(EventId as string);
      if (accepted.size > 500) server.kill('SIGKILL');
    }
  };
  await Promise.allSettled([publisher(), publisher(), publisher()]);
  expect(accepted.size).toBeGreaterThan(500);

  await front.listen();
  const sqs = createSqs(front.context('sqs'));
  const { lambda, states } = new RecordingTargets();
  front.add(createEvents(front.context('events'), { lambda, states, sqs }));
  front.add(sqs);
  const missing = new Set(accepted);
  while (missing.size > 0) {
    const messages = await sqs.receive({ caller: ROOT, queueArn, max: 10, waitMs: 5_000 });
    if (messages.length === 0) break;
    for (const { body } of messages) missing.delete(JSON.parse(body).id);
  }
  expect(missing.size).toBe(0);
});
