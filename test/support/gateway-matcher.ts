import { ofType, type Resource } from './templates.ts';

interface Node {
  part: string;
  children: string[];
  methods: Map<string, string>;
}

/**
 * API Gateway's own way to find the method of a request, over the template: a literal child wins over a variable one, a
 * greedy one matches the rest, and below a literal child the siblings are not asked again.
 */
export class GatewayMatcher {
  readonly #nodes = new Map<string, Node>();
  readonly #root: string;

  constructor(resources: Record<string, Resource>) {
    const [[apiId] = ['']] = ofType(resources, 'AWS::ApiGateway::RestApi');
    this.#root = apiId;
    this.#nodes.set(apiId, { part: '', children: [], methods: new Map() });
    for (const [id, { Properties }] of ofType(resources, 'AWS::ApiGateway::Resource')) {
      this.#nodes.set(id, { part: Properties.PathPart, children: [], methods: new Map() });
    }
    for (const [id, { Properties }] of ofType(resources, 'AWS::ApiGateway::Resource')) {
      this.#nodes.get(this.#idOf(Properties.ParentId))!.children.push(id);
    }
    for (const [, { Properties }] of ofType(resources, 'AWS::ApiGateway::Method')) {
      const target = JSON.stringify(Properties.Integration.Uri ?? '');
      this.#nodes.get(this.#idOf(Properties.ResourceId))!.methods.set(Properties.HttpMethod, target);
    }
  }

  /** The integration's target as JSON text, undefined where the gateway would answer by itself. */
  match(method: string, path: string): string | undefined {
    let node = this.#nodes.get(this.#root)!;
    const segments = path.split('/').filter(Boolean);
    for (const [index, segment] of segments.entries()) {
      const children = node.children.map((id) => this.#nodes.get(id)!);
      const next =
        children.find((child) => child.part === segment) ??
        children.find((child) => /^\{[^+]+\}$/.test(child.part)) ??
        children.find((child) => /^\{.+\+\}$/.test(child.part));
      if (!next) return undefined;
      node = next;
      if (/\+\}$/.test(next.part) && index < segments.length) break;
    }
    return node.methods.get(method) ?? node.methods.get('ANY');
  }

  /** Resources with more than one variable child: those fail only when they are deployed. */
  get crowded(): string[] {
    return [...this.#nodes.values()]
      .filter((node) => node.children.filter((id) => this.#nodes.get(id)!.part.startsWith('{')).length > 1)
      .map((node) => node.part);
  }

  #idOf(reference: { Ref?: string; 'Fn::GetAtt'?: [string, string] }): string {
    return reference.Ref ?? reference['Fn::GetAtt']![0];
  }
}
