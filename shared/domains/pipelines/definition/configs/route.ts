import Type, { type Static } from 'typebox';
import type { Issue } from '../../../../platform/errors/app-error.ts';
import { StrictObject, StringEnum } from '../../../../platform/http/schemas.ts';
import { hasShape, shapeIssues } from '../../../../platform/validation/shape-issues.ts';
import { Condition, input, timeoutSeconds } from './members.ts';

const Port = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' });

/** A bit of a 64-bit number stands for each port, the default one included. */
const MAX_ROUTES = 50;

export const RouteConfig = StrictObject({
  input,
  mode: Type.Optional(StringEnum(['first_match', 'all_matches'], { default: 'first_match' })),
  routes: Type.Array(StrictObject({ port: Port, condition: Condition }), { minItems: 1, maxItems: MAX_ROUTES }),
  defaultPort: Type.Optional(Type.String({ ...Port, default: 'default' })),
  timeoutSeconds,
});
export type RouteConfig = Static<typeof RouteConfig>;

/** The ports of a route step, the default one last; undefined when its settings are not sound. */
export function portsOf(step: { config: unknown }): string[] | undefined {
  if (!hasShape(RouteConfig, step.config)) return undefined;
  return [...step.config.routes.map(({ port }) => port), step.config.defaultPort ?? 'default'];
}

/** Every issue of a route's settings, but for what its conditions say: that is the engine's to check. */
export function routeIssues(config: Record<string, unknown>, at: string): Issue[] {
  if (!hasShape(RouteConfig, config)) return shapeIssues(RouteConfig, config, at);
  const ports = config.routes.map(({ port }) => port);
  const issues = ports.flatMap((port, index) =>
    ports.indexOf(port) < index
      ? [{ pointer: `${at}/routes/${index}/port`, code: 'DUPLICATE', message: `the port ${port} is used twice` }]
      : [],
  );
  const rest = config.defaultPort ?? 'default';
  if (ports.includes(rest)) {
    const message = `the port ${rest} takes the rows that no route takes; a route needs a name of its own`;
    issues.push({ pointer: `${at}/defaultPort`, code: 'DUPLICATE', message });
  }
  return issues;
}
