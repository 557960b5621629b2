import { checkCorsConfiguration, corsShape } from '../configurations/cors.ts';
import { encryptionShape } from '../configurations/encryption.ts';
import {
  CORS,
  ENCRYPTION,
  LIFECYCLE,
  LOGGING,
  NOTIFICATION,
  OWNERSHIP_CONTROLS,
  PUBLIC_ACCESS_BLOCK,
  TAGGING,
} from '../configurations/kinds.ts';
import { checkLifecycleConfiguration, lifecycleShape } from '../configurations/lifecycle-rules.ts';
import { S3Error, type S3ErrorCode } from '../errors.ts';
import { commit, type Operation, requireBucket } from '../operation.ts';
import { readPayloadText } from '../payload/payload.ts';
import { tagsFromXml } from '../tags.ts';
import { parseXml, type XmlElement, xmlDocument } from '../xml.ts';
import { checkKnownElements, type Shape } from '../xml-shape.ts';

const MAX_BUCKET_TAGS = 50;

/** A bucket configuration, stored and returned as the document that was sent. */
interface DocumentKind {
  kind: string;
  root: string;
  /** Supported elements; any other is rejected by name. */
  shape: Shape;
  /** Checks beyond the shape. Throws. */
  check?: (element: XmlElement) => void;
  /** The answer when none is stored: a document or an error. */
  absent: { content: XmlElement } | { error: S3ErrorCode };
  putStatus?: 200 | 204;
}

const documentKinds = {
  cors: {
    kind: CORS,
    root: 'CORSConfiguration',
    shape: corsShape,
    check: checkCorsConfiguration,
    absent: { error: 'NoSuchCORSConfiguration' },
  },
  lifecycle: {
    kind: LIFECYCLE,
    root: 'LifecycleConfiguration',
    shape: lifecycleShape,
    check: checkLifecycleConfiguration,
    absent: { error: 'NoSuchLifecycleConfiguration' },
  },
  encryption: {
    kind: ENCRYPTION,
    root: 'ServerSideEncryptionConfiguration',
    shape: encryptionShape,
    absent: {
      content: {
        Rule: [
          {
            ApplyServerSideEncryptionByDefault: [{ SSEAlgorithm: ['AES256'] }],
            BucketKeyEnabled: ['false'],
          },
        ],
      },
    },
  },
  publicAccessBlock: {
    kind: PUBLIC_ACCESS_BLOCK,
    root: 'PublicAccessBlockConfiguration',
    shape: {
      BlockPublicAcls: 'text',
      IgnorePublicAcls: 'text',
      BlockPublicPolicy: 'text',
      RestrictPublicBuckets: 'text',
    },
    absent: { error: 'NoSuchPublicAccessBlockConfiguration' },
  },
  tagging: {
    kind: TAGGING,
    root: 'Tagging',
    shape: { TagSet: { Tag: { Key: 'text', Value: 'text' } } },
    check: (element) => tagsFromXml(element, MAX_BUCKET_TAGS),
    absent: { error: 'NoSuchTagSet' },
    putStatus: 204,
  },
  ownershipControls: {
    kind: OWNERSHIP_CONTROLS,
    root: 'OwnershipControls',
    shape: { Rule: { ObjectOwnership: 'text' } },
    absent: { error: 'OwnershipControlsNotFoundError' },
  },
  logging: {
    kind: LOGGING,
    root: 'BucketLoggingStatus',
    shape: {
      LoggingEnabled: {
        TargetBucket: 'text',
        TargetPrefix: 'text',
        TargetObjectKeyFormat: { SimplePrefix: {}, PartitionedPrefix: { PartitionDateSource: 'text' } },
      },
    },
    absent: { content: '' },
  },
  notification: {
    kind: NOTIFICATION,
    root: 'NotificationConfiguration',
    shape: { EventBridgeConfiguration: {} },
    absent: { content: '' },
  },
} as const satisfies Record<string, DocumentKind>;

type KindName = keyof typeof documentKinds;

export function putDocument(name: KindName): Operation {
  const { kind, root, shape, ...rest }: DocumentKind = documentKinds[name];
  return async (deps, request) => {
    requireBucket(deps, request);
    const text = await readPayloadText(request);
    if (text === '') throw new S3Error('MissingRequestBodyError');
    const element = parseXml(text, root);
    checkKnownElements(element, shape, root);
    rest.check?.(element);
    commit(deps, () => {
      const bucket = requireBucket(deps, request);
      deps.store.buckets.setDocument(bucket.name, kind, xmlDocument(root, withoutWhiteSpace(element)));
    });
    return { status: rest.putStatus ?? 200 };
  };
}

export function getDocument(name: KindName): Operation {
  const { kind, root, absent }: DocumentKind = documentKinds[name];
  return (deps, request) => {
    const bucket = requireBucket(deps, request);
    const document = deps.store.buckets.document(bucket.name, kind);
    if (document !== undefined) return { status: 200, body: document };
    if ('error' in absent) throw new S3Error(absent.error, { fields: { BucketName: bucket.name } });
    return { status: 200, body: xmlDocument(root, absent.content) };
  };
}

export function deleteDocument(name: KindName): Operation {
  const { kind }: DocumentKind = documentKinds[name];
  return (deps, request) => {
    commit(deps, () => deps.store.buckets.removeDocument(requireBucket(deps, request).name, kind));
    return { status: 204 };
  };
}

/** White space between elements is layout and is not stored. */
function withoutWhiteSpace(element: XmlElement): XmlElement {
  if (typeof element === 'string') return element;
  const content = Object.entries(element).filter(([name]) => name !== '#text');
  return Object.fromEntries(content.map(([name, found]) => [name, found.map(withoutWhiteSpace)]));
}
