import type { Static, TSchema } from 'typebox';
import type { AuditAction } from '../audit/actions.ts';
import { isAllowedSuspended, type Permission } from '../auth/permissions.ts';
import type { ResourceType } from '../auth/resources.ts';
import type { Product } from '../entitlements/products.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { strictRequest } from './strict-request.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Success<B extends TSchema | undefined> =
  | { status: 200 | 201 | 202; body: B; versioned?: true; description?: string }
  | { status: 204; versioned?: true; description?: string }
  /** A redirect to a fixed path. */
  | { status: 302; to: `/api/${string}`; description?: string }
  /** A redirect to an address that the function chooses: it returns a `Redirect`. */
  | { status: 303; redirect: true; description?: string }
  /** Server-sent events, streamed by a function of their own. */
  | { status: 200; events: TSchema; description?: string }
  /**
   * Lines of JSON (`application/x-ndjson`), each of this schema, streamed by a function of their own: it returns
   * `Lines`.
   */
  | { status: 200; lines: TSchema; description?: string }
  /**
   * A reply in the content type that `Accept` chooses; the first one is the default. The function returns `Content` in
   * `call.contentType`, or for JSON the value itself with the schema `body`. With `chosenBy: 'path'` the path decides
   * instead, and the function sets the content type.
   */
  | {
      status: 200 | 201;
      contentTypes: readonly [string, ...string[]];
      chosenBy?: 'path';
      body?: B;
      description?: string;
      /** Further headers of the reply, with descriptions. */
      headers?: Readonly<Record<string, string>>;
    };

/**
 * One operation of the API, declared once: routing, validation, handler types, permission checks, the OpenAPI document
 * and the test harness all use this value.
 */
export interface Route<
  P extends TSchema | undefined = TSchema | undefined,
  Q extends TSchema | undefined = TSchema | undefined,
  B extends TSchema | undefined = TSchema | undefined,
  R extends TSchema | undefined = TSchema | undefined,
> {
  operationId: string;
  method: Method;
  /** Under `/api`, parameters in braces. */
  path: `/api/${string}`;
  summary: string;
  description?: string;
  /**
   * `public` operations need no credentials. Those of `scim` need a SCIM token, and report errors as SCIM does; a chain
   * of their own serves them (`functions/identity/scim`).
   */
  permission: Permission | 'public' | 'scim';
  /** Also for callers without the role of the permission who have this level on the object whose id is in the path. */
  grant?: { type: string; level: string; param: string };
  /** What the `id` in the path is, for API keys that are limited to objects. They reach no other route. */
  object?: ResourceType;
  /**
   * Every caller reaches the route, also API keys that are limited to objects: it reads objects only through
   * operations that check the caller again. Its permission is one that every role and key has.
   */
  reachesByOperations?: true;
  product?: Product;
  params?: P;
  query?: Q;
  body?: B;
  /**
   * A `versioned` reply contains one record whose changes are counted in `revision`. GET, POST, PUT and PATCH return
   * its `ETag`; PUT, PATCH and DELETE accept `If-Match` (see `shared/platform/storage/expectation.ts`).
   */
  success: Success<R>;
  /** Codes in addition to those that follow from the declaration; see `errorsOf`. */
  errors?: readonly ErrorCode[];
  /** Accepts `Idempotency-Key`: for 24 hours, a request with the same key and content gets the first reply again. */
  idempotent?: boolean;
  /** The body may also be a form (`application/x-www-form-urlencoded`), as a page of another site posts it. */
  form?: true;
  /**
   * The body may also be a text of the content type, which becomes the member of the body, as a file from a disk is
   * sent.
   */
  fileBody?: { contentType: string; member: string };
  /** Numbers of the body may be beyond what the table stores: it never stores them as numbers. */
  anyNumbers?: true;
  /** The body may be omitted. */
  optionalBody?: boolean;
  /** The maximum size of the body; 1 MiB when absent. */
  maxBodyBytes?: number;
  /** What the operation shows of the object whose id is the path parameter: its use by people is counted. */
  uses?: { type: string; param: string; isQuery?: true };
  /** The actions that the audit log may have of it (see `shared/platform/audit`). */
  audit?: AuditAction | readonly AuditAction[];
}

/** Declares an operation. Its query and body are strict: see `strictRequest`. */
export function defineRoute<
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  R extends TSchema | undefined = undefined,
>(route: Route<P, Q, B, R>): Route<P, Q, B, R> {
  return { ...route, query: strictRequest(route.query), body: strictRequest(route.body) } as Route<P, Q, B, R>;
}

/** The inputs of a route as its function receives them. */
export type InputOf<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined;

/** Every code that the route may reply with: its own and those that follow from the declaration. */
export function errorsOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors);
  if (isScim(route)) {
    for (const code of ['UNAUTHENTICATED', ...(route.body ? BODY_ERRORS : [])] as const) codes.add(code);
    return [...codes];
  }
  if (route.permission !== 'public' && route.permission !== 'scim') {
    codes.add('UNAUTHENTICATED');
    // An API key that is limited to objects meets `FORBIDDEN` also where every role has the permission.
    if (!route.reachesByOperations) codes.add('FORBIDDEN');
    if (!isAllowedSuspended(route.permission)) codes.add('WORKSPACE_DELETED');
  }
  if (route.product) codes.add('PRODUCT_NOT_LICENSED').add('PRODUCT_TURNED_OFF');
  if (route.body) for (const code of BODY_ERRORS) codes.add(code);
  // For path and query values; a route without declared query parameters accepts none.
  codes.add('VALIDATION_FAILED');
  if (takesIfMatch(route)) codes.add('PRECONDITION_FAILED');
  if (isNegotiated(route)) codes.add('NOT_ACCEPTABLE');
  if (route.idempotent) codes.add('IDEMPOTENCY_IN_PROGRESS').add('IDEMPOTENCY_KEY_REUSED');
  return [...codes];
}

/** Whether the operation belongs to SCIM, whose identity providers send more than is declared and expect its errors. */
export const isScim = ({ permission }: Route): boolean => permission === 'scim';

/** Whether the success contains, or deletes, one versioned record. */
export function isVersioned({ success }: Route): boolean {
  return 'versioned' in success && success.versioned === true;
}

/** Whether the success contains a versioned record, and so has its entity tag. */
export const showsVersion = (route: Route): boolean =>
  isVersioned(route) && route.success.status !== 204 && route.method !== 'DELETE';

/** Whether the route changes a versioned record, and so fails if the client has read another revision. */
export function takesIfMatch(route: Route): boolean {
  return isVersioned(route) && ['PUT', 'PATCH', 'DELETE'].includes(route.method);
}

/** Whether `Accept` chooses the content type of the reply. */
export function isNegotiated({ success }: Route): boolean {
  return 'contentTypes' in success && success.contentTypes.length > 1 && success.chosenBy !== 'path';
}

const BODY_ERRORS = ['INVALID_JSON', 'VALIDATION_FAILED', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;
