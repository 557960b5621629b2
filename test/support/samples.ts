import type { TSchema } from 'typebox';
import { GROUPS } from '../../functions/api.ts';
import { isScim, type Route } from '../../shared/platform/http/route.ts';
import { validates } from './conformance.ts';

/** Every operation of the API. */
export const ALL_ROUTES: readonly Route[] = GROUPS.flatMap((group) => group.routes);

/** Requests made from the declarations alone, for what every route must do alike. */
export const ROUTES: readonly Route[] = ALL_ROUTES.filter((route) => !isScim(route));

/** The routes of SCIM, which accept more and report errors differently. */
export const SCIM_ROUTES: readonly Route[] = ALL_ROUTES.filter(isScim);

interface ObjectSchema {
  required?: string[];
  properties?: Record<string, TSchema>;
}

/** A path of the route with ids that belong to nothing, and the query values that it cannot do without. */
export function somePath(route: Route): string {
  const params = (route.params as ObjectSchema | undefined)?.properties;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => sampleText(params?.[name]));
  const { required = [], properties = {} } = (route.query ?? {}) as ObjectSchema;
  const query = required
    .filter((name) => !('default' in (properties[name] ?? {})))
    .map((name) => `${name}=${sampleText(properties[name])}`);
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

function sampleText(schema: TSchema | undefined): string {
  const { format, type, enum: words } = (schema ?? {}) as { format?: string; type?: string; enum?: string[] };
  if (words) return words[0]!;
  if (format === 'uuid') return '00000000-0000-7000-8000-000000000000';
  return type === 'integer' ? '1' : 'sample';
}

/**
 * A body in which every declared member has a wrong type; undefined where the declaration takes members of any shape,
 * so that none can be wrong.
 */
export function wrongBody(route: Route): Record<string, unknown> | undefined {
  const { properties = {} } = (route.body ?? {}) as ObjectSchema;
  const body = Object.fromEntries(Object.keys(properties).map((name) => [name, { $wrong: [true] }]));
  return validates(route.body!, body) ? undefined : body;
}
