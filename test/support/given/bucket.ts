import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { LOCAL } from '../api.ts';

export interface DataBucket {
  name: string;
  s3: S3Client;
}

const known = new Map<string, Promise<DataBucket>>();

/** The data bucket of the deployment under test. */
export function dataBucket(endpoint: string): Promise<DataBucket> {
  const bucket = known.get(endpoint) ?? findBucket(endpoint);
  known.set(endpoint, bucket);
  return bucket;
}

async function findBucket(endpoint: string): Promise<DataBucket> {
  const s3 = new S3Client({ endpoint, forcePathStyle: true, ...LOCAL });
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
  return { s3, name: Buckets.find(({ Name }) => Name!.startsWith('analyticsdata'))!.Name! };
}
