import type { Method } from './route.ts';

interface Routed {
  method: Method;
  path: string;
}

export type Match<R> =
  | { found: 'route'; route: R; params: Record<string, string> }
  | { found: 'otherMethod'; allowed: Method[] }
  | { found: 'nothing' };

interface Node<R> {
  literals: Map<string, Node<R>>;
  parameter?: { node: Node<R> };
  routes: Map<Method, { route: R; names: string[] }>;
}

/**
 * Finds the route of a request. A literal segment takes precedence over a parameter. The constructor throws if two
 * routes have the same method and path, regardless of parameter names.
 */
export class Router<R extends Routed> {
  readonly #root: Node<R> = emptyNode();

  constructor(routes: readonly R[]) {
    for (const route of routes) this.#add(route);
  }

  match(method: string, path: string): Match<R> {
    const segments = path.split('/').filter((segment) => segment !== '');
    const allowed = new Set<Method>();
    for (const { node, values } of candidates(this.#root, segments, [])) {
      const hit = node.routes.get(method as Method);
      if (hit) {
        const params = Object.fromEntries(hit.names.map((name, index) => [name, values[index]!]));
        return { found: 'route', route: hit.route, params };
      }
      for (const other of node.routes.keys()) allowed.add(other);
    }
    return allowed.size > 0 ? { found: 'otherMethod', allowed: [...allowed].sort() } : { found: 'nothing' };
  }

  #add(route: R): void {
    const names: string[] = [];
    let node = this.#root;
    for (const segment of route.path.split('/').filter((part) => part !== '')) {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      if (name !== undefined) {
        names.push(name);
        node.parameter ??= { node: emptyNode() };
        node = node.parameter.node;
      } else {
        let next = node.literals.get(segment);
        if (!next) {
          next = emptyNode();
          node.literals.set(segment, next);
        }
        node = next;
      }
    }
    if (node.routes.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    node.routes.set(route.method, { route, names });
  }
}

function emptyNode<R>(): Node<R> {
  return { literals: new Map(), routes: new Map() };
}

/** Nodes that match the path, the most literal first. Segments are decoded once, after splitting. */
function* candidates<R>(
  node: Node<R>,
  segments: string[],
  values: string[],
): Generator<{ node: Node<R>; values: string[] }> {
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    if (node.routes.size > 0) yield { node, values };
    return;
  }
  const literal = node.literals.get(segment);
  if (literal) yield* candidates(literal, rest, values);
  if (node.parameter) yield* candidates(node.parameter.node, rest, [...values, decode(segment)]);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
