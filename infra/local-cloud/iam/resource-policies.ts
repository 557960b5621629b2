import { Policy } from './policy.ts';
import { type DeployedResource, pathOf } from './role.ts';

/** The policy document that a service keeps for one of its resources. */
export type PolicySource = (resourceArn: string) => string | undefined;

interface PermissionProperties {
  Action: string;
  FunctionName: string;
  Principal: string;
  SourceAccount?: string;
  SourceArn?: string;
}

/**
 * The policies of buckets, queues and functions. Buckets and queues keep their own; permissions of functions are also
 * resources of a template.
 */
export class ResourcePolicies {
  readonly #permissions = new Map<string, Policy[]>();
  readonly #source: PolicySource;
  /** Compiled documents by resource; a changed document is compiled again. */
  readonly #compiled = new Map<string, { document: string; policy: Policy }>();

  constructor(resources: readonly DeployedResource[], source: PolicySource) {
    this.#source = source;
    for (const resource of resources) {
      if (resource.type !== 'AWS::Lambda::Permission') continue;
      const properties = resource.properties as unknown as PermissionProperties;
      const arn = functionArn(properties.FunctionName, resources);
      const policy = new Policy(pathOf(resource), { Statement: permissionStatement(properties, arn) });
      this.#permissions.set(arn, [...(this.#permissions.get(arn) ?? []), policy]);
    }
  }

  of(resourceArn: string): readonly Policy[] {
    const [, , service] = resourceArn.split(':', 3);
    switch (service) {
      case 's3':
        return this.#kept(resourceArn.split('/', 1)[0] as string);
      case 'sqs':
        return this.#kept(resourceArn);
      case 'lambda':
        return [...(this.#permissions.get(resourceArn) ?? []), ...this.#kept(resourceArn)];
      default:
        return NONE;
    }
  }

  /** All policies seen so far, for reports. */
  *all(): Iterable<Policy> {
    for (const policies of this.#permissions.values()) yield* policies;
    for (const { policy } of this.#compiled.values()) yield policy;
  }

  #kept(arn: string): readonly Policy[] {
    const document = this.#source(arn);
    if (!document) return NONE;
    const known = this.#compiled.get(arn);
    if (known?.document === document) return [known.policy];
    const policy = new Policy(arn, JSON.parse(document));
    this.#compiled.set(arn, { document, policy });
    return [policy];
  }
}

const NONE: readonly Policy[] = [];

/** A permission names its function by ARN or by name. */
function functionArn(reference: string, resources: readonly DeployedResource[]): string {
  const named = resources.find(({ type, ref }) => type === 'AWS::Lambda::Function' && ref === reference);
  return (named?.attributes.Arn as string | undefined) ?? reference;
}

function permissionStatement({ Action, Principal, SourceAccount, SourceArn }: PermissionProperties, arn: string) {
  return {
    Effect: 'Allow',
    Action,
    Resource: arn,
    Principal: Principal.endsWith('.amazonaws.com') ? { Service: Principal } : { AWS: Principal },
    Condition: {
      ...(SourceArn !== undefined && { ArnLike: { 'aws:SourceArn': SourceArn } }),
      ...(SourceAccount !== undefined && { StringEquals: { 'aws:SourceAccount': SourceAccount } }),
    },
  };
}
