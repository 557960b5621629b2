import { commit, type S3Deps } from '../operation.ts';
import { readPayloadText } from '../payload/payload.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import { tagsFromXml, tagsToXml } from '../tags.ts';
import { parseXml } from '../xml.ts';
import { findRequested } from './find-version.ts';
import { versionHeader } from './object-headers.ts';

export function getObjectTagging(deps: S3Deps, request: S3Request): Reply {
  const { bucket, version } = findRequested(deps, request);
  return xmlReply('Tagging', tagsToXml(version.tags), versionHeader(bucket, version));
}

export async function putObjectTagging(deps: S3Deps, request: S3Request): Promise<Reply> {
  findRequested(deps, request);
  const tags = tagsFromXml(parseXml(await readPayloadText(request), 'Tagging'));
  return commit(deps, () => {
    const { bucket, version } = findRequested(deps, request);
    deps.store.versions.setTags(version, tags);
    return { status: 200, headers: versionHeader(bucket, version) };
  });
}

export function deleteObjectTagging(deps: S3Deps, request: S3Request): Reply {
  return commit(deps, () => {
    const { bucket, version } = findRequested(deps, request);
    deps.store.versions.setTags(version, {});
    return { status: 204, headers: versionHeader(bucket, version) };
  });
}
