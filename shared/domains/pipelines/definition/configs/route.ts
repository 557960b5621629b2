import type { Static } from 'typebox';
import * as Type from 'typebox';
import type { Issue } from '../../../../platform/errors/app-error.ts';
import { StrictObject, StringEnum } from '../../../../platform/http/schemas.ts';
import { hasShape, shapeIssues } from '../../../../platform/validation/shape-issues.ts';
import { Condition, input, timeoutSeconds } from './members.ts';

const Port = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' });

/** Each port, including the default one, is one bit of a 64-bit number. */
const MAX_ROUTES = 50;

export const RouteConfig = StrictObject(
  {
    input,
    mode: Type.Optional(
      StringEnum(['first_match', 'all_matches'], {
        default: 'first_match',
        description: 'Whether a row goes to the first port whose condition it meets, or to all of them.',
      }),
    ),
    routes: Type.Array(StrictObject({ port: Port, condition: Condition }), { minItems: 1, maxItems: MAX_ROUTES }),
    defaultPort: Type.Optional(
      Type.String({ ...Port, default: 'default', description: 'The port of rows that meet no condition.' }),
    ),
    timeoutSeconds,
  },
  {
    $id: 'RouteConfig',
    description: 'Sends rows to ports by conditions. Downstream steps name the port in `fromPorts`.',
  },
);
export type RouteConfig = Static<typeof RouteConfig>;

/** The ports of a route step, the default one last; undefined when its settings are invalid. */
export function portsOf(step: { config: unknown }): string[] | undefined {
  if (!hasShape(RouteConfig, step.config)) return undefined;
  return [...step.config.routes.map(({ port }) => port), step.config.defaultPort ?? 'default'];
}

/** Every issue of a route's settings; the engine checks the SQL of the conditions. */
export function routeIssues(config: Record<string, unknown>, at: string): Issue[] {
  if (!hasShape(RouteConfig, config)) return shapeIssues(RouteConfig, config, at);
  const ports = config.routes.map(({ port }) => port);
  const issues = ports.flatMap((port, index) =>
    ports.indexOf(port) < index
      ? [{ pointer: `${at}/routes/${index}/port`, code: 'DUPLICATE', message: `The port "${port}" is used twice.` }]
      : [],
  );
  const rest = config.defaultPort ?? 'default';
  if (ports.includes(rest)) {
    const message = `The port "${rest}" is the default port and a route's port; give one of them another name.`;
    issues.push({ pointer: `${at}/defaultPort`, code: 'DUPLICATE', message });
  }
  return issues;
}
