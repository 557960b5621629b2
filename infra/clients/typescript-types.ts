import { isJson, type Json } from '../build/openapi/json-schema.ts';
import { componentName } from './schemas.ts';

/** Whether values that the server may add later are accepted, as in replies. */
export interface TypeOptions {
  isOpen: boolean;
}

/** The TypeScript type of a schema. References become the names of their components. */
export function typeOf(schema: Json, options: TypeOptions): string {
  if (typeof schema.$ref === 'string') return componentName(schema.$ref.split('/').at(-1)!);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return enumType(schema.enum, options);
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return union(choices.map((choice) => typeOf(choice, options)));
  if (Array.isArray(schema.allOf)) return schema.allOf.map((part: Json) => `(${typeOf(part, options)})`).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, options)));
  return TYPES[schema.type as string]?.(schema, options) ?? 'unknown';
}

const TYPES: Readonly<Record<string, (schema: Json, options: TypeOptions) => string>> = {
  string: () => 'string',
  number: () => 'number',
  integer: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: arrayType,
  object: objectType,
};

/** An open one still completes its values in editors. */
function enumType(values: readonly unknown[], { isOpen }: TypeOptions): string {
  const known = values.map((value) => JSON.stringify(value));
  return union(isOpen && values.every((value) => typeof value === 'string') ? [...known, '(string & {})'] : known);
}

function arrayType(schema: Json, options: TypeOptions): string {
  const { prefixItems, items } = schema as { prefixItems?: Json[]; items?: Json };
  if (prefixItems) return `[${prefixItems.map((item) => typeOf(item, options)).join(', ')}]`;
  return isJson(items) ? `Array<${typeOf(items, options)}>` : 'unknown[]';
}

function objectType(schema: Json, options: TypeOptions): string {
  const { properties, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  const more = isJson(schema.additionalProperties) ? typeOf(schema.additionalProperties, options) : undefined;
  if (!properties || Object.keys(properties).length === 0) return `Record<string, ${more ?? 'unknown'}>`;
  const members = Object.entries(properties).map(([name, inner]) => {
    const optional = required.includes(name) ? '' : '?';
    return `${docOf(inner)}${memberName(name)}${optional}: ${typeOf(inner, options)};`;
  });
  const own = `{\n${members.join('\n')}\n}`;
  return more === undefined ? own : `${own} & Record<string, ${more} | undefined>`;
}

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 1
    ? distinct[0]!
    : distinct.map((type) => (type.includes('&') ? `(${type})` : type)).join(' | ');
}

/** A comment in front of a declaration; empty if there is nothing to say. */
export function docOf({ description, deprecated }: { description?: unknown; deprecated?: unknown }): string {
  const text = [
    ...(typeof description === 'string' && description !== '' ? description.split('\n') : []),
    ...(deprecated === true ? ['@deprecated'] : []),
  ];
  if (text.length === 0) return '';
  const safe = text.map((line) => line.replaceAll('*/', '*\\/'));
  return safe.length === 1
    ? `/** ${safe[0]} */\n`
    : `/**\n${safe.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
