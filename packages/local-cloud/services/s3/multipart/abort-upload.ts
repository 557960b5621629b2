import { commit, type S3Deps } from '../operation.ts';
import type { Reply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import { requireUpload } from './upload-part.ts';

/** AbortMultipartUpload: deletes the parts; a part still in transfer is rejected on arrival. */
export function abortMultipartUpload(deps: S3Deps, request: S3Request): Reply {
  commit(deps, () => deps.store.uploads.remove(requireUpload(deps, request).id));
  return { status: 204 };
}
