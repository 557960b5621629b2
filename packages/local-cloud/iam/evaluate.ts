import type { AccessRequest } from '../core/access/authorizer.ts';
import type { Principal } from '../core/access/principal.ts';
import type { RequestContext } from './conditions.ts';
import type { Policy } from './policy.ts';
import type { Principals, Statement } from './policy-document.ts';
import { accountOf, arnsOf, contextOf } from './principal.ts';

/** The policies that decide on a request. */
export interface RelevantPolicies {
  /** Of the role. */
  identity: readonly Policy[];
  boundary?: Policy | undefined;
  /** Of the resource. */
  resource: readonly Policy[];
}

/** A statement that applies to a request. */
export interface Applying {
  policy: Policy;
  statement: Statement;
}

export type Decision =
  | { allowed: true; by: Applying[]; context: RequestContext }
  /** The reason as AWS puts it: `because no identity-based policy allows the s3:GetObject action`. */
  | { allowed: false; reason: string };

/**
 * Evaluates a request within one account as AWS documents it: an explicit deny in any policy wins; a policy of the
 * resource may allow a role or a service directly; otherwise both the role's policies and its boundary must allow. The
 * root user needs no policy.
 */
export function evaluate(request: AccessRequest, principal: Principal, policies: RelevantPolicies): Decision {
  const global = contextOf(principal);
  const context = request.context ? { ...global, ...request.context } : global;
  const resource = applying(policies.resource, request, context).filter(({ statement }) =>
    concerns(statement.principals, principal),
  );
  if (resource.some(denies)) return explicitDeny('a resource-based policy');
  if (principal.type === 'root') return { allowed: true, by: [], context };
  const identity = applying(policies.identity, request, context);
  if (identity.some(denies)) return explicitDeny('an identity-based policy');

  const direct = resource.filter(({ statement }) => grantsDirectly(statement.principals, principal));
  if (principal.type !== 'role') {
    return direct.length > 0 ? { allowed: true, by: direct, context } : nothingAllows('resource-based policy', request);
  }
  const allowing = [...identity, ...direct];
  if (allowing.length === 0) return nothingAllows('identity-based policy', request);
  if (policies.boundary) {
    const boundary = applying([policies.boundary], request, context);
    if (boundary.some(denies)) return explicitDeny('a permissions boundary');
    if (boundary.length === 0) return nothingAllows('permissions boundary', request);
  }
  return { allowed: true, by: allowing, context };
}

function applying(policies: readonly Policy[], request: AccessRequest, context: RequestContext): Applying[] {
  return policies.flatMap((policy) => policy.applying(request, context).map((statement) => ({ policy, statement })));
}

function denies({ statement }: Applying): boolean {
  return statement.effect === 'Deny';
}

function explicitDeny(where: string): Decision {
  return { allowed: false, reason: `with an explicit deny in ${where}` };
}

function nothingAllows(kind: string, { action }: AccessRequest): Decision {
  return { allowed: false, reason: `because no ${kind} allows the ${action} action` };
}

/** Whether the principals of a statement include this one. */
function concerns(principals: Principals | undefined, principal: Principal): boolean {
  if (!principals) return false;
  return (names(principals, principal) || namesAccount(principals, principal)) !== principals.negated;
}

/** A statement that names the account leaves the decision to the policies of the account's roles. */
function grantsDirectly(principals: Principals | undefined, principal: Principal): boolean {
  return principals !== undefined && names(principals, principal) !== principals.negated;
}

function names(principals: Principals, principal: Principal): boolean {
  if (principals.everyone) return true;
  if (principal.type === 'service') return principals.services.includes(principal.service);
  return arnsOf(principal).some((arn) => principals.aws.includes(arn));
}

function namesAccount({ aws }: Principals, principal: Principal): boolean {
  const account = accountOf(principal);
  if (account === undefined) return false;
  return aws.includes(account) || aws.includes(`arn:aws:iam::${account}:root`);
}
