import { Policy } from './policy.ts';
import { type DeployedResource, pathOf } from './role.ts';

/** How the services answer for the policy documents that they keep: by the ARN of the resource. */
export type PolicySources = Partial<Record<'s3' | 'sqs' | 'lambda', (resourceArn: string) => string | undefined>>;

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
  readonly #sources: PolicySources;
  /** Compiled documents by resource; a changed document is compiled again. */
  readonly #compiled = new Map<string, { document: string; policy: Policy }>();

  constructor(resources: readonly DeployedResource[], sources: PolicySources) {
    this.#sources = sources;
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
        return this.#kept(service, resourceArn.split('/', 1)[0] as string);
      case 'sqs':
        return this.#kept(service, resourceArn);
      case 'lambda':
        return [...(this.#permissions.get(resourceArn) ?? []), ...this.#kept(service, resourceArn)];
      default:
        return NONE;
    }
  }

  /** The permissions, and the other policies as far as a request met them. */
  *all(): Iterable<Policy> {
    for (const policies of this.#permissions.values()) yield* policies;
    for (const arn of [...this.#compiled.keys()]) yield* this.#kept(arn.split(':')[2] as keyof PolicySources, arn);
  }

  #kept(service: keyof PolicySources, arn: string): readonly Policy[] {
    const document = this.#sources[service]?.(arn);
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
