import {
  applicableSchemas,
  memberSchemas,
  propertiesOf,
  type Schema,
} from '../../../platform/validation/applicable.ts';

/** The value with the defaults of the members that it leaves out: the inverse of `canonical`. */
export const complete = <T>(schema: unknown, value: T): T => filled([schema as Schema], value) as T;

function filled(given: readonly Schema[], value: unknown): unknown {
  const schemas = applicableSchemas(given, value);
  const inner = (segment: string) => schemas.flatMap((schema) => memberSchemas(schema, segment));
  if (Array.isArray(value)) return value.map((item, index) => filled(inner(String(index)), item));
  if (typeof value !== 'object' || value === null) return value;
  const defaults = schemas.flatMap((schema) =>
    Object.entries(propertiesOf(schema)).flatMap(([name, member]) =>
      'default' in member ? [[name, member.default] as const] : [],
    ),
  );
  const whole: Record<string, unknown> = { ...Object.fromEntries(defaults), ...value };
  return Object.fromEntries(Object.entries(whole).map(([name, member]) => [name, filled(inner(name), member)]));
}
