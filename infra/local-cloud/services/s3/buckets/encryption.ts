import type { Encryption } from '../objects/attributes.ts';
import type { S3Deps } from '../operation.ts';
import type { Bucket } from '../store/buckets.ts';
import { child, childText, parseXml } from '../xml.ts';
import { ENCRYPTION } from './document-kinds.ts';
import { remembering } from './remembered-documents.ts';

export const encryptionShape = {
  Rule: {
    ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'text', KMSMasterKeyID: 'text' },
    BucketKeyEnabled: 'text',
  },
} as const;

/** The encryption that the bucket gives to an object whose writer asks for none. It is reported; nothing is encrypted. */
export function bucketEncryption(deps: S3Deps, bucket: Bucket): Encryption {
  const document = deps.store.buckets.document(bucket.name, ENCRYPTION);
  return document === undefined ? { algorithm: 'AES256' } : encryptionOf(document);
}

const encryptionOf = remembering((document): Encryption => {
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
