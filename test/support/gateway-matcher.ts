import { ofType, type Resource } from './templates.ts';

interface Node {
  children: Map<string, Node>;
  methods: Map<string, string>;
}

/**
 * API Gateway's own way to find the method of a request, over the template: a literal child wins over a variable one, a
 * greedy one matches the rest, and below a literal child the siblings are not asked again.
 */
export class GatewayMatcher {
  readonly #root = node();

  constructor(resources: Record<string, Resource>) {
    for (const [path, methods] of Object.entries<Record<string, object>>(gatewayBodyOf(resources).paths)) {
      let at = this.#root;
      for (const part of path.split('/').filter(Boolean)) {
        if (!at.children.has(part)) at.children.set(part, node());
        at = at.children.get(part)!;
      }
      for (const [name, { [INTEGRATION]: integration }] of Object.entries<Record<string, { uri?: unknown }>>(
        methods as never,
      )) {
        const method = name === 'x-amazon-apigateway-any-method' ? 'ANY' : name.toUpperCase();
        at.methods.set(method, JSON.stringify(integration?.uri ?? ''));
      }
    }
  }

  /** The integration's target as JSON text, undefined where the gateway would answer by itself. */
  match(method: string, path: string): string | undefined {
    let at = this.#root;
    for (const segment of path.split('/').filter(Boolean)) {
      const parts = [...at.children.keys()];
      const part = [segment, ...parts.filter(isVariable), ...parts.filter(isGreedy)].find((one) =>
        at.children.has(one),
      );
      if (part === undefined) return undefined;
      at = at.children.get(part)!;
      if (isGreedy(part)) break;
    }
    return at.methods.get(method) ?? at.methods.get('ANY');
  }
}

const INTEGRATION = 'x-amazon-apigateway-integration';
const isVariable = (part: string): boolean => /^\{[^+]+\}$/.test(part);
const isGreedy = (part: string): boolean => /^\{.+\+\}$/.test(part);
const node = (): Node => ({ children: new Map(), methods: new Map() });

/** The OpenAPI document of the gateway. */
export function gatewayBodyOf(resources: Record<string, Resource>) {
  const [[, api] = []] = ofType(resources, 'AWS::ApiGateway::RestApi');
  return api!.Properties.Body;
}
