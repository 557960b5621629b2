import type { EcsPort } from '../core/ports.ts';
import type { ApiGatewayControl } from '../services/api-gateway/control.ts';
import type { Clients } from './clients.ts';
import type { InferMembers, Members } from './shapes.ts';
import type { Value } from './value.ts';

/** What resources are made with: the services over their wire, as CloudFormation calls them, and in process those that have no SDK client here. */
export interface Workbench {
  region: string;
  accountId: string;
  endpoint: string;
  clients: Clients;
  apiGateway: ApiGatewayControl;
  ecs: EcsPort;
}

/** What `Ref` and `Fn::GetAtt` answer for a resource. */
export interface Provisioned {
  ref: string;
  attributes?: Record<string, Value>;
}

export interface Provisioning<P> {
  stack: string;
  logicalId: string;
  /** Physical name: the given one, or one made of stack and logical id. */
  name: string;
  properties: P;
  /** What was deployed last, when this changes an existing resource. */
  previous?: { properties: P } & Required<Provisioned>;
  bench: Workbench;
}

export interface Removal<P> extends Required<Provisioned> {
  name: string;
  properties: P;
  bench: Workbench;
}

export interface ResourceType<P = Record<string, unknown>> {
  readonly type: string;
  readonly properties: Members;
  /** Names that `Fn::GetAtt` may ask for. */
  readonly attributes: readonly string[];
  /** The property that names the resource, and the rule for a name where none is given. */
  readonly naming: { property?: string; longest: number; lowerCase?: true };
  /** Properties that can only be set when the resource is made; changing one makes another resource. */
  readonly fixed: readonly string[];
  /** Replacing the resource would lose what is stored in it, so it is refused. */
  readonly keepsData: boolean;
  /** What it answers holds the endpoint's address, so that another port makes another answer. */
  readonly answersAddress: boolean;
  /**
   * Brings the resource into the declared state, whether it exists or not: after a kill in the middle of a deployment
   * the same call is made again.
   */
  provision(resource: Provisioning<P>): Promise<Provisioned>;
  /** Removes the resource; one that is gone already is no error. */
  remove(resource: Removal<P>): Promise<void>;
}

interface Definition<M extends Members> {
  properties: M;
  attributes?: readonly string[];
  naming?: ResourceType['naming'];
  fixed?: readonly (keyof M & string)[];
  keepsData?: boolean;
  answersAddress?: boolean;
  provision: ResourceType<InferMembers<M>>['provision'];
  remove?: ResourceType<InferMembers<M>>['remove'];
}

/** Declares a resource type; the types of its properties are inferred from their shapes. */
export function resourceType<const M extends Members>(type: string, definition: Definition<M>): ResourceType {
  const {
    attributes = [],
    naming = { longest: 255 },
    fixed = [],
    keepsData = false,
    answersAddress = false,
  } = definition;
  const declared: ResourceType<InferMembers<M>> = {
    type,
    properties: definition.properties,
    attributes,
    naming,
    fixed,
    keepsData,
    answersAddress,
    provision: definition.provision,
    remove: definition.remove ?? (async () => {}),
  };
  // The loader hands over exactly what it has brought into the declared shapes.
  return declared as unknown as ResourceType;
}

/**
 * A type that has no effect on this machine but belongs to the deployment on AWS: its properties are checked, and it
 * answers `Ref` and its attributes.
 */
export function recorded<const M extends Members>(
  type: string,
  definition: Omit<Definition<M>, 'provision' | 'remove'> & {
    answer?(resource: Provisioning<InferMembers<M>>): Provisioned;
  },
): ResourceType {
  const { answer = (resource) => ({ ref: resource.name }), ...rest } = definition;
  return resourceType(type, { ...rest, provision: async (resource) => answer(resource) } as Definition<M>);
}

/** Runs a call that finds or removes something; `undefined` when the service answers one of the named errors. */
export async function unless<T>(errors: readonly string[], call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && errors.includes(error.name)) return undefined;
    throw error;
  }
}
