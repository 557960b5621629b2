import { AwsError } from '../aws-error.ts';
import type { Principal } from './principal.ts';

/** An action on a resource, as policies name them. */
export interface AccessRequest {
  /** `dynamodb:PutItem` */
  readonly action: string;
  /** ARN, or `*` for actions without resources. */
  readonly resource: string;
  /** Values of condition keys, by key in lower case; a key with several values has a list. */
  readonly context?: Readonly<Record<string, string | readonly string[]>>;
}

/** Decides by the deployed policies what a caller may do. */
export interface Authorizer {
  /** Why the caller may not make the request, in the words of AWS; undefined if it may. */
  denial(principal: Principal, request: AccessRequest): string | undefined;
}

/** For a service without policies around it, as in its own tests. */
export const allowEverything: Authorizer = { denial: () => undefined };

export interface Place {
  readonly region: string;
  readonly accountId: string;
}

/** The access that an operation of a service needs, by its input as on the wire. */
// biome-ignore lint/suspicious/noExplicitAny: each operation names the exact type of its own input
export type Requirements = (operation: string, input: any, place: Place) => AccessRequest[];

/** Throws `AccessDeniedException` if the caller may not perform the operation. */
export type AccessCheck = (principal: Principal, operation: string, input: unknown) => void | Promise<void>;

/** The check of a service's operations; JSON protocols report a denial with status 400, REST ones with 403. */
export function accessCheck(
  context: Place & { readonly authorizer: Authorizer },
  requirements: Requirements,
  status: 400 | 403 = 400,
): AccessCheck {
  return (principal, operation, input) => {
    requireAccess(context.authorizer, principal, requirements(operation, input, context), status);
  };
}

/** Whether the caller may make all of the requests. */
export function isAllowed(authorizer: Authorizer, principal: Principal, requests: readonly AccessRequest[]): boolean {
  return requests.every((request) => authorizer.denial(principal, request) === undefined);
}

/** Throws `AccessDeniedException` for the first request that the caller may not make. */
export function requireAccess(
  authorizer: Authorizer,
  principal: Principal,
  requests: readonly AccessRequest[],
  status: 400 | 403 = 400,
): void {
  for (const request of requests) {
    const denial = authorizer.denial(principal, request);
    if (denial !== undefined) throw new AwsError('AccessDeniedException', denial, { status });
  }
}
