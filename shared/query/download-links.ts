/** Addresses under which objects of the data bucket can be read for a while, by whoever has them. */
export interface DownloadLinks {
  sign(key: string, fileName: string): Promise<{ downloadUrl: string; expiresAt: string }>;
}

const VALID_SECONDS = 15 * 60;

/** The clients are loaded when the first link is made: most replies need none. */
export function downloadLinks(bucket: string, now: () => Date): DownloadLinks {
  return {
    async sign(key, fileName) {
      const { GetObjectCommand, S3Client } = await import('../objects/object-client.ts');
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ResponseContentDisposition: `attachment; filename="${fileName}"`,
      });
      return {
        downloadUrl: await getSignedUrl(new S3Client({}), command, { expiresIn: VALID_SECONDS }),
        expiresAt: new Date(now().getTime() + VALID_SECONDS * 1000).toISOString(),
      };
    },
  };
}
