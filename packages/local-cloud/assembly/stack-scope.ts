import type { Report } from './conform.ts';
import { evaluateCondition, type Scope } from './intrinsics.ts';
import type { ResourceType } from './resource-type.ts';
import { parameterValues, type Template } from './template.ts';
import { PENDING, type Value } from './value.ts';

export interface Environment {
  region: string;
  accountId: string;
}

/** What other stacks export to this one. */
export class Outputs {
  readonly #stacks = new Map<string, Map<string, Value>>();
  readonly #exports = new Map<string, Value>();

  set(stack: string, name: string, value: Value, exportName?: string): void {
    const outputs = this.#stacks.get(stack) ?? new Map<string, Value>();
    this.#stacks.set(stack, outputs.set(name, value));
    if (exportName !== undefined) this.#exports.set(exportName, value);
  }

  output(stack: string, name: string): Value | undefined {
    return this.#stacks.get(stack)?.get(name);
  }

  export(name: string): Value | undefined {
    return this.#exports.get(name);
  }
}

export interface StackSurroundings {
  environment: Environment;
  outputs: Outputs;
  types: ReadonlyMap<string, ResourceType>;
  /** What `Ref` and `Fn::GetAtt` answer for a resource, when it exists. */
  answers(logicalId: string): { ref: string; attributes: Record<string, Value> } | undefined;
  report: Report;
}

/** Resolves the names of one stack's template. The same code checks a template and deploys it. */
export class StackScope implements Scope {
  /** Resources referenced since the last `takeReferences`. */
  #references = new Set<string>();
  readonly #stack: string;
  readonly #template: Template;
  readonly #around: StackSurroundings;
  readonly #names: Map<string, Value>;
  readonly #conditions = new Map<string, boolean>();
  readonly report: Report;

  constructor(stack: string, template: Template, around: StackSurroundings) {
    this.#stack = stack;
    this.#template = template;
    this.#around = around;
    this.#names = new Map([...parameterValues(template), ...pseudoParameters(stack, around.environment)]);
    this.report = (path, problem) => around.report(path, problem);
  }

  takeReferences(): Set<string> {
    const references = this.#references;
    this.#references = new Set();
    return references;
  }

  /** Logical ids of the resources whose condition holds. */
  resourceIds(): string[] {
    return Object.entries(this.#template.Resources)
      .filter(([id, { Condition }]) => Condition === undefined || this.condition(Condition, `${id}.Condition`))
      .map(([id]) => id);
  }

  ref(name: string, path: string): Value {
    const value = this.#names.get(name);
    if (value !== undefined) return value;
    return this.#resource(name, path)?.ref ?? PENDING;
  }

  attribute(logicalId: string, name: string, path: string): Value {
    const type = this.#template.Resources[logicalId]?.Type;
    const known = this.#around.types.get(type ?? '');
    if (known && !known.attributes.includes(name)) {
      this.report(path, `the local cloud does not support the attribute ${name} of ${type} (${logicalId})`);
      return PENDING;
    }
    return this.#resource(logicalId, path)?.attributes[name] ?? PENDING;
  }

  condition(name: string, path: string): boolean {
    const earlier = this.#conditions.get(name);
    if (earlier !== undefined) return earlier;
    const definition = this.#template.Conditions?.[name];
    if (definition === undefined) {
      this.report(path, `the template has no condition ${name}`);
      return false;
    }
    // Set first, so that circular conditions end.
    this.#conditions.set(name, false);
    const holds = evaluateCondition(definition, this, `Conditions.${name}`);
    this.#conditions.set(name, holds);
    return holds;
  }

  mapping(map: string, first: string, second: string): Value | undefined {
    return this.#template.Mappings?.[map]?.[first]?.[second];
  }

  importValue(exportName: string, path: string): Value {
    const value = this.#around.outputs.export(exportName);
    if (value === undefined) this.report(path, `no stack exports ${exportName}`);
    return value ?? PENDING;
  }

  stackOutput(stack: string, output: string, path: string): Value {
    const value = this.#around.outputs.output(stack, output);
    if (value === undefined) this.report(path, `the stack ${stack} has no output ${output}, or comes later`);
    return value ?? PENDING;
  }

  #resource(logicalId: string, path: string) {
    const definition = this.#template.Resources[logicalId];
    if (!definition || (definition.Condition !== undefined && !this.condition(definition.Condition, path))) {
      this.report(path, `the stack ${this.#stack} has no resource or parameter ${logicalId}`);
      return undefined;
    }
    this.#references.add(logicalId);
    return this.#around.answers(logicalId);
  }
}

function pseudoParameters(stack: string, { region, accountId }: Environment): [string, Value][] {
  return [
    ['AWS::AccountId', accountId],
    ['AWS::Region', region],
    ['AWS::Partition', 'aws'],
    ['AWS::URLSuffix', 'amazonaws.com'],
    ['AWS::StackName', stack],
    ['AWS::StackId', `arn:aws:cloudformation:${region}:${accountId}:stack/${stack}/local`],
    ['AWS::NotificationARNs', []],
  ];
}
