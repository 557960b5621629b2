import type { EcsPort } from '../core/ports.ts';
import type { ApiGatewayControl } from '../services/api-gateway/control.ts';
import type { Clients } from './clients.ts';
import type { InferMembers, Members } from './shapes.ts';
import type { Value } from './value.ts';

/**
 * What resource types work with: SDK clients for the services, as CloudFormation uses them, and in-process access to
 * services without an SDK client here.
 */
export interface DeploymentContext {
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
  /** Physical name: the given one, or one derived from stack and logical id. */
  name: string;
  properties: P;
  /** The deployed state, when this changes an existing resource. */
  previous?: { properties: P } & Required<Provisioned>;
  context: DeploymentContext;
}

export interface Removal<P> extends Required<Provisioned> {
  name: string;
  properties: P;
  context: DeploymentContext;
}

export interface ResourceType<P = Record<string, unknown>> {
  readonly type: string;
  readonly properties: Members;
  /** Attributes that `Fn::GetAtt` supports. */
  readonly attributes: readonly string[];
  /** The property that names the resource, and the rule for a generated name. */
  readonly naming: { property?: string; maxLength: number; lowerCase?: true };
  /** Properties that can only be set at creation; changing one replaces the resource. */
  readonly fixed: readonly string[];
  /** Replacing the resource would lose its data, so a deployment that requires it is rejected. */
  readonly keepsData: boolean;
  /** Its attributes contain the endpoint's address, so another port means another answer. */
  readonly answersAddress: boolean;
  /**
   * Brings the resource into the declared state, whether it exists or not: a deployment repeats the same call after a
   * crash.
   */
  provision(resource: Provisioning<P>): Promise<Provisioned>;
  /** Removes the resource. Succeeds if it is already gone. */
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
    naming = { maxLength: 255 },
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
  // The loader passes properties already converted to the declared shapes.
  return declared as unknown as ResourceType;
}

/** A type that only matters on AWS: its properties are checked, and it answers `Ref` and its attributes. */
export function recorded<const M extends Members>(
  type: string,
  definition: Omit<Definition<M>, 'provision' | 'remove'> & {
    answer?(resource: Provisioning<InferMembers<M>>): Provisioned;
  },
): ResourceType {
  const { answer = (resource) => ({ ref: resource.name }), ...rest } = definition;
  return resourceType(type, { ...rest, provision: async (resource) => answer(resource) } as Definition<M>);
}

/** Runs a call; returns `undefined` if the service answers one of the named errors. */
export async function unless<T>(errors: readonly string[], call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && errors.includes(error.name)) return undefined;
    throw error;
  }
}
