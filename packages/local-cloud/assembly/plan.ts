import type { CloudAssembly, StackArtifact } from './cloud-assembly.ts';
import { conform, type Report } from './conform.ts';
import type { DeployedResource, DeploymentStore } from './deployment-store.ts';
import { evaluate } from './intrinsics.ts';
import { physicalName } from './names.ts';
import { dependencyOrder } from './order.ts';
import type { ResourceType } from './resource-type.ts';
import { object } from './shapes.ts';
import { type Environment, Outputs, StackScope, type StackSurroundings } from './stack-scope.ts';
import { checkTemplate } from './template.ts';
import { canonical, hasPending, type Value } from './value.ts';

export interface StackPlan extends StackArtifact {
  /** Logical ids; each resource follows those that it refers to. */
  order: string[];
}

/** Every reason why an assembly cannot be deployed here, each with stack, logical id and path. */
export class AssemblyRejected extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The local cloud cannot deploy this assembly:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'AssemblyRejected';
    this.problems = problems;
  }
}

/**
 * Checks a whole assembly before anything changes and returns the order of work. Throws `AssemblyRejected` with all
 * problems at once.
 */
export function planAssembly(
  assembly: CloudAssembly,
  store: DeploymentStore,
  types: ReadonlyMap<string, ResourceType>,
  environment: Environment,
): StackPlan[] {
  const problems = new Set<string>();
  const outputs = new Outputs();
  const names = new NameClaims(store, types);
  const plans = assembly.stacks.map((stack) => {
    const report: Report = (path, problem) => problems.add(`${stack.name}/${path}: ${problem}`);
    const deployed = new Map(store.resources(stack.name).map((resource) => [resource.logicalId, resource]));
    const answers = (logicalId: string) => deployed.get(logicalId);
    return planStack(stack, deployed, names, { environment, outputs, types, answers, report });
  });
  if (problems.size > 0) throw new AssemblyRejected([...problems]);
  return plans;
}

function planStack(
  stack: StackArtifact,
  deployed: Map<string, DeployedResource>,
  names: NameClaims,
  around: StackSurroundings,
): StackPlan {
  const { name, template } = stack;
  checkTemplate(template, around.report);
  const scope = new StackScope(name, template, around);
  const dependencies = new Map<string, Set<string>>();
  const ids = scope.resourceIds();
  for (const id of ids) {
    const definition = template.Resources[id];
    if (!definition) continue;
    const type = around.types.get(definition.Type);
    if (!type) {
      around.report(id, `the local cloud does not support the resource type ${definition.Type}`);
      continue;
    }
    const properties = resolveProperties(type, definition.Properties, scope, id);
    const references = scope.takeReferences();
    for (const dependency of [definition.DependsOn ?? []].flat()) references.add(dependency);
    dependencies.set(id, references);
    names.claim(name, id, type, properties, around.report);
    const earlier = deployed.get(id);
    if (earlier) checkReplacement(earlier, type, properties, around.report);
  }
  for (const [output, { Value: value, Condition, Export }] of Object.entries(template.Outputs ?? {})) {
    const path = `Outputs.${output}`;
    if (Condition !== undefined && !scope.condition(Condition, path)) continue;
    const exportName = Export && evaluate(Export.Name, scope, `${path}.Export`);
    around.outputs.set(name, output, evaluate(value, scope, path), exportName as string | undefined);
  }
  return { ...stack, order: dependencyOrder(ids, dependencies, around.report) };
}

/**
 * Which resource has which name. Creating a resource adopts an existing one of the same name, so two resources with one
 * name would share it, and removing either would remove it.
 */
class NameClaims {
  readonly #owners = new Map<string, string>();

  constructor(store: DeploymentStore, types: ReadonlyMap<string, ResourceType>) {
    for (const { stack, logicalId, type, name } of store.resources()) {
      if (types.get(type)?.naming.property) this.#owners.set(`${type} ${name}`, `${stack}/${logicalId}`);
    }
  }

  claim(stack: string, logicalId: string, type: ResourceType, properties: Record<string, Value>, report: Report): void {
    const { property } = type.naming;
    if (property === undefined || hasPending(properties[property])) return;
    const name = nameOf(stack, logicalId, type, properties);
    const owner = this.#owners.get(`${type.type} ${name}`);
    const place = `${stack}/${logicalId}`;
    if (owner === undefined) this.#owners.set(`${type.type} ${name}`, place);
    else if (owner !== place) report(`${logicalId}.Properties.${property}`, `the name ${name} belongs to ${owner}`);
  }
}

/** Evaluates the functions in a resource's properties and converts them to their declared types. */
export function resolveProperties(
  type: ResourceType,
  properties: { [name: string]: Value } | undefined,
  scope: StackScope,
  logicalId: string,
): Record<string, Value> {
  const path = `${logicalId}.Properties`;
  const values = evaluate(properties ?? {}, scope, path);
  return conform(object(type.properties), values, path, scope.report) as Record<string, Value>;
}

/** The name given in the properties, or one made for the resource. */
export function nameOf(
  stack: string,
  logicalId: string,
  type: ResourceType,
  properties: Record<string, Value>,
): string {
  const given = type.naming.property === undefined ? undefined : properties[type.naming.property];
  return typeof given === 'string' ? given : physicalName(stack, logicalId, type.naming);
}

/** The first changed property that requires a replacement; values that are not known yet count as unchanged. */
export function replacingChange(
  earlier: DeployedResource,
  type: ResourceType,
  properties: Record<string, Value>,
): string | undefined {
  const named = type.naming.property;
  const given = named === undefined ? undefined : properties[named];
  if (!hasPending(given) && nameOf(earlier.stack, earlier.logicalId, type, properties) !== earlier.name) return named;
  return type.fixed.find(
    (property) =>
      !hasPending(properties[property]) && canonical(properties[property]) !== canonical(earlier.properties[property]),
  );
}

function checkReplacement(
  earlier: DeployedResource,
  type: ResourceType,
  properties: Record<string, Value>,
  report: Report,
): void {
  if (earlier.type !== type.type) {
    report(earlier.logicalId, `its type cannot change from ${earlier.type} to ${type.type}`);
    return;
  }
  const property = type.keepsData ? replacingChange(earlier, type, properties) : undefined;
  if (property !== undefined) {
    report(
      `${earlier.logicalId}.Properties.${property}`,
      `changing it would replace ${earlier.name} and lose what is stored there; give the new resource another logical id`,
    );
  }
}
