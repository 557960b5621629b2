import type { Static, TSchema } from 'typebox';
import { isPermitted, KEY_SCOPES, type Permission, ROLES } from '../auth/permissions.ts';
import type { Product } from '../entitlements/products.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { strictRequest } from './strict-request.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Success<B extends TSchema | undefined> =
  | { status: 200 | 201 | 202; body: B; versioned?: true; description?: string }
  | { status: 204; versioned?: true; description?: string }
  /** A redirect to a fixed path. */
  | { status: 302; to: `/api/${string}`; description?: string }
  /** Server-sent events: the reply is streamed by a function of its own. */
  | { status: 200; events: TSchema; description?: string }
  /**
   * The reply in the content type that `Accept` chooses among these, the first for whoever does not care. The function
   * of the route answers `Content` in `call.contentType`; for JSON also the value itself, of which `body` is the shape.
   * With `chosenBy: 'path'` the path decides instead, and the function sets the content type.
   */
  | {
      status: 200;
      contentTypes: readonly [string, ...string[]];
      chosenBy?: 'path';
      body?: B;
      description?: string;
      /** Further headers of the reply, with what each says. */
      headers?: Readonly<Record<string, string>>;
    };

/**
 * One operation of the API, declared once: routing, validation, handler types, permission checks, the OpenAPI document
 * and the test harness all read this value.
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
  /** `public` needs no credentials. */
  permission: Permission | 'public';
  product?: Product;
  params?: P;
  query?: Q;
  body?: B;
  /**
   * `versioned` replies carry one record that counts its changes in `revision`: GET, POST, PUT and PATCH answer its
   * `ETag`, and PUT, PATCH and DELETE take `If-Match` (see `shared/platform/storage/expectation.ts`).
   */
  success: Success<R>;
  /** Codes beyond those that follow from the declaration itself; see `errorsOf`. */
  errors?: readonly ErrorCode[];
  /** Accepts `Idempotency-Key`: the same key and request answer the first reply again for 24 hours. */
  idempotent?: boolean;
  /** The body may be left out. */
  optionalBody?: boolean;
}

/** Declares an operation. Its query and its body are strict: see `strictRequest`. */
export function defineRoute<
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  R extends TSchema | undefined = undefined,
>(route: Route<P, Q, B, R>): Route<P, Q, B, R> {
  return { ...route, query: strictRequest(route.query), body: strictRequest(route.body) } as Route<P, Q, B, R>;
}

/** The inputs of a route as its handler receives them. */
export type InputOf<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined;

/** Every code that the route may answer: its own and those that follow from its shape. */
export function errorsOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors);
  if (route.permission !== 'public') {
    codes.add('UNAUTHENTICATED');
    // What the least of members and keys may do is forbidden to nobody.
    if (!isPermitted(route.permission, { role: ROLES[0], scope: KEY_SCOPES[0] })) codes.add('FORBIDDEN');
  }
  if (route.product) codes.add('PRODUCT_NOT_LICENSED');
  if (route.body) for (const code of BODY_ERRORS) codes.add(code);
  // Of path and query values; a query of no declared members is empty.
  codes.add('VALIDATION_FAILED');
  if (takesIfMatch(route)) codes.add('PRECONDITION_FAILED');
  if (isNegotiated(route)) codes.add('NOT_ACCEPTABLE');
  if (route.idempotent) codes.add('IDEMPOTENCY_IN_PROGRESS').add('IDEMPOTENCY_KEY_REUSED');
  return [...codes];
}

/** Whether the success carries, or ends, one versioned record. */
export function isVersioned({ success }: Route): boolean {
  return 'versioned' in success && success.versioned === true;
}

/** Whether the route changes a versioned record, and refuses to when the client has read another revision. */
export function takesIfMatch(route: Route): boolean {
  return isVersioned(route) && ['PUT', 'PATCH', 'DELETE'].includes(route.method);
}

/** Whether `Accept` chooses among several forms of the reply. */
export function isNegotiated({ success }: Route): boolean {
  return 'contentTypes' in success && success.contentTypes.length > 1 && success.chosenBy !== 'path';
}

const BODY_ERRORS = ['INVALID_JSON', 'VALIDATION_FAILED', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;
