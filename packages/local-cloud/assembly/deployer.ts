import { readCloudAssembly } from './cloud-assembly.ts';
import type { DeployedResource, DeploymentStore, StackOutput } from './deployment-store.ts';
import { evaluate } from './intrinsics.ts';
import { nameOf, planAssembly, replacingChange, resolveProperties, type StackPlan } from './plan.ts';
import type { DeploymentContext, ResourceType } from './resource-type.ts';
import { Outputs, StackScope } from './stack-scope.ts';
import { canonical, type Value } from './value.ts';

export interface ResourceChange {
  stack: string;
  logicalId: string;
  type: string;
  action: 'created' | 'updated' | 'replaced' | 'deleted';
}

export interface DeployerParts {
  store: DeploymentStore;
  types: ReadonlyMap<string, ResourceType>;
  context: DeploymentContext;
  /** Stores the files of the assembly before the first resource needs them. */
  keepAssets(assets: Map<string, string>): Promise<void>;
  /** Called after each change of a resource that policies are read from. */
  policiesChanged(): void;
}

/** Turns cloud assemblies into resources of the local cloud, the way CloudFormation would. */
export class Deployer {
  readonly #parts: DeployerParts;

  constructor(parts: DeployerParts) {
    this.#parts = parts;
  }

  /**
   * Deploys all stacks of the assembly: creates, changes and removes resources, and skips unchanged ones. Throws
   * `AssemblyRejected` before any change when something is not supported. The error of a service names the resource;
   * deploying again continues from there.
   */
  async deploy(directory: string): Promise<ResourceChange[]> {
    const { store, types, context } = this.#parts;
    const assembly = readCloudAssembly(directory);
    const plans = planAssembly(assembly, store, types, context);
    await this.#parts.keepAssets(assembly.assets);
    const outputs = new Outputs();
    const changes: ResourceChange[] = [];
    for (const plan of plans) changes.push(...(await this.#deployStack(plan, outputs)));
    return changes;
  }

  async #deployStack(plan: StackPlan, outputs: Outputs): Promise<ResourceChange[]> {
    const { store, types, context } = this.#parts;
    const deployed = new Map(store.resources(plan.name).map((resource) => [resource.logicalId, resource]));
    const scope = new StackScope(plan.name, plan.template, {
      environment: context,
      outputs,
      types,
      answers: (logicalId) => deployed.get(logicalId),
      report(path, problem) {
        throw new Error(`${plan.name}/${path}: ${problem}`);
      },
    });
    const changes: ResourceChange[] = [];
    for (const logicalId of plan.order) {
      const earlier = deployed.get(logicalId);
      const { resource, action } = await this.#deployResource(plan, logicalId, scope, earlier);
      if (action !== undefined) changes.push({ stack: plan.name, logicalId, type: resource.type, action });
      deployed.set(logicalId, resource);
    }
    changes.push(...(await this.#removeGone(plan, deployed)));
    this.#keepOutputs(plan, scope, outputs);
    return changes;
  }

  async #deployResource(
    plan: StackPlan,
    logicalId: string,
    scope: StackScope,
    earlier: DeployedResource | undefined,
  ): Promise<{ resource: DeployedResource; action?: ResourceChange['action'] }> {
    const definition = plan.template.Resources[logicalId] as StackPlan['template']['Resources'][string];
    const type = this.#type(definition.Type);
    const properties = resolveProperties(type, definition.Properties, scope, logicalId);
    const name = nameOf(plan.name, logicalId, type, properties);
    const retained = definition.DeletionPolicy !== undefined && definition.DeletionPolicy !== 'Delete';
    const address = type.answersAddress ? this.#parts.context.endpoint : undefined;
    const fingerprint = canonical({ name, properties, address });
    if (earlier?.fingerprint === fingerprint) {
      if (earlier.retained === retained) return { resource: earlier };
      const resource = { ...earlier, retained };
      this.#parts.store.save(resource);
      return { resource };
    }

    const replaced = earlier !== undefined && replacingChange(earlier, type, properties) !== undefined;
    if (earlier && replaced) await this.#remove(earlier);
    const previous = earlier && !replaced ? earlier : undefined;
    const { context, store } = this.#parts;
    const provisioned = await naming(plan.name, logicalId, type, () =>
      type.provision({ stack: plan.name, logicalId, name, properties, ...(previous && { previous }), context }),
    );
    const resource: DeployedResource = {
      stack: plan.name,
      logicalId,
      type: type.type,
      name,
      properties,
      fingerprint,
      retained,
      ref: provisioned.ref,
      attributes: provisioned.attributes ?? {},
    };
    store.save(resource);
    this.#announce(type.type);
    return { resource, action: replaced ? 'replaced' : earlier ? 'updated' : 'created' };
  }

  /** In reverse order of creation, because dependent resources must go first. */
  async #removeGone(plan: StackPlan, deployed: Map<string, DeployedResource>): Promise<ResourceChange[]> {
    const wanted = new Set(plan.order);
    const gone = [...deployed.values()].filter(({ logicalId }) => !wanted.has(logicalId)).reverse();
    const changes: ResourceChange[] = [];
    for (const resource of gone) {
      if (!resource.retained) {
        await this.#remove(resource);
        changes.push({ stack: plan.name, logicalId: resource.logicalId, type: resource.type, action: 'deleted' });
      }
      this.#parts.store.forget(plan.name, resource.logicalId);
      this.#announce(resource.type);
    }
    return changes;
  }

  #announce(type: string): void {
    if (type.startsWith('AWS::IAM::') || type === 'AWS::Lambda::Permission') this.#parts.policiesChanged();
  }

  #keepOutputs(plan: StackPlan, scope: StackScope, outputs: Outputs): void {
    const kept = new Map<string, StackOutput>();
    for (const [name, { Value: definition, Condition, Export }] of Object.entries(plan.template.Outputs ?? {})) {
      const path = `Outputs.${name}`;
      if (Condition !== undefined && !scope.condition(Condition, path)) continue;
      const value = text(evaluate(definition, scope, path));
      const exportName = Export && text(evaluate(Export.Name, scope, `${path}.Export`));
      outputs.set(plan.name, name, value, exportName);
      kept.set(name, { value, ...(exportName !== undefined && { exportName }) });
    }
    this.#parts.store.replaceOutputs(plan.name, kept);
  }

  async #remove(resource: DeployedResource): Promise<void> {
    const { stack, logicalId, name, properties, ref, attributes } = resource;
    const type = this.#type(resource.type);
    await naming(stack, logicalId, type, () =>
      type.remove({ name, properties, ref, attributes, context: this.#parts.context }),
    );
  }

  #type(name: string): ResourceType {
    const type = this.#parts.types.get(name);
    if (!type) throw new Error(`The local cloud does not support the resource type ${name}.`);
    return type;
  }
}

function text(value: Value): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** Prefixes a service's error with the name of the resource. */
async function naming<T>(stack: string, logicalId: string, type: ResourceType, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    throw new Error(`${stack}/${logicalId} (${type.type}): ${message}`, { cause });
  }
}
