import type { AccessRequest } from '../../core/access/authorizer.ts';
import type { CloudContext } from '../../core/service.ts';
import { deleteRequest, existenceRequest, s3Requests } from '../../iam/requests/s3.ts';
import { S3Error } from './errors.ts';
import type { S3Request } from './request.ts';

/** Throws `AccessDenied` if the caller may not perform the operation. A preflight needs no access. */
export function checkAccess(context: CloudContext, operation: string, request: S3Request): void {
  if (request.method === 'OPTIONS') return;
  requireEach(context, request, s3Requests(operation, request));
}

/** Each object of DeleteObjects is allowed or denied on its own. */
export function checkDeletion(
  context: CloudContext,
  request: S3Request,
  { key, versionId }: { key: string; versionId: string | undefined },
): void {
  requireEach(context, request, [deleteRequest(request.bucket ?? '', key, versionId)]);
}

/** S3 reports a missing object only to callers that may list the bucket; to others it denies access. */
export async function hidingExistence<T>(
  context: CloudContext,
  request: S3Request,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof S3Error && error.code === 'NoSuchKey') {
      requireEach(context, request, [existenceRequest(request.bucket ?? '')]);
    }
    throw error;
  }
}

function requireEach(context: CloudContext, { principal }: S3Request, requests: readonly AccessRequest[]): void {
  for (const request of requests) {
    const message = context.authorizer.denial(principal, request);
    if (message !== undefined) throw new S3Error('AccessDenied', { message });
  }
}
