import type { AccessRequest, Authorizer } from '../core/access/authorizer.ts';
import { type Principal, ROOT } from '../core/access/principal.ts';
import { type Decision, evaluate } from './evaluate.ts';
import { nameOf } from './principal.ts';
import { type PolicySources, ResourcePolicies } from './resource-policies.ts';
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
  policySources: PolicySources;
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
  /** Every role that a template has declared so far. */
  readonly #declared = new Set<string>();
  #compiled: Policies | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Call after a change of a role, a policy or a permission. */
  policiesChanged(): void {
    this.#compiled = undefined;
  }

  denial(principal: Principal, request: AccessRequest): string | undefined {
    const { roles, resource } = this.#policies;
    const role = principal.type === 'role' ? roles.get(principal.roleArn) : undefined;
    // IAM's own operations are not served, so a role that no template ever declared has no policies to evaluate. One
    // that a deployment has removed has none either, and its sessions may do nothing any more.
    const unknown = principal.type === 'role' && !this.#declared.has(principal.roleArn);
    const decision = evaluate(request, unknown ? ROOT : principal, {
      identity: role?.policies ?? [],
      boundary: role?.boundary,
      resource: resource.of(request.resource),
    });
    return this.#record(principal, request, decision);
  }

  /** Every grant of the deployed policies with a request that needed it, and every denial. */
  report(): AccessReport {
    const { roles, resource } = this.#policies;
    const identity = [...roles.values()].flatMap(({ policies }) => policies);
    return {
      grants: this.#usage.report([...identity, ...resource.all()]),
      denials: [...this.#denials.values()],
    };
  }

  /** Returns the text of a denial. */
  #record(principal: Principal, request: AccessRequest, decision: Decision): string | undefined {
    const caller = nameOf(principal);
    if (decision.allowed) {
      this.#usage.record(caller, request, decision.by, decision.context);
      return undefined;
    }
    const { action, resource } = request;
    const text = `User: ${caller} is not authorized to perform: ${action} on resource: ${resource} ${decision.reason}`;
    const known = this.#denials.get(text);
    if (known) {
      known.times += 1;
    } else if (this.#denials.size < MAX_DENIALS) {
      this.#denials.set(text, { principal: caller, action, resource, reason: decision.reason, times: 1 });
      this.#parts.log(text);
    }
    return text;
  }

  get #policies(): Policies {
    if (!this.#compiled) {
      const resources = this.#parts.resources();
      const roles = readRoles(resources);
      for (const arn of roles.keys()) this.#declared.add(arn);
      this.#compiled = {
        roles,
        resource: new ResourcePolicies(resources, this.#parts.policySources),
      };
    }
    return this.#compiled;
  }
}
