import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { onTestFinished } from 'vitest';
import { LocalCloud } from '../../../packages/local-cloud/index.ts';
import { LOCAL } from '../api.ts';

export interface ForeignBucket {
  s3: S3Client;
  bucket: string;
  /** The address of its cloud. */
  endpoint: string;
  secrets: { accessKeyId: string; secretAccessKey: string };
}

/**
 * A bucket of a customer until the test is over. It is in another cloud, because sources cannot reach the platform's
 * own.
 */
export async function foreignBucket(files: Record<string, string> = {}): Promise<ForeignBucket> {
  const dataDir = mkdtempSync(join(tmpdir(), 'foreign-cloud-'));
  const cloud = await LocalCloud.open({ dataDir, port: 0 });
  const { endpoint } = cloud;
  const s3 = new S3Client({ endpoint, forcePathStyle: true, ...LOCAL });
  onTestFinished(async () => {
    s3.destroy();
    await cloud.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const bucket = `theirs-${crypto.randomUUID()}`;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  for (const [Key, Body] of Object.entries(files)) await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));
  const { accessKeyId, secretAccessKey } = LOCAL.credentials;
  return { s3, bucket, endpoint, secrets: { accessKeyId, secretAccessKey } };
}
