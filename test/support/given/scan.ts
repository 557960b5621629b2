import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, vi } from 'vitest';
import type { JobMessage } from '../../../shared/platform/jobs/queue.ts';
import { type Api, type Caller, LOCAL } from '../api.ts';

/** A message for the worker of jobs, such as the minute tick sends it. */
export async function sendJobMessage(api: Api, message: JobMessage): Promise<void> {
  const sqs = new SQSClient({ endpoint: api.endpoint, ...LOCAL });
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const QueueUrl = QueueUrls.find((url) => /jobs/i.test(url) && !/dead/i.test(url))!;
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(message) }));
}

/** A scan of a table, once it has ended. */
export async function endedScan(caller: Caller, id: string) {
  return vi.waitFor(
    async () => {
      const { body } = await caller.get(`/api/data-quality/scans/${id}`);
      expect(['succeeded', 'failed']).toContain(body.status);
      return body;
    },
    { timeout: 60_000, interval: 100 },
  );
}

/** The profile of a table as a new scan finds it. */
export async function givenScan(caller: Caller, scan: { tableName: string; [member: string]: unknown }) {
  const started = await caller.post('/api/data-quality/scans', scan);
  expect(started.status, JSON.stringify(started.body)).toBe(200);
  const ended = await endedScan(caller, started.body.id);
  expect(ended, JSON.stringify(ended)).toMatchObject({ status: 'succeeded' });
  return ended as { id: string };
}
