import type { Logger } from '@aws-lambda-powertools/logger';
import type { Static, TSchema } from 'typebox';
import type { Principal } from '../auth/principal.ts';
import type { Issue } from '../errors/app-error.ts';
import type { Content, ContentElsewhere } from './content.ts';
import type { JsonText } from './json-text.ts';
import type { Lines } from './lines.ts';
import type { Redirect } from './redirect.ts';
import type { InputOf, Route } from './route.ts';

/** The argument of a route's function: validated inputs and the caller. */
export interface Call<
  P extends TSchema | undefined = TSchema | undefined,
  Q extends TSchema | undefined = TSchema | undefined,
  B extends TSchema | undefined = TSchema | undefined,
> {
  params: InputOf<P>;
  query: InputOf<Q>;
  body: InputOf<B>;
  /** The body as received; numbers in `body` have the precision of JavaScript. */
  bodyText: string;
  requestId: string;
  /** The id for the record that this request creates: the same when a request with an `Idempotency-Key` is repeated. */
  newId: string;
  /** The client's address according to the gateway. */
  sourceIp: string;
  headers: Record<string, string>;
  /** The declared content type that was negotiated; `application/json` if the route declares none. */
  contentType: string;
  log: Logger;
}

type AnyContent = Content | ContentElsewhere | Redirect | Lines;

// biome-ignore lint/suspicious/noConfusingVoidType: a route without a reply body is served by a function that returns nothing, or the changed record
type WithoutBody = AnyContent | { revision: number } | void;
type ReplyOf<R extends TSchema | undefined> = R extends TSchema ? Static<R> | JsonText | AnyContent : WithoutBody;

type Run<
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  R extends TSchema | undefined,
> = (call: Call<P, Q, B> & { principal: Principal }) => Promise<ReplyOf<R>>;

type RunPublic<
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  R extends TSchema | undefined,
> = (call: Call<P, Q, B>) => Promise<ReplyOf<R>>;

/** What is known of a request whose body does not match its schema. */
export interface BrokenCall {
  params: Record<string, unknown>;
  body: unknown;
  newId: string;
  principal: Principal;
}

export interface Binding {
  route: Route;
  run: (call: Call & { principal: Principal }) => Promise<unknown>;
  /** Further issues of a body that does not match its schema, so that the reply can list all of them. */
  furtherIssues?: FurtherIssues | undefined;
}

type FurtherIssues = (call: BrokenCall) => Promise<readonly Issue[]>;

/** Binds a declared route to the function that serves it; inputs and reply have the declared types. */
export function bind<
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  R extends TSchema | undefined,
>(route: Route<P, Q, B, R>, run: Run<P, Q, B, R>, furtherIssues?: FurtherIssues): Binding {
  if (route.permission === 'public') throw new Error(`${route.operationId} is public: bind it with bindPublic`);
  if (route.permission === 'scim') throw new Error(`${route.operationId} is served by the chain of SCIM`);
  return { route: route as unknown as Route, run: run as unknown as Binding['run'], furtherIssues };
}

/** The same for a route without authentication: there is no principal. */
export function bindPublic<
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  R extends TSchema | undefined,
>(route: Route<P, Q, B, R>, run: RunPublic<P, Q, B, R>): Binding {
  if (route.permission !== 'public') throw new Error(`${route.operationId} is not public: bind it with bind`);
  return { route: route as unknown as Route, run: run as unknown as Binding['run'] };
}
