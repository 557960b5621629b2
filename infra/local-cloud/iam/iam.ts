import type { AccessRequest, Authorizer } from '../core/access/authorizer.ts';
import type { Principal } from '../core/access/principal.ts';
import { AwsError } from '../core/aws-error.ts';
import { type Decision, evaluate } from './evaluate.ts';
import { nameOf } from './principal.ts';
import { type PolicySource, ResourcePolicies } from './resource-policies.ts';
import { type DeployedResource, type Role, readRoles } from './role.ts';
import { type GrantReport, Usage } from './usage.ts';

/** A request that was denied. */
export interface DenialReport {
  principal: string;
  action: string;
  resource: string;
  reason: string;
  times: number;
}

export interface AccessReport {
  grants: GrantReport[];
  denials: DenialReport[];
}

interface Parts {
  /** The deployed resources: roles, policies and permissions. */
  resources(): readonly DeployedResource[];
  policyOf: PolicySource;
  log(message: string): void;
}

interface Policies {
  roles: Map<string, Role>;
  resource: ResourcePolicies;
}

const MAX_DENIALS = 1000;

/** Evaluates every call of a role or a service by the deployed policies, and records what they were needed for. */
export class Iam implements Authorizer {
  readonly #parts: Parts;
  readonly #usage = new Usage();
  readonly #denials = new Map<string, DenialReport>();
  #compiled: Policies | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Call after a change of a role, a policy or a permission. */
  policiesChanged(): void {
    this.#compiled = undefined;
  }

  require(principal: Principal, ...requests: AccessRequest[]): void {
    for (const request of requests) {
      const decision = this.#decide(principal, request);
      if (!decision.allowed) throw accessDenied(principal, request, decision.reason);
    }
  }

  allows(principal: Principal, request: AccessRequest): boolean {
    return this.#decide(principal, request).allowed;
  }

  requireTrust(roleArn: string, service: string, sourceArn = roleArn): void {
    const role = this.#policies.roles.get(roleArn);
    const principal: Principal = { type: 'service', service, sourceArn };
    const request = { action: 'sts:AssumeRole', resource: roleArn };
    const decision: Decision = role
      ? evaluate(request, principal, { identity: [], resource: [role.trust] })
      : { allowed: false, reason: 'because the role does not exist' };
    this.#record(principal, request, decision);
    if (!decision.allowed) throw accessDenied(principal, request, decision.reason);
  }

  /** Every grant of the deployed policies with a request that needed it, and every denial. */
  report(): AccessReport {
    const { roles, resource } = this.#policies;
    const identity = [...roles.values()].flatMap(({ policies, trust }) => [...policies, trust]);
    return {
      grants: this.#usage.report([...identity, ...resource.all()]),
      denials: [...this.#denials.values()],
    };
  }

  #decide(principal: Principal, request: AccessRequest): Decision {
    const { roles, resource } = this.#policies;
    const role = principal.type === 'role' ? roles.get(principal.roleArn) : undefined;
    const decision = evaluate(request, principal, {
      identity: role?.policies ?? [],
      boundary: role?.boundary,
      resource: resource.of(request.resource),
    });
    this.#record(principal, request, decision);
    return decision;
  }

  #record(principal: Principal, request: AccessRequest, decision: Decision): void {
    if (decision.allowed) {
      this.#usage.record(nameOf(principal), request, decision.by, decision.context);
      return;
    }
    const { action, resource } = request;
    const key = `${nameOf(principal)} ${action} ${resource}`;
    const known = this.#denials.get(key);
    if (known) {
      known.times += 1;
    } else if (this.#denials.size < MAX_DENIALS) {
      const denial = { principal: nameOf(principal), action, resource, reason: decision.reason, times: 1 };
      this.#denials.set(key, denial);
      this.#parts.log(deniedText(principal, request, decision.reason));
    }
  }

  get #policies(): Policies {
    if (!this.#compiled) {
      const resources = this.#parts.resources();
      this.#compiled = {
        roles: readRoles(resources),
        resource: new ResourcePolicies(resources, this.#parts.policyOf),
      };
    }
    return this.#compiled;
  }
}

function accessDenied(principal: Principal, request: AccessRequest, reason: string): AwsError {
  return new AwsError('AccessDeniedException', deniedText(principal, request, reason));
}

/** In AWS's words. */
function deniedText(principal: Principal, { action, resource }: AccessRequest, reason: string): string {
  return `User: ${nameOf(principal)} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
}
