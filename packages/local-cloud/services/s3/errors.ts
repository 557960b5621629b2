import type { Denial, DenialReason } from '../../core/access/denial.ts';
import { AwsError } from '../../core/aws-error.ts';

/** Status and message of each error code, in S3's own words. */
const catalogue = {
  AccessControlListNotSupported: [400, 'The bucket does not allow ACLs'],
  AccessDenied: [403, 'Access Denied'],
  AccessForbidden: [403, 'CORSResponse: CORS is not enabled for this bucket.'],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed'],
  AuthorizationQueryParametersError: [400, 'X-Amz-Expires should be a number'],
  BadDigest: [400, 'The Content-MD5 you specified did not match what we received.'],
  BucketAlreadyOwnedByYou: [409, 'Your previous request to create the named bucket succeeded and you already own it.'],
  BucketNotEmpty: [409, 'The bucket you tried to delete is not empty'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed size'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed size'],
  ExpiredToken: [400, 'The provided token has expired.'],
  IllegalLocationConstraintException: [
    400,
    'The unspecified location constraint is incompatible for the region specific endpoint this request was sent to.',
  ],
  IncompleteBody: [400, 'You did not provide the number of bytes specified by the Content-Length HTTP header'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The AWS Access Key Id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidBucketName: [400, 'The specified bucket is not valid.'],
  InvalidDigest: [400, 'The Content-MD5 you specified was invalid.'],
  InvalidPart: [
    400,
    "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
  ],
  InvalidPartNumber: [416, 'The requested partnumber is not satisfiable'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order. Parts must be ordered by part number.'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRequest: [400, 'Invalid Request'],
  InvalidStorageClass: [400, 'The storage class you specified is not valid'],
  InvalidTag: [400, 'The tag provided was not a valid tag.'],
  InvalidToken: [400, 'The provided token is malformed or otherwise invalid.'],
  InvalidURI: [400, "Couldn't parse the specified URI."],
  KeyTooLongError: [400, 'Your key is too long'],
  MalformedPolicy: [400, "Policies must be valid JSON and the first byte must be '{'"],
  MalformedXML: [400, 'The XML you provided was not well-formed or did not validate against our published schema'],
  MaxMessageLengthExceeded: [400, 'Your request was too big.'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  MissingRequestBodyError: [400, 'Request Body is empty'],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchBucketPolicy: [404, 'The bucket policy does not exist'],
  NoSuchCORSConfiguration: [404, 'The CORS configuration does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchLifecycleConfiguration: [404, 'The lifecycle configuration does not exist'],
  NoSuchPublicAccessBlockConfiguration: [404, 'The public access block configuration was not found'],
  NoSuchTagSet: [404, 'The TagSet does not exist'],
  NoSuchUpload: [
    404,
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  ],
  NoSuchVersion: [404, 'The specified version does not exist.'],
  NotImplemented: [501, 'A header you provided implies functionality that is not implemented'],
  OwnershipControlsNotFoundError: [404, 'The bucket ownership controls were not found'],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold'],
  RequestTimeTooSkewed: [403, 'The difference between the request time and the current time is too large.'],
  SignatureDoesNotMatch: [
    403,
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  ],
  SlowDown: [503, 'Please reduce your request rate.'],
  XAmzContentSHA256Mismatch: [400, "The provided 'x-amz-content-sha256' header does not match what was computed."],
} as const satisfies Record<string, readonly [number, string]>;

export type S3ErrorCode = keyof typeof catalogue;

/** An error as S3 reports it: `fields` become further elements of the XML body, `headers` go on the reply. */
export class S3Error extends AwsError {
  readonly headers: Record<string, string>;

  constructor(code: S3ErrorCode, options: S3ErrorOptions = {}) {
    const [status, message] = catalogue[code];
    super(code, options.message ?? message, { status, fields: options.fields ?? {} });
    this.headers = options.headers ?? {};
  }
}

export interface S3ErrorOptions {
  /** For codes with several messages. */
  message?: string;
  fields?: Record<string, string | number>;
  headers?: Record<string, string>;
}

export function invalidArgument(message: string, name: string, value: string): S3Error {
  return new S3Error('InvalidArgument', { message, fields: { ArgumentName: name, ArgumentValue: value } });
}

/** Rejects an unsupported sub-resource, parameter, element or feature by name. */
export function notImplemented(what: string): S3Error {
  return new S3Error('NotImplemented', { message: `The local cloud does not support ${what} (s3).` });
}

const DENIAL_CODES: Record<DenialReason, S3ErrorCode> = {
  incomplete: 'AuthorizationHeaderMalformed',
  unknownKey: 'InvalidAccessKeyId',
  invalidToken: 'InvalidToken',
  expiredToken: 'ExpiredToken',
  skewed: 'RequestTimeTooSkewed',
  mismatch: 'SignatureDoesNotMatch',
};

export function denialError({ reason, message, fields }: Denial, presigned: boolean): S3Error {
  if (reason !== 'incomplete') return new S3Error(DENIAL_CODES[reason], { fields });
  return new S3Error(presigned ? 'AuthorizationQueryParametersError' : DENIAL_CODES.incomplete, { message });
}
