import type { Issue } from '../../../platform/errors/app-error.ts';
import { escapePointer } from '../../../platform/validation/json-pointer.ts';
import { portsOf } from './configs/route.ts';
import { dependenciesOf, type Step } from './dag.ts';

/** A step that waits for a route says by `fromPorts` whose rows it gets; no other step has ports. */
export function portIssues(step: Step, steps: readonly Step[], place: string): Issue[] {
  const routes = new Map(steps.filter(({ type }) => type === 'route').map((route) => [route.id, route]));
  const named = Object.entries(step.fromPorts ?? {}).flatMap(([id, port]) => {
    const pointer = `${place}/fromPorts/${escapePointer(id)}`;
    const route = routes.get(id);
    if (!route) return [{ pointer, code: 'PORT_UNKNOWN', message: `${id} is no route step and has no ports` }];
    if (!dependenciesOf(step).includes(id)) {
      return [{ pointer, code: 'INPUT_NOT_A_DEPENDENCY', message: `${id} must be listed in dependsOn` }];
    }
    const ports = portsOf(route);
    if (!ports || ports.includes(port)) return [];
    return [{ pointer, code: 'PORT_UNKNOWN', message: `${id} has the ports ${ports.join(', ')}, but no ${port}` }];
  });
  const missing = dependenciesOf(step)
    .filter((id) => routes.has(id) && !Object.hasOwn(step.fromPorts ?? {}, id))
    .map((id) => ({
      pointer: `${place}/fromPorts/${escapePointer(id)}`,
      code: 'REQUIRED',
      message: `is required: ${id} is a route, and its rows lie in ports`,
    }));
  return [...named, ...missing];
}
