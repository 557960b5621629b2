import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { accessCheck, requireAccess } from '../../core/access/authorizer.ts';
import type { Principal } from '../../core/access/principal.ts';
import { AwsError } from '../../core/aws-error.ts';
import { openDatabase } from '../../core/database.ts';
import { answerJson, operationName, replyJsonError } from '../../core/json-protocol.ts';
import { type Operation, rejectUnknownMembers, withFaults } from '../../core/operations.ts';
import type { QueueMessage, SqsPort } from '../../core/ports.ts';
import type { CloudContext, LocalService } from '../../core/service.ts';
import { sqsRequests } from '../../iam/requests/sqs.ts';
import { Addresses } from './addresses.ts';
import { Arrivals } from './arrivals.ts';
import { denialError, faultErrors, missingParameter, queryCode, queueDoesNotExist } from './errors.ts';
import { md5 } from './message-attributes.ts';
import { MessageOperations } from './message-operations.ts';
import { MESSAGES_SCHEMA, Messages } from './messages.ts';
import { MOVE_TASKS_SCHEMA, MoveTasks } from './move-tasks.ts';
import { QueueOperations } from './queue-operations.ts';
import { QUEUES_SCHEMA, Queues } from './queues.ts';
import { handleOf, systemAttributes } from './received-message.ts';
import { Receiving } from './receiving.ts';
import { DEDUPLICATION_SCHEMA, Sending } from './sending.ts';

export interface Sqs extends LocalService, SqsPort {
  /**
   * Billed requests since the start. A function's poller receives up to ten messages with one request and deletes them
   * with another; polls of an empty queue are not counted.
   */
  requests(): number;
  policyOf(queueArn: string): string | undefined;
}

/** Amazon SQS on this machine: standard, fair and FIFO queues in one SQLite file. */
export function createSqs(context: CloudContext): Sqs {
  const database = openDatabase(
    join(context.dataDir, 'sqs.sqlite'),
    QUEUES_SCHEMA + MESSAGES_SCHEMA + DEDUPLICATION_SCHEMA + MOVE_TASKS_SCHEMA,
  );
  const addresses = new Addresses(context);
  const queues = new Queues(database);
  const messages = new Messages(database);
  const arrivals = new Arrivals(context.clock);
  const sending = new Sending(context, database, messages, arrivals);
  const receiving = new Receiving({ context, database, addresses, queues, messages, arrivals });
  const tasks = new MoveTasks({ context, database, addresses, queues, messages, arrivals });
  const queueOperations = new QueueOperations({ context, addresses, queues, messages, receiving, arrivals });
  const operations: Record<string, Operation> = {
    ...queueOperations.table(),
    ...new MessageOperations({ context, addresses, queues, sending, receiving }).table(),
    ...moveTaskOperations(tasks),
  };

  const find = (queueArn: string) => {
    const queue = queues.find(addresses.nameInArn(queueArn) ?? '');
    if (!queue) throw queueDoesNotExist();
    return queue;
  };
  let requests = 0;
  const struck = <T>(operation: string, resource: string | undefined, work: () => T | Promise<T>) =>
    withFaults(context, { service: 'sqs', operation, resource }, faultErrors, work);

  const requireQueue = (caller: Principal, resource: string, ...actions: string[]) =>
    requireAccess(
      context.authorizer,
      caller,
      actions.map((action) => ({ action: `sqs:${action}`, resource })),
      403,
    );
  const checkAccess = accessCheck(context, sqsRequests, 403);

  return {
    signingName: 'sqs',

    requests: () => requests,

    policyOf: (queueArn) => queues.find(addresses.nameInArn(queueArn) ?? '')?.attributes.Policy,

    async refuse(denial, _request, response) {
      await withQueryCode(response, () => Promise.reject(denialError(denial))).catch((error: unknown) =>
        replyJsonError('1.0', response, error),
      );
    },

    async handle(request, response) {
      requests += 1;
      const name = operationName(request);
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const run = async (input: object) => {
        rejectUnknownMembers('sqs', name, input, operation?.members ?? [], operation?.structures);
        return struck(name, operation?.resource?.(input), () => operation?.run(input, gone.signal));
      };
      const table = operation ? { [name]: (input: object) => withQueryCode(response, () => run(input)) } : {};
      const service = {
        name: 'sqs',
        version: '1.0',
        operations: table,
        checkAccess: (...call: Parameters<typeof checkAccess>) =>
          withQueryCode(response, async () => checkAccess(...call)),
      } as const;
      await answerJson(service, request, response);
    },

    async send({ queueArn, body, delaySeconds, messageGroupId, attributes = {}, caller }) {
      requireQueue(caller, queueArn, 'SendMessage');
      const queue = find(queueArn);
      requests += 1;
      const message = {
        MessageBody: body,
        ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
        ...(messageGroupId !== undefined && { MessageGroupId: messageGroupId }),
        MessageAttributes: Object.fromEntries(
          Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
        ),
      };
      return struck('SendMessage', queue.name, () => {
        sending.check(queue, message);
        return { messageId: sending.send(queue, [message])[0]?.MessageId as string };
      });
    },

    async receive({ queueArn, max, waitMs, visibilitySeconds, signal, caller }) {
      // Lambda reads the attributes of a queue too before it polls it.
      requireQueue(caller, queueArn, 'ReceiveMessage', 'GetQueueAttributes');
      const queue = find(queueArn);
      const place = { accountId: context.accountId, fifo: queue.fifo };
      return struck('ReceiveMessage', queue.name, async () => {
        const received = await receiving.receive(queue.name, { max, waitMs, visibilitySeconds, signal });
        if (received.length > 0) requests += 2;
        return received.map(
          (message): QueueMessage => ({
            messageId: message.messageId,
            receiptHandle: handleOf(message),
            body: message.body,
            md5OfBody: md5(message.body),
            attributes: systemAttributes(message, place),
            messageAttributes: message.attributes,
          }),
        );
      });
    },

    async delete({ queueArn, receiptHandle, caller }) {
      requireQueue(caller, queueArn, 'DeleteMessage');
      const queue = find(queueArn);
      await struck('DeleteMessage', queue.name, () => receiving.delete(queue, receiptHandle));
    },

    async changeVisibility({ queueArn, receiptHandle, seconds }) {
      const queue = find(queueArn);
      await struck('ChangeMessageVisibility', queue.name, () =>
        receiving.changeVisibility(queue, receiptHandle, seconds),
      );
    },

    async attributes(queueArn) {
      const queue = queues.find(addresses.nameInArn(queueArn) ?? '');
      return queue && queueOperations.attributes(queue);
    },

    async close() {
      receiving.close();
      tasks.close();
      // Waiting receivers read the queue once more before they return.
      await new Promise((resolve) => setImmediate(resolve));
      database.close();
    },
  };
}

function moveTaskOperations(tasks: MoveTasks): Record<string, Operation> {
  return {
    StartMessageMoveTask: {
      members: ['SourceArn', 'DestinationArn', 'MaxNumberOfMessagesPerSecond'],
      run: (input) => {
        if (!input.SourceArn) throw missingParameter('SourceArn');
        return { TaskHandle: tasks.start(input) };
      },
    },
    ListMessageMoveTasks: {
      members: ['SourceArn', 'MaxResults'],
      run: ({ SourceArn, MaxResults = 1 }) => ({ Results: tasks.list(SourceArn, MaxResults) }),
    },
    CancelMessageMoveTask: {
      members: ['TaskHandle'],
      run: ({ TaskHandle }) => ({ ApproximateNumberOfMessagesMoved: tasks.cancel(TaskHandle) }),
    },
  };
}

/** SQS still sends the error codes of its older protocol in a header. */
async function withQueryCode<T>(response: ServerResponse, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AwsError) {
      response.setHeader('x-amzn-query-error', `${queryCode(error)};${error.status < 500 ? 'Sender' : 'Receiver'}`);
    }
    throw error;
  }
}
