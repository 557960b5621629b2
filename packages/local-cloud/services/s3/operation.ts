import type { CloudContext } from '../../core/service.ts';
import { S3Error } from './errors.ts';
import type { EventPublisher } from './events/event-publisher.ts';
import type { Reply } from './reply.ts';
import type { S3Request } from './request.ts';
import type { Bucket } from './store/buckets.ts';
import type { Store } from './store/store.ts';

/** Dependencies of an operation. */
export interface S3Deps {
  readonly context: CloudContext;
  readonly store: Store;
  readonly publisher: EventPublisher;
}

export type Operation = (deps: S3Deps, request: S3Request) => Reply | Promise<Reply>;

/** Runs `work` in one transaction, then publishes the events it journaled. */
export function commit<T>(deps: S3Deps, work: () => T): T {
  const result = deps.store.transaction(work);
  deps.publisher.wake();
  return result;
}

/** The request's bucket. Throws `NoSuchBucket`. */
export function requireBucket(deps: S3Deps, request: S3Request): Bucket {
  return deps.store.buckets.require(request.bucket ?? '');
}

/** The request's key; only for operations on objects, which always have one. */
export function requireKey(request: S3Request): string {
  if (request.key === undefined) throw new S3Error('InvalidURI');
  return request.key;
}
