import { notImplemented, S3Error } from '../errors.ts';
import { commit, requireBucket, type S3Deps } from '../operation.ts';
import { readPayloadText } from '../payload/payload.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import { childText, parseXml } from '../xml.ts';
import { checkKnownElements } from '../xml-shape.ts';

export function getBucketVersioning(deps: S3Deps, request: S3Request): Reply {
  const { versioning } = requireBucket(deps, request);
  return xmlReply('VersioningConfiguration', { Status: versioning ?? undefined });
}

/** PutBucketVersioning: once enabled, versioning can only be suspended. */
export async function putBucketVersioning(deps: S3Deps, request: S3Request): Promise<Reply> {
  requireBucket(deps, request);
  const configuration = parseXml(await readPayloadText(request), 'VersioningConfiguration');
  checkKnownElements(configuration, { Status: 'text', MfaDelete: 'text' }, 'VersioningConfiguration');
  if (childText(configuration, 'MfaDelete') === 'Enabled') throw notImplemented('MfaDelete');
  const status = childText(configuration, 'Status');
  if (status !== 'Enabled' && status !== 'Suspended') {
    throw new S3Error('MalformedXML');
  }
  commit(deps, () => deps.store.buckets.setVersioning(requireBucket(deps, request).name, status));
  return { status: 200 };
}
