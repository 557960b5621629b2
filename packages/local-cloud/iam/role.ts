import { managedPolicy } from './managed-policies.ts';
import { Policy } from './policy.ts';

/** A deployed resource as far as it matters to access. */
export interface DeployedResource {
  readonly stack: string;
  readonly logicalId: string;
  readonly type: string;
  readonly name: string;
  readonly properties: Record<string, unknown>;
  readonly ref: string;
  readonly attributes: Record<string, unknown>;
}

export interface Role {
  arn: string;
  name: string;
  policies: Policy[];
  boundary?: Policy;
}

interface RoleProperties {
  ManagedPolicyArns?: string[];
  PermissionsBoundary?: string;
  Policies?: { PolicyName: string; PolicyDocument: unknown }[];
}

interface PolicyProperties {
  PolicyDocument: unknown;
  Roles?: string[];
}

/** The roles of the deployment with all of their policies, by ARN. */
export function readRoles(resources: readonly DeployedResource[]): Map<string, Role> {
  const ofType = (type: string) => resources.filter((resource) => resource.type === type);
  const managed = new Map(ofType('AWS::IAM::ManagedPolicy').map((each) => [each.ref, documentOf(each)]));
  const policies = [...ofType('AWS::IAM::Policy'), ...ofType('AWS::IAM::ManagedPolicy')];
  const roles = ofType('AWS::IAM::Role').map((resource): Role => {
    const properties = resource.properties as unknown as RoleProperties;
    const name = pathOf(resource);
    const { Policies = [], ManagedPolicyArns = [], PermissionsBoundary } = properties;
    const byArn = (arn: string) => new Policy(arn, managed.get(arn) ?? managedPolicy(arn) ?? unknownPolicy(arn));
    const attached = policies.filter(({ properties: { Roles } }) =>
      ((Roles ?? []) as PolicyProperties['Roles'])?.includes(resource.ref),
    );
    return {
      arn: resource.attributes.Arn as string,
      name: resource.name,
      policies: [
        ...Policies.map((each) => new Policy(`${name}/${each.PolicyName}`, each.PolicyDocument)),
        ...attached.map((each) => new Policy(pathOf(each), documentOf(each))),
        ...ManagedPolicyArns.map(byArn),
      ],
      ...(PermissionsBoundary !== undefined && { boundary: byArn(PermissionsBoundary) }),
    };
  });
  return new Map(roles.map((role) => [role.arn, role]));
}

/** `AnalyticsRuntime/WorkerRoleDefaultPolicy`: where a template declares the resource. */
export function pathOf({ stack, logicalId }: DeployedResource): string {
  return `${stack}/${logicalId}`;
}

function documentOf({ properties }: DeployedResource): unknown {
  return (properties as unknown as PolicyProperties).PolicyDocument;
}

function unknownPolicy(arn: string): never {
  throw new Error(`the managed policy ${arn}; declare its statements in the template`);
}
