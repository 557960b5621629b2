import type { ServerResponse } from 'node:http';
import { AwsError } from '../../core/aws-error.ts';
import type { EventsPort } from '../../core/ports.ts';
import type { AwsRequest, CloudContext, LocalService } from '../../core/service.ts';
import { checkAccess, hidingExistence } from './access.ts';
import { allowOrigin } from './configurations/cors.ts';
import { POLICY } from './configurations/kinds.ts';
import { denialError, S3Error } from './errors.ts';
import { EventPublisher } from './events/event-publisher.ts';
import { LifecycleSweeper } from './lifecycle/sweeper.ts';
import type { S3Deps } from './operation.ts';
import { isPresigned } from './presigned-url.ts';
import { errorReply, type Reply, sendReply } from './reply.ts';
import { newRequestId, readRequest, type S3Request } from './request.ts';
import { resolveOperation } from './resolve-operation.ts';
import { Store } from './store/store.ts';

export interface S3 extends LocalService {
  /** The policy of a bucket, by its ARN. */
  policyOf(bucketArn: string): string | undefined;
}

/**
 * S3 with path-style addressing. Metadata is in one SQLite file and bodies in content files under `context.dataDir`;
 * acknowledged changes survive a crash at any moment. Buckets with EventBridge notifications publish `Object Created`
 * and `Object Deleted` to `events` at least once.
 */
export function createS3(context: CloudContext, { events }: { events: EventsPort }): S3 {
  const store = new Store(context.dataDir);
  const publisher = new EventPublisher(context, store.journal, events);
  const deps: S3Deps = { context, store, publisher };
  const sweeper = new LifecycleSweeper(deps);
  const open = new Map<Promise<void>, ServerResponse>();

  return {
    signingName: 's3',
    policyOf: (bucketArn) => store.buckets.document(bucketArn.slice(bucketArn.lastIndexOf(':') + 1), POLICY),
    async refuse(denial, request, response) {
      await reject(deps, denialError(denial, isPresigned(request.query)), request, response);
    },
    async handle(request, response) {
      const answered = answer(deps, request, response);
      open.set(answered, response);
      await answered.finally(() => open.delete(answered));
    },
    async close() {
      for (const response of open.values()) response.destroy();
      await Promise.allSettled(open.keys());
      await sweeper.close();
      await publisher.close();
      store.close();
    },
  };
}

async function answer(deps: S3Deps, awsRequest: AwsRequest, response: ServerResponse): Promise<void> {
  const requestId = identified(response);
  let reply: Reply;
  try {
    const request = readRequest(awsRequest, requestId, deps.context);
    if (request.method !== 'OPTIONS') allowOrigin(deps, request, response);
    reply = await runWithFaults(deps, request, response);
  } catch (error) {
    if (!(error instanceof AwsError))
      deps.context.log(`s3: ${awsRequest.method} ${awsRequest.path}: ${describe(error)}`);
    reply = errorReply(error, { resource: awsRequest.path, requestId });
  }
  await sendReply(reply, response, awsRequest.method);
  // The rest of a rejected upload is drained, so that the client receives the answer.
  awsRequest.message.resume();
}

/** A browser may read why its presigned URL was rejected, as far as the bucket's rules allow. */
async function reject(deps: S3Deps, error: S3Error, request: AwsRequest, response: ServerResponse): Promise<void> {
  const requestId = identified(response);
  try {
    allowOrigin(deps, readRequest(request, requestId, deps.context), response);
  } catch {
    // The rest of the request is not valid either; the signature is what is reported.
  }
  await sendReply(errorReply(error, { resource: request.path, requestId }), response, request.method);
  request.message.resume();
}

function identified(response: ServerResponse): string {
  const requestId = newRequestId();
  response.setHeader('x-amz-request-id', requestId);
  response.setHeader('x-amz-id-2', Buffer.from(requestId).toString('base64'));
  return requestId;
}

async function runWithFaults(deps: S3Deps, request: S3Request, response: ServerResponse): Promise<Reply> {
  const { clock, faults } = deps.context;
  const operation = resolveOperation(request);
  checkAccess(deps.context, operation.name, request);
  const fault = faults.strike({
    service: 's3',
    operation: operation.name,
    resource: request.key === undefined ? request.bucket : `${request.bucket}/${request.key}`,
    effects: ['error', 'throttle', 'lostAnswer', 'delay'],
  });
  if (fault?.effect === 'error') throw new S3Error('InternalError');
  if (fault?.effect === 'throttle') throw new S3Error('SlowDown');
  if (fault?.effect === 'delay') {
    await new Promise<void>((resolve) => {
      const cancel = clock.schedule(clock.now() + (fault.delayMs ?? 0), resolve);
      response.once('close', () => {
        cancel();
        resolve();
      });
    });
  }
  const reply = await hidingExistence(deps.context, request, () => operation.run(deps, request));
  if (fault?.effect !== 'lostAnswer') return reply;
  reply.finished?.();
  throw new S3Error('InternalError');
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
