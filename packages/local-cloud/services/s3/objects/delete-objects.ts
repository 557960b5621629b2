import { AwsError } from '../../../core/aws-error.ts';
import { checkDeletion } from '../access.ts';
import { checkedKey } from '../addressing.ts';
import { S3Error } from '../errors.ts';
import { commit, requireBucket, type S3Deps } from '../operation.ts';
import { readPayloadText } from '../payload/payload.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import { children, childText, parseXml, type XmlContent, type XmlElement } from '../xml.ts';
import { checkKnownElements, type Shape } from '../xml-shape.ts';
import { deleteOne } from './delete-object.ts';
import { checkedVersionId } from './find-version.ts';

const MAX_OBJECTS = 1000;
const SHAPE: Shape = { Object: { Key: 'text', VersionId: 'text', ETag: 'text' }, Quiet: 'text' };

interface Target {
  key: string;
  versionId: string | undefined;
  etag: string | undefined;
}

/** DeleteObjects: each key succeeds or fails on its own. */
export async function deleteObjects(deps: S3Deps, request: S3Request): Promise<Reply> {
  requireBucket(deps, request);
  const document = parseXml(await readPayloadText(request), 'Delete');
  checkKnownElements(document, SHAPE, 'Delete');
  const targets = children(document, 'Object').map(readTarget);
  if (targets.length === 0 || targets.length > MAX_OBJECTS) throw new S3Error('MalformedXML');
  const quiet = childText(document, 'Quiet') === 'true';

  const deleted: XmlContent[] = [];
  const errors: XmlContent[] = [];
  for (const target of targets) {
    try {
      deleted.push(deleteTarget(deps, request, target));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      errors.push({ Key: target.key, VersionId: target.versionId, Code: error.code, Message: error.message });
    }
  }
  return xmlReply('DeleteResult', { Deleted: quiet ? [] : deleted, Error: errors });
}

function deleteTarget(deps: S3Deps, request: S3Request, target: Target): XmlContent {
  checkedKey(target.key);
  checkDeletion(deps.context, request, target);
  if (target.versionId !== undefined) checkedVersionId(target.versionId);
  const { marker, removed } = commit(deps, () => deleteOne(deps, request, requireBucket(deps, request), target));
  const markerId = marker?.versionId ?? (removed?.deleteMarker ? removed.versionId : undefined);
  return {
    Key: target.key,
    VersionId: target.versionId,
    DeleteMarker: markerId === undefined ? undefined : true,
    DeleteMarkerVersionId: markerId,
  };
}

function readTarget(object: XmlElement): Target {
  const key = childText(object, 'Key');
  if (!key) throw new S3Error('MalformedXML');
  return { key, versionId: childText(object, 'VersionId'), etag: childText(object, 'ETag') };
}
