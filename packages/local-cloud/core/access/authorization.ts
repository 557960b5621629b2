import type { IncomingHttpHeaders } from 'node:http';
import { Denial } from './denial.ts';

/** A signature (version 4) as it is sent, in the `Authorization` header or in the query of a presigned URL. */
export interface Authorization {
  readonly presigned: boolean;
  readonly accessKeyId: string;
  readonly sessionToken: string | undefined;
  /** `20260101`, `us-east-1`, `sqs`. */
  readonly scope: { readonly date: string; readonly region: string; readonly service: string };
  /** `20260101T120000Z`. */
  readonly signedAt: string;
  readonly signedHeaders: readonly string[];
  /** Hex. */
  readonly signature: string;
}

export const ALGORITHM = 'AWS4-HMAC-SHA256';
/** The only service that has presigned URLs here. */
const PRESIGNED_SERVICE = 's3';

/**
 * The service that a request is signed for. A presigned query names S3 alone: any page can make a browser send a query,
 * but not an `Authorization` header.
 */
export function signedService(headers: IncomingHttpHeaders, query: URLSearchParams): string | undefined {
  const { authorization } = headers;
  if (authorization?.startsWith(ALGORITHM)) return /Credential=([^,\s]+)/.exec(authorization)?.[1]?.split('/')[3] ?? '';
  return query.has('X-Amz-Signature') ? PRESIGNED_SERVICE : undefined;
}

/** Throws a `Denial` if a part of the signature is missing or malformed. */
export function readAuthorization(headers: IncomingHttpHeaders, query: URLSearchParams): Authorization {
  return headers.authorization?.startsWith(ALGORITHM) ? fromHeader(headers.authorization, headers) : fromQuery(query);
}

function fromHeader(authorization: string, headers: IncomingHttpHeaders): Authorization {
  const parts = new Map<string, string>();
  for (const part of authorization.slice(ALGORITHM.length).split(',')) {
    const equals = part.indexOf('=');
    parts.set(part.slice(0, equals).trim(), part.slice(equals + 1).trim());
  }
  const required = (name: string): string => {
    const value = parts.get(name);
    if (value) return value;
    throw new Denial('incomplete', `Authorization header requires '${name}' parameter. Authorization=${authorization}`);
  };
  const credential = readCredential(required('Credential'), 'Credential');
  const signedAt = headers['x-amz-date'];
  if (typeof signedAt !== 'string' || !credential.scope.date || !signedAt.startsWith(credential.scope.date)) {
    throw new Denial('incomplete', "Authorization header requires existence of an 'X-Amz-Date' header of its date.");
  }
  return {
    presigned: false,
    ...credential,
    sessionToken: headers['x-amz-security-token'] as string | undefined,
    signedAt,
    signedHeaders: required('SignedHeaders').split(';'),
    signature: required('Signature'),
  };
}

function fromQuery(query: URLSearchParams): Authorization {
  if (query.get('X-Amz-Algorithm') !== ALGORITHM) {
    throw new Denial('incomplete', `X-Amz-Algorithm only supports "${ALGORITHM}"`);
  }
  const credential = readCredential(query.get('X-Amz-Credential') ?? '', 'X-Amz-Credential');
  const signedAt = query.get('X-Amz-Date') ?? '';
  if (!signedAt.startsWith(credential.scope.date)) throw malformedCredential('X-Amz-Credential');
  return {
    presigned: true,
    ...credential,
    sessionToken: query.get('X-Amz-Security-Token') ?? undefined,
    signedAt,
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    signature: query.get('X-Amz-Signature') ?? '',
  };
}

function readCredential(text: string, name: string): Pick<Authorization, 'accessKeyId' | 'scope'> {
  const [accessKeyId, date = '', region = '', service = '', ending, ...more] = text.split('/');
  if (!accessKeyId || !/^\d{8}$/.test(date) || ending !== 'aws4_request' || more.length > 0) {
    throw malformedCredential(name);
  }
  return { accessKeyId, scope: { date, region, service } };
}

function malformedCredential(name: string): Denial {
  return new Denial(
    'incomplete',
    `Error parsing the ${name} parameter; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request".`,
  );
}

/** `20260101T120000Z` → epoch milliseconds. */
export function parseAmzDate(text: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!match) return undefined;
  return Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}Z`);
}
