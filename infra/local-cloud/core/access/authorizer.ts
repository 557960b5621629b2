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
  /** Throws `AccessDenied` for the first request that is not allowed. */
  require(principal: Principal, ...requests: AccessRequest[]): void;
  allows(principal: Principal, request: AccessRequest): boolean;
  /** Throws `AccessDenied` if the trust policy of the role does not allow a service to assume it. */
  requireTrust(roleArn: string, service: string, sourceArn?: string): void;
}

/** For a service without policies around it, as in its own tests. */
export const allowEverything: Authorizer = {
  require: () => {},
  allows: () => true,
  requireTrust: () => {},
};
