import { OWNERSHIP_CONTROLS, PUBLIC_ACCESS_BLOCK } from '../configurations/kinds.ts';
import { S3Error } from '../errors.ts';
import { isoSeconds, readCount } from '../listing/page.ts';
import { commit, requireBucket, type S3Deps } from '../operation.ts';
import { readPayloadText } from '../payload/payload.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import { childText, parseXml, xmlDocument } from '../xml.ts';
import { checkKnownElements } from '../xml-shape.ts';

const FIRST_REGION = 'us-east-1';
const ownerships = ['BucketOwnerEnforced', 'BucketOwnerPreferred', 'ObjectWriter'];

/** CreateBucket, with the defaults of a new bucket: public access blocked, ACLs off. */
export async function createBucket(deps: S3Deps, request: S3Request): Promise<Reply> {
  const name = request.bucket ?? '';
  checkBucketName(name);
  await checkLocation(deps, request);
  const ownership = request.header('x-amz-object-ownership') ?? 'BucketOwnerEnforced';
  if (!ownerships.includes(ownership)) {
    throw new S3Error('InvalidArgument', { message: `Invalid x-amz-object-ownership header: ${ownership}` });
  }
  commit(deps, () => {
    const { buckets } = deps.store;
    if (buckets.find(name)) {
      // Creating one's own bucket again succeeds only in the oldest region.
      if (deps.context.region === FIRST_REGION) return;
      throw new S3Error('BucketAlreadyOwnedByYou', { fields: { BucketName: name } });
    }
    buckets.create(name, deps.context.clock.now());
    buckets.setDocument(name, PUBLIC_ACCESS_BLOCK, allPublicAccessBlocked());
    buckets.setDocument(
      name,
      OWNERSHIP_CONTROLS,
      xmlDocument('OwnershipControls', { Rule: { ObjectOwnership: ownership } }),
    );
  });
  return { status: 200, headers: { location: `/${name}` } };
}

export function headBucket(deps: S3Deps, request: S3Request): Reply {
  requireBucket(deps, request);
  return { status: 200, headers: { 'x-amz-bucket-region': deps.context.region, 'x-amz-access-point-alias': 'false' } };
}

/** DeleteBucket: versions and delete markers count as content; unfinished uploads do not. */
export function deleteBucket(deps: S3Deps, request: S3Request): Reply {
  commit(deps, () => {
    const { buckets, versions, uploads } = deps.store;
    const { name } = requireBucket(deps, request);
    if (versions.any(name)) throw new S3Error('BucketNotEmpty', { fields: { BucketName: name } });
    for (const upload of uploads.of(name)) uploads.remove(upload.id);
    buckets.remove(name);
  });
  return { status: 204 };
}

export function getBucketLocation(deps: S3Deps, request: S3Request): Reply {
  requireBucket(deps, request);
  return xmlReply('LocationConstraint', deps.context.region === FIRST_REGION ? '' : deps.context.region);
}

/** ListBuckets, in order of the names. */
export function listBuckets(deps: S3Deps, request: S3Request): Reply {
  const { query } = request;
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token') ?? '';
  const region = query.get('bucket-region');
  const max = readCount(query, 'max-buckets', { fallback: 10_000, max: 10_000 });
  const after = deps.store.buckets
    .all()
    .filter(
      ({ name }) => name.startsWith(prefix) && name > token && (region ?? deps.context.region) === deps.context.region,
    );
  const page = after.slice(0, max);
  return xmlReply('ListAllMyBucketsResult', {
    Owner: { ID: deps.context.accountId, DisplayName: deps.context.accountId },
    Buckets: {
      Bucket: page.map(({ name, created }) => ({
        Name: name,
        CreationDate: isoSeconds(created),
        BucketRegion: deps.context.region,
        BucketArn: `arn:aws:s3:::${name}`,
      })),
    },
    Prefix: query.has('prefix') ? prefix : undefined,
    ContinuationToken: after.length > page.length ? page.at(-1)?.name : undefined,
  });
}

function checkBucketName(name: string): void {
  const wellFormed = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !/\.\.|^\d+\.\d+\.\d+\.\d+$|^xn--/.test(name);
  if (!wellFormed) throw new S3Error('InvalidBucketName', { fields: { BucketName: name } });
}

async function checkLocation(deps: S3Deps, request: S3Request): Promise<void> {
  const text = request.header('content-length') === undefined ? '' : await readPayloadText(request);
  let constraint: string | undefined;
  if (text !== '') {
    const configuration = parseXml(text, 'CreateBucketConfiguration');
    checkKnownElements(configuration, { LocationConstraint: 'text' }, 'CreateBucketConfiguration');
    constraint = childText(configuration, 'LocationConstraint');
  }
  const { region } = deps.context;
  if ((constraint ?? FIRST_REGION) === region) return;
  throw new S3Error('IllegalLocationConstraintException', {
    message: `The ${constraint ?? 'unspecified'} location constraint is incompatible for the region specific endpoint this request was sent to.`,
  });
}

function allPublicAccessBlocked(): string {
  return xmlDocument('PublicAccessBlockConfiguration', {
    BlockPublicAcls: true,
    IgnorePublicAcls: true,
    BlockPublicPolicy: true,
    RestrictPublicBuckets: true,
  });
}
