import type { Encryption } from '../model.ts';
import type { S3Deps } from '../operation.ts';
import type { Bucket } from '../store/buckets.ts';
import { child, childText, parseXml } from '../xml.ts';
import { ENCRYPTION } from './kinds.ts';
import { parsedOnce } from './parsed-once.ts';

export const encryptionShape = {
  Rule: {
    ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'text', KMSMasterKeyID: 'text' },
    BucketKeyEnabled: 'text',
  },
} as const;

/** The bucket's default encryption for new objects. It is only reported; nothing is encrypted. */
export function bucketEncryption(deps: S3Deps, bucket: Bucket): Encryption {
  const document = deps.store.buckets.document(bucket.name, ENCRYPTION);
  return document === undefined ? { algorithm: 'AES256' } : encryptionOf(document);
}

const encryptionOf = parsedOnce((document): Encryption => {
  const rule = child(parseXml(document, 'ServerSideEncryptionConfiguration'), 'Rule');
  const byDefault = child(rule, 'ApplyServerSideEncryptionByDefault');
  const algorithm = childText(byDefault, 'SSEAlgorithm') ?? 'AES256';
  const bucketKey = childText(rule, 'BucketKeyEnabled') === 'true';
  return {
    algorithm,
    kmsKeyId: childText(byDefault, 'KMSMasterKeyID'),
    bucketKey: algorithm === 'aws:kms' ? bucketKey : undefined,
  };
});
