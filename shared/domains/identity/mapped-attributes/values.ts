import { type Attributes, MAX_ATTRIBUTE_TEXT, MAX_ATTRIBUTE_VALUES } from '../../tenancy/workspaces/index.ts';
import type { ScimMapping, ScimPlace } from './records.ts';

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The value as an attribute: texts, numbers and booleans, or a list of them. One that an attribute cannot hold is none,
 * because a list with less in it could show more rows.
 */
export function attributeValue(value: unknown): string | string[] | undefined {
  if (!Array.isArray(value)) return textOf(value);
  const texts = value.map(textOf);
  const distinct = [...new Set(texts)];
  if (distinct.length === 0 || distinct.length > MAX_ATTRIBUTE_VALUES || distinct.includes(undefined)) return undefined;
  return distinct as string[];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value === '' || value.length > MAX_ATTRIBUTE_TEXT) return undefined;
  return value;
}

/** The attributes that the mappings take from the resource of a user. */
export function scimAttributes(mappings: readonly ScimMapping[], resource: Members): Attributes {
  const found: [string, string | string[]][] = [];
  for (const { place, attribute } of mappings) {
    const value = attributeValue(valueAt(resource, place));
    if (value !== undefined) found.push([attribute, value]);
  }
  return Object.fromEntries(found);
}

function valueAt(resource: Members, { extension, name, sub = 'value' }: ScimPlace): unknown {
  const members = extension === undefined ? resource : resource[extension];
  const value = isObject(members) && Object.hasOwn(members, name) ? members[name] : undefined;
  const inner = (each: unknown) => (isObject(each) ? each[sub] : each);
  // A value of a list that lacks the part, such as an address without a country, has nothing to say.
  return Array.isArray(value) ? value.map(inner).filter((each) => each !== undefined) : inner(value);
}
