import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { dispositionOf } from '../../../platform/http/content.ts';

/** Presigned URLs of objects in the data bucket; anyone with the URL can read the object until it expires. */
export interface DownloadLinks {
  sign(key: string, fileName: string): Promise<{ downloadUrl: string; expiresAt: string }>;
  /** For a redirect to an object that is shown and not saved. It ends as soon as the client has followed it. */
  show(key: string): Promise<string>;
}

const VALID_SECONDS = 15 * 60;
const REDIRECT_SECONDS = 30;

/** Creates the client when a link is needed; most replies need none. */
export function downloadLinks(bucket: string, now: () => Date): DownloadLinks {
  return {
    async sign(key, fileName) {
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ResponseContentDisposition: dispositionOf(fileName),
      });
      return {
        downloadUrl: await getSignedUrl(new S3Client({}), command, { expiresIn: VALID_SECONDS }),
        expiresAt: new Date(now().getTime() + VALID_SECONDS * 1000).toISOString(),
      };
    },
    async show(key) {
      const command = new GetObjectCommand({ Bucket: bucket, Key: key, ResponseCacheControl: 'no-store' });
      return getSignedUrl(new S3Client({}), command, { expiresIn: REDIRECT_SECONDS });
    },
  };
}
