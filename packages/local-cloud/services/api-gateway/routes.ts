import { isGreedy, isVariable } from './control.ts';
import type { Integration, Resource, Snapshot } from './model.ts';

export interface Match {
  resourceId: string;
  /** Path of the resource as declared, such as `/pipelines/{id}`. */
  resourcePath: string;
  /** Percent-decoded path parameters; null if there are none, as in the event. */
  pathParameters: Record<string, string> | null;
  integration: Integration;
}

interface Node {
  id: string;
  path: string;
  literals: Map<string, Node>;
  variable: { name: string; greedy: boolean; node: Node } | undefined;
  methods: Map<string, Integration>;
}

/**
 * The resource tree of a deployment. On each segment a literal child wins over a variable one, and the choice is final:
 * if nothing matches below a literal child, its variable sibling is not tried.
 */
export class RouteTree {
  readonly #root: Node;

  constructor(snapshot: Snapshot) {
    this.#root = node(snapshot.api.rootResourceId, '/');
    const children = Map.groupBy(snapshot.resources, (resource) => resource.parentId);
    const methods = Map.groupBy(snapshot.methods, (method) => method.resourceId);
    const grow = (parent: Node): void => {
      for (const { httpMethod, integration } of methods.get(parent.id) ?? []) {
        parent.methods.set(httpMethod, integration);
      }
      for (const resource of children.get(parent.id) ?? []) grow(attach(parent, resource));
    };
    grow(this.#root);
  }

  /** Finds the method for a path below the stage, percent-encoded as sent; a trailing slash is ignored. */
  match(httpMethod: string, path: string): Match | undefined {
    let at = this.#root;
    let parameters: Record<string, string> | null = null;
    const segments = path.split('/').slice(1);
    if (segments.at(-1) === '') segments.pop();
    for (let index = 0; index < segments.length; index += 1) {
      const segment = segments[index] as string;
      const literal = at.literals.get(segment);
      if (literal) {
        at = literal;
        continue;
      }
      const variable = at.variable;
      if (!variable) return undefined;
      parameters ??= {};
      at = variable.node;
      if (variable.greedy) {
        parameters[variable.name] = decode(segments.slice(index).join('/'));
        break;
      }
      if (segment === '') return undefined;
      parameters[variable.name] = decode(segment);
    }
    const integration = at.methods.get(httpMethod) ?? at.methods.get('ANY');
    return integration && { resourceId: at.id, resourcePath: at.path, pathParameters: parameters, integration };
  }
}

function attach(parent: Node, { id, pathPart }: Resource): Node {
  const child = node(id, `${parent.path === '/' ? '' : parent.path}/${pathPart}`);
  if (isVariable(pathPart)) {
    const name = pathPart.slice(1, -1).replace(/\+$/, '');
    parent.variable = { name, greedy: isGreedy(pathPart), node: child };
  } else {
    parent.literals.set(pathPart, child);
  }
  return child;
}

function node(id: string, path: string): Node {
  return { id, path, literals: new Map(), variable: undefined, methods: new Map() };
}

/** Invalid percent-encoding stays as it is. */
export function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
