import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ALGORITHM, type Authorization, parseAmzDate } from './authorization.ts';
import { canonicalRequest, type SignedRequest } from './canonical-request.ts';
import type { Credentials, KnownKey } from './credentials.ts';
import { Denial } from './denial.ts';
import type { Principal } from './principal.ts';

/** Difference allowed between the clocks of client and service. */
const MAX_SKEW_MS = 5 * 60_000;
const S3_MAX_SKEW_MS = 15 * 60_000;
const MAX_SIGNING_KEYS = 1000;

/** A verified signature. */
export interface Verified {
  readonly principal: Principal;
  readonly authorization: Authorization;
  /** The key of the signature, with which the chunks of an upload are signed too. */
  readonly signingKey: KeyObject;
}

/** Verifies version 4 signatures of all services. */
export class Signatures {
  readonly #credentials: Credentials;
  readonly #now: () => number;
  readonly #signingKeys = new Map<string, { secret: string; key: KeyObject }>();

  constructor(credentials: Credentials, now: () => number = Date.now) {
    this.#credentials = credentials;
    this.#now = now;
  }

  /**
   * The caller behind a signature. `payloadHash` is called once the access key is known, because it may have to read
   * the body. Throws a `Denial`. The expiry of a presigned URL is S3's own.
   */
  async verify(
    request: SignedRequest,
    authorization: Authorization,
    payloadHash: () => string | Promise<string>,
  ): Promise<Verified> {
    const known = this.#credentials.find(authorization.accessKeyId, authorization.sessionToken);
    if (!authorization.presigned) this.#checkAge(authorization);
    checkSignedHeaders(request, authorization);
    const canonical = canonicalRequest(request, {
      service: authorization.scope.service,
      headers: authorization.signedHeaders,
      payloadHash: await payloadHash(),
    });
    const { date, region, service } = authorization.scope;
    const text = `${ALGORITHM}\n${authorization.signedAt}\n${date}/${region}/${service}/aws4_request\n${hash('sha256', canonical)}`;
    const signingKey = this.#signingKey(known, authorization);
    const expected = createHmac('sha256', signingKey).update(text).digest();
    const provided = Buffer.from(authorization.signature, 'hex');
    if (provided.length !== expected.length || !timingSafeEqual(provided, expected)) {
      throw mismatch(authorization, text, canonical);
    }
    return { principal: known.principal, authorization, signingKey };
  }

  #checkAge({ signedAt, scope }: Authorization): void {
    const time = parseAmzDate(signedAt);
    const limit = scope.service === 's3' ? S3_MAX_SKEW_MS : MAX_SKEW_MS;
    const now = this.#now();
    if (time !== undefined && Math.abs(now - time) <= limit) return;
    const late = time === undefined || time < now;
    const detail = `${signedAt} is ${late ? 'earlier' : 'later'} than ${new Date(now).toISOString()} by more than ${limit / 60_000} min.`;
    throw new Denial('skewed', `Signature ${late ? 'expired' : 'not yet current'}: ${detail}`);
  }

  #signingKey(
    { secretAccessKey, accessKeyId }: KnownKey,
    { scope: { date, region, service } }: Authorization,
  ): KeyObject {
    const name = `${accessKeyId}/${date}/${region}/${service}`;
    const cached = this.#signingKeys.get(name);
    if (cached?.secret === secretAccessKey) return cached.key;
    const bytes = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      `AWS4${secretAccessKey}`,
    ) as Buffer;
    // As an object, because Node takes five times as long to sign with bytes.
    const key = createSecretKey(bytes);
    if (this.#signingKeys.size >= MAX_SIGNING_KEYS) {
      this.#signingKeys.delete(this.#signingKeys.keys().next().value as string);
    }
    this.#signingKeys.set(name, { secret: secretAccessKey, key });
    return key;
  }
}

/**
 * Headers that could change the operation must be signed. S3 checks presigned URLs itself, with an error of its own.
 */
function checkSignedHeaders(request: SignedRequest, { presigned, signedHeaders }: Authorization): void {
  const required = presigned
    ? ['host']
    : ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))];
  const missing = required.find((name) => !signedHeaders.includes(name));
  if (missing === undefined) return;
  const message = presigned
    ? `X-Amz-SignedHeaders must include ${missing}.`
    : `'${missing}' must be a 'SignedHeader' in the AWS Authorization.`;
  throw new Denial('incomplete', message);
}

function mismatch({ accessKeyId, signature }: Authorization, text: string, canonical: string): Denial {
  return new Denial(
    'mismatch',
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
    {
      AWSAccessKeyId: accessKeyId,
      StringToSign: text,
      SignatureProvided: signature,
      CanonicalRequest: canonical,
    },
  );
}
