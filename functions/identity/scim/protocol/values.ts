import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { type Attribute, attributeNamed } from './attributes.ts';

/** A resource, or a value of a complex attribute, with members of exactly the declared names. */
export type Members = Record<string, unknown>;

/** A bound for every text of a resource. */
const MAX_TEXT = 1_024;
export const MAX_VALUES = 20;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a text can be the id of a resource: one that is too long for a key of the table belongs to none. */
export const isId = (text: string): boolean => text !== '' && text.length <= 100;

export const invalidValue = (detail: string) => new AppError('SCIM_INVALID_VALUE', { detail });

/**
 * An absent attribute, null and an empty array are equivalent (RFC 7643, section 2.5). An empty string is treated the
 * same way, and an array of one such value, because clients may send a single value in an array.
 */
export const isUnassigned = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && (value.length === 0 || (value.length === 1 && isUnassigned(value[0]))));

/**
 * The value as the attribute stores it. Accepts what identity providers send: booleans and numbers as texts, a single
 * value in a list, and the plain value of a complex attribute. Throws `SCIM_INVALID_VALUE`.
 */
export function readValue(attribute: Attribute, value: unknown, place = attribute.name): unknown {
  if (!attribute.multiValued) return readSingle(attribute, unwrapped(value), place);
  const values = Array.isArray(value) ? value : [value];
  if (values.length > MAX_VALUES) throw invalidValue(`${place} has more than ${MAX_VALUES} values.`);
  return values.filter((each) => !isUnassigned(each)).map((each) => readSingle(attribute, each, place));
}

/** Older versions of Entra send a single value as `[{"value": "…"}]`. */
function unwrapped(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

export function readSingle(attribute: Attribute, value: unknown, place: string): unknown {
  if (attribute.type === 'complex') return readComplex(attribute, value, place);
  const bare = isObject(value) && 'value' in value ? value.value : value;
  if (attribute.type === 'boolean') return readBoolean(bare, place);
  if (typeof bare === 'number' || typeof bare === 'boolean') return String(bare);
  if (typeof bare !== 'string') throw invalidValue(`${place} must be a text.`);
  if (bare.length > MAX_TEXT) throw invalidValue(`${place} is longer than ${MAX_TEXT} characters.`);
  return bare;
}

/** Entra sends `"True"` and `"False"`. */
function readBoolean(value: unknown, place: string): boolean {
  const word = typeof value === 'boolean' || typeof value === 'string' ? String(value).toLowerCase() : undefined;
  if (word !== 'true' && word !== 'false') throw invalidValue(`${place} must be true or false.`);
  return word === 'true';
}

function readComplex(attribute: Attribute, value: unknown, place: string): Members {
  const members = isObject(value) ? value : { value };
  const read: Members = {};
  for (const [name, member] of Object.entries(members)) {
    const sub = attributeNamed(attribute.subAttributes ?? [], name);
    if (!sub || sub.mutability === 'readOnly' || isUnassigned(member)) continue;
    read[sub.name] = readValue(sub, member, `${place}.${sub.name}`);
  }
  if (!isObject(value) && Object.keys(read).length === 0) throw invalidValue(`${place} must be an object.`);
  return read;
}
