/** An SDK client's command class, created without a check of its input. */
type Command = new (input: never) => { schema?: Schema };
/**
 * A schema of the SDK: a number for a simple type, `[kind, namespace, name, traits, …]`, or a function that returns
 * one.
 */
type Schema = number | string | readonly unknown[] | (() => Schema);

const [LIST, MAP, STRUCTURE] = [1, 2, 3];
/** The trait of a member that is the whole body, among the flags of its schema. */
const HTTP_PAYLOAD = 16;

export interface Operation {
  name: string;
  /** The URL of a REST operation, with arbitrary names in its path. */
  http: { method: string; path: string };
  input: Schema;
}

/** The operations of an SDK client, except those with a payload or stream as body. */
export function operationsOf(client: object): Operation[] {
  const operations: Operation[] = [];
  for (const [name, command] of Object.entries(client)) {
    if (!/^[A-Z]\w+Command$/.test(name)) continue;
    const { schema } = new (command as Command)({} as never);
    const [, , operation, traits, input] = resolve(schema) as [number, string, string, unknown, Schema];
    const [method = 'POST', path = '/'] = (traits as { http?: string[] }).http ?? [];
    if (hasPayload(input)) continue;
    operations.push({ name: operation, http: { method, path: path.replaceAll(/\{\w+\}/g, 'x') }, input });
  }
  return operations;
}

function hasPayload(input: Schema): boolean {
  const members = (resolve(input)[5] ?? []) as unknown[];
  return members.some((member) => Array.isArray(member) && member[1] === HTTP_PAYLOAD);
}

/**
 * Copies of a request, each with `member` set in another of its structures, by the structure's path. Maps have no fixed
 * members and unions only one set member; both are left as they are.
 */
export function withMemberEverywhere(schema: Schema, request: unknown, member: string): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const visit = (schema: Schema, value: unknown, path: string, rebuild: (value: unknown) => unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const [kind, , , , first, second] = resolve(schema) as [number, string, string, unknown, unknown, unknown];
    if (kind === STRUCTURE) {
      found.set(path, rebuild({ ...value, [member]: 'x' }));
      for (const [name, inner] of Object.entries(value)) {
        const of = (second as Schema[])[(first as string[]).indexOf(name)];
        if (of !== undefined) visit(of, inner, `${path}.${name}`, (changed) => rebuild({ ...value, [name]: changed }));
      }
    } else if (kind === LIST) {
      const [inner] = value as unknown[];
      visit(first as Schema, inner, `${path}[]`, (changed) => rebuild([changed, ...(value as unknown[]).slice(1)]));
    } else if (kind === MAP) {
      const [key = '', inner] = Object.entries(value)[0] ?? [];
      visit(second as Schema, inner, `${path}{}`, (changed) => rebuild({ ...value, [key]: changed }));
    }
  };
  visit(schema, request, '', (value) => value);
  return found;
}

/** Follows references and drops their traits. */
function resolve(schema: unknown): readonly unknown[] {
  if (typeof schema === 'function') return resolve(schema());
  if (!Array.isArray(schema)) return [];
  const isReferenceWithTraits = schema.length === 2 && typeof schema[0] !== 'number';
  return isReferenceWithTraits || typeof schema[0] === 'function' ? resolve(schema[0]) : schema;
}
