import { ERRORS, type ErrorCode } from '../../../shared/platform/errors/catalogue.ts';
import { BINARY_TYPES } from '../../../shared/platform/http/content.ts';
import { LINES_TYPE } from '../../../shared/platform/http/lines.ts';
import { Problem, statusOf } from '../../../shared/platform/http/problem.ts';
import { errorsOf, isScim, type Route, showsVersion } from '../../../shared/platform/http/route.ts';
import type { Json } from './json-schema.ts';
import { ScimError } from './problem-schemas.ts';
import type { SchemaComponents } from './schema-components.ts';

/** Reply headers by the name of their component. */
const HEADERS = {
  RequestId: ['X-Request-Id', 'Identifies the request; include it when you report a problem.'],
  ETag: ['ETag', 'The revision of the record, for `If-Match`.'],
  IdempotencyReplayed: [
    'Idempotency-Replayed',
    '`true` when the reply is that of an earlier request with the same `Idempotency-Key`.',
  ],
  RetryAfter: ['Retry-After', 'Seconds to wait before the request is sent again.'],
} as const;
type HeaderName = keyof typeof HEADERS;

export const SHARED_HEADERS: Json = Object.fromEntries(
  Object.entries(HEADERS).map(([name, [header, description]]) => [
    name,
    { description, schema: { type: header === 'Retry-After' ? 'integer' : 'string' } },
  ]),
);

const headersOf = (...names: HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [HEADERS[name][0], { $ref: `#/components/headers/${name}` }]));

/** The schemas of everything that routes reply with. */
export const replySchemas = ({ success }: Route): unknown[] => [
  ...('body' in success ? [success.body] : []),
  ...('events' in success ? [success.events] : []),
  ...('lines' in success ? [success.lines] : []),
];

export function showSuccess(route: Route, components: SchemaComponents, example: unknown): Json {
  const { success } = route;
  const headers = headersOf(
    'RequestId',
    ...(showsVersion(route) ? (['ETag'] as const) : []),
    ...(errorsOf(route).includes('IDEMPOTENCY_KEY_REUSED') ? (['IdempotencyReplayed'] as const) : []),
  );
  return {
    description: success.description ?? DESCRIPTIONS[success.status],
    headers: { ...headers, ...furtherHeaders(headersFor(success)) },
    ...(success.status === 204 || success.status === 302 || success.status === 303
      ? {}
      : { content: contentOf(route, components, example) }),
  };
}

const DESCRIPTIONS: Record<Route['success']['status'], string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: the work continues after the reply.',
  204: 'Done; the reply has no body.',
  302: 'Continue at the address in `Location`.',
  303: 'Continue at the address in `Location`.',
};

function headersFor(success: Route['success']): Readonly<Record<string, string>> {
  if (success.status === 303) return { Location: 'Where to continue.' };
  if (success.status === 302) return { Location: `Always \`${success.to}\`.` };
  return ('headers' in success && success.headers) || {};
}

const furtherHeaders = (headers: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );

function contentOf({ success }: Route, components: SchemaComponents, example: unknown): Json {
  const json = (schema: unknown) => ({
    schema: components.show(schema, 'reply'),
    ...(example === undefined ? {} : { example }),
  });
  if ('events' in success) return { 'text/event-stream': json(success.events) };
  if ('lines' in success) return { [LINES_TYPE]: json(success.lines) };
  if (!('contentTypes' in success)) return { 'application/json': json('body' in success ? success.body : undefined) };
  return Object.fromEntries(
    success.contentTypes.map((type) => [
      type,
      isJsonType(type) && success.body ? json(success.body) : { schema: textOrBytes(type) },
    ]),
  );
}

/** JSON itself, or a media type of its own such as `application/jwk-set+json`. */
const isJsonType = (type: string): boolean => /^application\/([\w.-]+\+)?json$/.test(type);

const textOrBytes = (type: string): Json =>
  BINARY_TYPES.includes(type) ? { type: 'string', format: 'binary' } : { type: 'string' };

export interface ResponseComponents {
  /** `components.responses`: error responses that several operations share. */
  readonly shared: Json;
  /** Every error response of a route, by status. */
  failuresOf(route: Route): Json;
}

/** Errors that every operation may have, in addition to the declared ones. */
const ALWAYS = ['INTERNAL', 'SERVICE_BUSY'] as const satisfies ErrorCode[];

/** Codes with the same status form one response; a response of several routes is declared once. */
export function responseComponents(routes: readonly Route[], components: SchemaComponents): ResponseComponents {
  const uses = new Map<string, number>();
  for (const route of routes) {
    for (const codes of codesByStatus(route).values()) {
      const name = nameOf(route, codes);
      uses.set(name, (uses.get(name) ?? 0) + 1);
    }
  }
  const problem = { type: 'application/problem+json', schema: components.show(Problem, 'reply') };
  const scimError = { type: 'application/scim+json', schema: components.show(ScimError, 'reply') };
  const shared: Json = {};
  return {
    shared,
    failuresOf(route) {
      const failures = [...codesByStatus(route)].map(([status, codes]) => {
        const name = nameOf(route, codes);
        const response = failure(status, codes, isScim(route) ? scimError : problem);
        if (uses.get(name) === 1) return [status, response];
        shared[name] = response;
        return [status, { $ref: `#/components/responses/${name}` }];
      });
      return Object.fromEntries(failures);
    },
  };
}

function codesByStatus(route: Route): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...new Set([...errorsOf(route), ...ALWAYS])].sort()) {
    const status = statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** Such as `PipelineNotFoundOrRunNotFound`; SCIM has another form of the same errors. */
const nameOf = (route: Route, codes: readonly ErrorCode[]): string =>
  (isScim(route) ? 'Scim_' : '') +
  codes
    .map((code) => code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase()))
    .join('Or');

function failure(
  status: number,
  codes: readonly ErrorCode[],
  { type, schema }: { type: string; schema: unknown },
): Json {
  const waits = status === 429 || status === 503 || codes.includes('IDEMPOTENCY_IN_PROGRESS');
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('\n\n'),
    headers: headersOf('RequestId', ...(waits ? (['RetryAfter'] as const) : [])),
    content: { [type]: { schema } },
  };
}
