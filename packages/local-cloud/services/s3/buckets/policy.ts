import { POLICY } from '../configurations/kinds.ts';
import { S3Error } from '../errors.ts';
import { commit, requireBucket, type S3Deps } from '../operation.ts';
import { readPayloadText } from '../payload/payload.ts';
import type { Reply } from '../reply.ts';
import type { S3Request } from '../request.ts';

const MAX_POLICY_BYTES = 20 * 1024;

/** PutBucketPolicy: the policy counts from the next request on. */
export async function putBucketPolicy(deps: S3Deps, request: S3Request): Promise<Reply> {
  requireBucket(deps, request);
  const text = await readPayloadText(request, { maxBytes: MAX_POLICY_BYTES });
  if (!hasStatements(text)) throw new S3Error('MalformedPolicy');
  commit(deps, () => deps.store.buckets.setDocument(requireBucket(deps, request).name, POLICY, text));
  return { status: 204 };
}

export function getBucketPolicy(deps: S3Deps, request: S3Request): Reply {
  const { name } = requireBucket(deps, request);
  const text = deps.store.buckets.document(name, POLICY);
  if (text === undefined) throw new S3Error('NoSuchBucketPolicy', { fields: { BucketName: name } });
  return { status: 200, headers: { 'content-type': 'application/json' }, body: text };
}

export function deleteBucketPolicy(deps: S3Deps, request: S3Request): Reply {
  commit(deps, () => deps.store.buckets.removeDocument(requireBucket(deps, request).name, POLICY));
  return { status: 204 };
}

function hasStatements(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    return 'Statement' in JSON.parse(text);
  } catch {
    return false;
  }
}
