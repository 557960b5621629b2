import { Duration } from 'aws-cdk-lib';
import { type IResource, LambdaIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { BundledFunction, type BundledFunctionProps } from './bundled-function.ts';

export interface EndpointGroupProps {
  api: RestApi;
  name: string;
  /** First path segments that belong to the group. */
  prefixes: readonly string[];
  environment: Record<string, string>;
  memoryMb?: number;
  /** Other functions serve a part of what lies below the prefixes: whoever knows them leads there. */
  divided?: boolean;
}

/**
 * One Lambda for a group of endpoints, behind one `ANY` on each prefix and one on everything below it. The finer
 * routing is in the function, from the declared routes: a method per operation would cost hundreds of resources.
 */
export class EndpointGroup extends Construct {
  readonly function: BundledFunction;
  readonly integration: LambdaIntegration;
  readonly #resources = new Map<string, IResource>();

  constructor(scope: Construct, id: string, props: EndpointGroupProps) {
    super(scope, id);
    this.function = new BundledFunction(this, 'Function', {
      name: props.name,
      description: `API: ${props.prefixes.map((prefix) => `/api/${prefix}`).join(', ') || props.name}`,
      memoryMb: props.memoryMb ?? 512,
      timeout: Duration.seconds(29),
      environment: props.environment,
    } satisfies BundledFunctionProps);
    this.integration = new LambdaIntegration(this.function, { scopePermissionToMethod: false });
    for (const prefix of props.prefixes) {
      const resource = props.api.root.addResource(prefix);
      this.#resources.set(prefix, resource);
      resource.addMethod('ANY', this.integration);
      if (!prefix.includes('.') && !props.divided) this.everythingBelow(resource);
    }
  }

  /** The gateway resource of one of the group's prefixes. */
  resource(prefix: string): IResource {
    const resource = this.#resources.get(prefix);
    if (!resource) throw new Error(`the group has no prefix ${prefix}`);
    return resource;
  }

  /** API Gateway allows one variable child per resource; below a fixed child the greedy one of its parent is not asked. */
  everythingBelow(resource: IResource): void {
    resource.addProxy({ anyMethod: true, defaultIntegration: this.integration });
  }
}
