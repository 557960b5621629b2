/** A JSON schema, or a part of one. */
type Schema = Record<string, unknown>;

/** Shorter parts are not worth a function of their own. */
const MIN_CHARACTERS = 300;

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples', 'discriminator', 'required']);

/**
 * Extracts repeated parts of schemas: each becomes a schema of its own that the others reference by name. The shape of
 * a pipeline in the requests to create, update and preview it then compiles to one function instead of three.
 */
export function sharedParts<T>(schemas: ReadonlyMap<string, T>): { whole: Map<string, T>; parts: Map<string, Schema> } {
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (isPart(value)) {
      const text = JSON.stringify(value);
      const seen = (counts.get(text) ?? 0) + 1;
      counts.set(text, seen);
      // Its inner parts occur no more often than the part itself.
      if (seen > 1 && text.length >= MIN_CHARACTERS) return;
    }
    for (const member of membersOf(value)) count(member);
  };
  for (const schema of schemas.values()) count(schema);

  const names = new Map<string, string>();
  const parts = new Map<string, Schema>();
  const referring = (value: unknown): unknown => {
    if (!isPart(value)) return replaceMembers(value, referring);
    const text = JSON.stringify(value);
    if (text.length < MIN_CHARACTERS || counts.get(text) === 1) return replaceMembers(value, referring);
    let name = names.get(text);
    if (name === undefined) {
      name = `part_${names.size}`;
      names.set(text, name);
      parts.set(name, replaceMembers(value, referring) as Schema);
    }
    return { $ref: name };
  };
  const whole = new Map([...schemas].map(([name, schema]) => [name, referring(schema) as T]));
  return { whole, parts };
}

/**
 * A default is applied where a member is declared, not behind a reference, so a schema with a default is not extracted.
 */
function isPart(value: unknown): value is Schema {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'default' in value) return false;
  const { type, anyOf, oneOf, allOf } = value as Schema;
  return typeof type === 'string' || [anyOf, oneOf, allOf].some(Array.isArray);
}

function membersOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (isData(name, member) ? [] : [member]));
}

function replaceMembers(value: unknown, replace: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(replace);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isData(name, member) ? member : replace(member)]),
  );
}

/** A property with the name of a keyword is a schema nevertheless. */
const isData = (name: string, member: unknown) => DATA.has(name) && !isPart(member);
