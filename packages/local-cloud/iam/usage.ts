import type { AccessRequest } from '../core/access/authorizer.ts';
import type { RequestContext } from './conditions.ts';
import type { Applying } from './evaluate.ts';
import type { Policy } from './policy.ts';
import type { Grant, Statement } from './policy-document.ts';

/** An action on a resource that a policy allows, and whether a request needed it. */
export interface GrantReport {
  policy: string;
  /** Position of the statement in the policy. */
  statement: number;
  action: string;
  resource: string;
  /** A request that nothing else allows; without the grant it would have been denied. */
  neededBy?: { principal: string; action: string; resource: string };
}

/**
 * Which grants the requests so far needed: those that alone allowed a request. Because the evaluation depends on
 * nothing but request and policies, removing such a grant would have denied the request.
 */
export class Usage {
  /** By policy, statement and grant, so that it outlasts the compiled policies. */
  readonly #needed = new Map<string, NonNullable<GrantReport['neededBy']>>();

  record(principal: string, request: AccessRequest, by: readonly Applying[], context: RequestContext): void {
    const [only, ...others] = by;
    if (!only || others.length > 0) return;
    const [grant, ...more] = only.statement.grantsFor(request, context);
    if (!grant || more.length > 0) return;
    const key = keyOf(only.policy, only.statement, grant);
    if (!this.#needed.has(key))
      this.#needed.set(key, { principal, action: request.action, resource: request.resource });
  }

  /** The grants of the policies, statements that deny excepted. */
  report(policies: Iterable<Policy>): GrantReport[] {
    return [...policies].flatMap((policy) =>
      policy.statements.flatMap((statement, index) =>
        statement.effect === 'Deny'
          ? []
          : statement.grants.map((grant) => {
              const neededBy = this.#needed.get(keyOf(policy, statement, grant));
              return { policy: policy.name, statement: index, ...grant, ...(neededBy && { neededBy }) };
            }),
      ),
    );
  }
}

function keyOf({ name }: Policy, statement: Statement, { action, resource }: Grant): string {
  return `${name} ${statement.text} ${action} ${resource}`;
}
