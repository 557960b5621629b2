import type { Issue } from '../../../platform/errors/app-error.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import { escapePointer } from '../../../platform/validation/json-pointer.ts';
import { portsOf } from './configs/route.ts';
import { dependenciesOf, type Step } from './dag.ts';

/** A step that depends on a route names one of its ports in `fromPorts`; other step types have no ports. */
export function portIssues(step: Step, steps: readonly Step[], place: string): Issue[] {
  const routes = new Map(steps.filter(({ type }) => type === 'route').map((route) => [route.id, route]));
  const named = Object.entries(step.fromPorts ?? {}).flatMap(([id, port]) => {
    const pointer = `${place}/fromPorts/${escapePointer(id)}`;
    const route = routes.get(id);
    if (!route) {
      return [{ pointer, code: 'PORT_UNKNOWN', message: `The step "${id}" is not a route, so it has no ports.` }];
    }
    if (!dependenciesOf(step).includes(id)) {
      return [{ pointer, code: 'INPUT_NOT_A_DEPENDENCY', message: `Add the step "${id}" to dependsOn.` }];
    }
    const ports = portsOf(route);
    if (!ports || ports.includes(port)) return [];
    const message = `Unknown port "${port}"${didYouMean(port, ports)} The route "${id}" has: ${ports.join(', ')}.`;
    return [{ pointer, code: 'PORT_UNKNOWN', message }];
  });
  const missing = dependenciesOf(step)
    .filter((id) => routes.has(id) && !Object.hasOwn(step.fromPorts ?? {}, id))
    .map((id) => ({
      pointer: `${place}/fromPorts/${escapePointer(id)}`,
      code: 'REQUIRED',
      message: `is required: "${id}" is a route; name the port whose rows to read`,
    }));
  return [...named, ...missing];
}
