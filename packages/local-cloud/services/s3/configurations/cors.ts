import type { ServerResponse } from 'node:http';
import { S3Error } from '../errors.ts';
import type { S3Deps } from '../operation.ts';
import type { Reply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import { children, childText, parseXml, textOf, type XmlElement } from '../xml.ts';
import { CORS } from './kinds.ts';
import { parsedOnce } from './parsed-once.ts';

export const corsShape = {
  CORSRule: {
    ID: 'text',
    AllowedHeader: 'text',
    AllowedMethod: 'text',
    AllowedOrigin: 'text',
    ExposeHeader: 'text',
    MaxAgeSeconds: 'text',
  },
} as const;

const MAX_RULES = 100;
const methods = ['GET', 'PUT', 'HEAD', 'POST', 'DELETE'];

interface CorsRule {
  origins: string[];
  methods: string[];
  headers: string[];
  exposed: string[];
  maxAgeSeconds: string | undefined;
}

/** Throws `MalformedXML` for rules without origin or method, and `InvalidRequest` for values that S3 rejects. */
export function checkCorsConfiguration(configuration: XmlElement): void {
  const rules = readRules(configuration);
  if (rules.length === 0 || rules.length > MAX_RULES) throw new S3Error('MalformedXML');
  for (const rule of rules) {
    if (rule.origins.length === 0 || rule.methods.length === 0) throw new S3Error('MalformedXML');
    const method = rule.methods.find((name) => !methods.includes(name));
    if (method !== undefined) {
      throw new S3Error('InvalidRequest', {
        message: `Found unsupported HTTP method in CORS config. Unsupported method is ${method}`,
      });
    }
    for (const [name, patterns] of [
      ['AllowedOrigin', rule.origins],
      ['AllowedHeader', rule.headers],
    ] as const) {
      const pattern = patterns.find((text) => text.split('*').length > 2);
      if (pattern === undefined) continue;
      throw new S3Error('InvalidRequest', { message: `${name} "${pattern}" can not have more than one wildcard.` });
    }
  }
}

/** Answers a browser's preflight by the bucket's rules. Throws `AccessForbidden`. */
export function preflight(deps: S3Deps, request: S3Request): Reply {
  const origin = request.header('origin');
  const method = request.header('access-control-request-method');
  if (origin === undefined || method === undefined) {
    throw new S3Error('AccessForbidden', { message: 'Insufficient information. Origin request header needed.' });
  }
  const rules = bucketRules(deps, request.bucket);
  if (!rules) throw new S3Error('AccessForbidden', { fields: { Method: 'OPTIONS', ResourceType: 'BUCKET' } });
  const wanted = (request.header('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const rule = rules.find(
    (candidate) =>
      applies(candidate, origin, method) &&
      wanted.every((name) => candidate.headers.some((pattern) => fits(pattern.toLowerCase(), name))),
  );
  if (!rule) {
    throw new S3Error('AccessForbidden', {
      message:
        "CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.",
      fields: { Method: method, ResourceType: 'OBJECT' },
    });
  }
  return {
    status: 200,
    headers: {
      ...corsHeaders(rule, origin),
      'access-control-allow-headers': wanted.length > 0 ? wanted.join(', ') : undefined,
    },
  };
}

/** Adds the CORS headers to every reply to an actual request, including errors, so that a browser can read it. */
export function allowOrigin(deps: S3Deps, request: S3Request, response: ServerResponse): void {
  const origin = request.header('origin');
  if (origin === undefined) return;
  const rule = bucketRules(deps, request.bucket)?.find((candidate) => applies(candidate, origin, request.method));
  if (!rule) return;
  for (const [name, value] of Object.entries(corsHeaders(rule, origin))) {
    if (value !== undefined) response.setHeader(name, value);
  }
}

function bucketRules(deps: S3Deps, bucket: string | undefined): CorsRule[] | undefined {
  const document = bucket === undefined ? undefined : deps.store.buckets.document(bucket, CORS);
  return document === undefined ? undefined : rulesOf(document);
}

const rulesOf = parsedOnce((document) => readRules(parseXml(document, 'CORSConfiguration')));

function readRules(configuration: XmlElement): CorsRule[] {
  return children(configuration, 'CORSRule').map((rule) => {
    const texts = (name: string) => children(rule, name).map(textOf);
    return {
      origins: texts('AllowedOrigin'),
      methods: texts('AllowedMethod'),
      headers: texts('AllowedHeader'),
      exposed: texts('ExposeHeader'),
      maxAgeSeconds: childText(rule, 'MaxAgeSeconds'),
    };
  });
}

function applies(rule: CorsRule, origin: string, method: string): boolean {
  return rule.methods.includes(method) && rule.origins.some((pattern) => fits(pattern, origin));
}

/** `*` in a pattern matches any text. */
function fits(pattern: string, text: string): boolean {
  const [head = '', tail] = pattern.split('*');
  if (tail === undefined) return head === text;
  return text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
}

function corsHeaders(rule: CorsRule, origin: string): Record<string, string | undefined> {
  const anyOrigin = rule.origins.includes('*');
  return {
    'access-control-allow-origin': anyOrigin ? '*' : origin,
    'access-control-allow-methods': rule.methods.join(', '),
    'access-control-allow-credentials': anyOrigin ? undefined : 'true',
    'access-control-expose-headers': rule.exposed.length > 0 ? rule.exposed.join(', ') : undefined,
    'access-control-max-age': rule.maxAgeSeconds,
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}
