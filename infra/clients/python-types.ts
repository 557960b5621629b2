import { isJson, type Json } from '../build/openapi/json-schema.ts';
import { className, docstring, isMember, quoted } from './python-names.ts';
import { componentName, type UsedSchemas } from './schemas.ts';

/** Whether values that the server may add later are accepted, as in replies. */
interface TypeOptions {
  isOpen: boolean;
}

/**
 * The declarations of types. Objects become typed dictionaries, whose members cannot be declared in place: those
 * without a name of their own are named after where they are.
 */
export class PythonTypes {
  readonly #declared = new Map<string, string>();
  readonly #taken: Set<string>;

  constructor({ schemas, sent }: UsedSchemas) {
    this.#taken = new Set(Object.keys(schemas).map(componentName));
    for (const [name, schema] of Object.entries(schemas)) {
      this.#declare(componentName(name), schema, { isOpen: !sent.has(name) });
    }
  }

  get text(): string {
    return [...this.#declared.values()].join('\n\n');
  }

  /** The type of each event of a stream, by the schema that has their data by their names. */
  declareEvents(name: string, { properties = {} }: { properties?: Record<string, Json> }): string {
    const events = Object.entries(properties).map(([event, schema]) => {
      const own = this.#freeName(`${name}${className(event)}`);
      const data = this.#typeOf(schema, `${own}Data`, { isOpen: true });
      const members = [`    event: Literal[${quoted(event)}]`, `    data: ${data}`, '    id: str'];
      this.#declared.set(own, `class ${own}(TypedDict):\n${members.join('\n')}\n`);
      return own;
    });
    const union = this.#freeName(name);
    this.#declared.set(union, alias(union, `Union[${events.join(', ')}]`));
    return union;
  }

  #freeName(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${wanted}${number}`;
    this.#taken.add(name);
    return name;
  }

  #declare(name: string, schema: Json, options: TypeOptions): void {
    // The place of a declaration in the file is before those of its members.
    this.#declared.set(name, '');
    const text = isRecord(schema)
      ? this.#typedDict(name, schema, options)
      : alias(name, this.#typeOf(schema, name, options)) + docstring(docOf(schema), '');
    this.#declared.set(name, text);
  }

  /** `name` is for a member that needs one. */
  #typeOf(schema: Json, name: string, options: TypeOptions): string {
    if (typeof schema.$ref === 'string') return componentName(schema.$ref.split('/').at(-1)!);
    if ('const' in schema) return literal([schema.const]);
    if (Array.isArray(schema.enum)) {
      const known = literal(schema.enum);
      return options.isOpen && schema.enum.every((value) => typeof value === 'string') ? `Union[${known}, str]` : known;
    }
    const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
    if (choices) return union(choices.map((choice) => this.#typeOf(choice, name, options)));
    if (Array.isArray(schema.type))
      return union(schema.type.map((type) => this.#typeOf({ ...schema, type }, name, options)));
    if (schema.type === 'array') return this.#arrayType(schema, name, options);
    if (schema.type === 'object') return this.#objectType(schema, name, options);
    return SCALARS[schema.type as string] ?? 'Any';
  }

  /** What is sent may be any sequence; what is received is a list. */
  #arrayType(schema: Json, name: string, options: TypeOptions): string {
    const { prefixItems, items } = schema as { prefixItems?: Json[]; items?: Json };
    const inner = prefixItems
      ? union(prefixItems.map((item) => this.#typeOf(item, `${name}Item`, options)))
      : undefined;
    const type = inner ?? (isJson(items) ? this.#typeOf(items, `${name}Item`, options) : 'Any');
    return `${options.isOpen ? 'List' : 'Sequence'}[${type}]`;
  }

  #objectType(schema: Json, name: string, options: TypeOptions): string {
    if (isRecord(schema)) {
      const own = this.#freeName(name);
      this.#declare(own, schema, options);
      return own;
    }
    // Typed dictionaries cannot have members of any name besides those they know.
    const isPlain = !schema.properties || Object.keys(schema.properties).length === 0;
    const more =
      isPlain && isJson(schema.additionalProperties)
        ? this.#typeOf(schema.additionalProperties, `${name}Value`, options)
        : 'Any';
    return `${options.isOpen ? 'Dict' : 'Mapping'}[str, ${more}]`;
  }

  /** Members that may be absent are in a class that need not be complete. */
  #typedDict(name: string, schema: Json, options: TypeOptions): string {
    const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
    const members = Object.entries(properties).map(([key, inner]) => ({
      key,
      type: this.#typeOf(inner, name + className(key), options),
      doc: docOf(inner),
      isRequired: required.includes(key),
    }));
    const isCalled = (wanted: boolean) => members.filter(({ isRequired }) => isRequired === wanted);
    const [needed, optional] = [isCalled(true), isCalled(false)];
    const doc = docstring(docOf(schema), '    ');
    if (members.every(({ key }) => isMember(key))) {
      if (optional.length === 0) return typedClass(name, 'TypedDict', needed, doc);
      if (needed.length === 0) return typedClass(name, 'TypedDict, total=False', optional, doc);
      const base = this.#freeName(`_${name}Required`);
      return `${typedClass(base, 'TypedDict', needed, '')}\n\n${typedClass(name, `${base}, total=False`, optional, doc)}`;
    }
    const [all, some] = [this.#freeName(`_${name}Required`), this.#freeName(`_${name}Optional`)];
    return [
      `${typedCall(all, needed, '')}\n${typedCall(some, optional, ', total=False')}`,
      `class ${name}(${all}, ${some}):\n${doc || '    pass\n'}`,
    ].join('\n\n');
  }
}

interface Member {
  key: string;
  type: string;
  doc: string | undefined;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};

/** Objects with members that are all known. */
function isRecord({ type, properties, additionalProperties, anyOf, oneOf }: Json): boolean {
  if (type !== 'object' || anyOf || oneOf || !isJson(properties) || Object.keys(properties).length === 0) return false;
  return !isJson(additionalProperties) && additionalProperties !== true;
}

const typedClass = (name: string, bases: string, members: readonly Member[], doc: string): string =>
  `class ${name}(${bases}):\n${doc}${members
    .map(({ key, type, doc: own }) => `    ${key}: ${type}\n${docstring(own, '    ')}`)
    .join('')}`;

/** For names that no class can have as they are, such as `from`. */
const typedCall = (name: string, members: readonly Member[], more: string): string =>
  `${name} = TypedDict(${quoted(name)}, {${members
    .map(({ key, type }) => `${quoted(key)}: ${quoted(type)}`)
    .join(', ')}}${more})`;

/** As text, so that it may name what is declared below it. */
const alias = (name: string, type: string): string => `${name}: TypeAlias = ${quoted(type)}\n`;

function literal(values: readonly unknown[]): string {
  if (values.some((value) => typeof value === 'number' && !Number.isInteger(value))) return 'float';
  const shown = values.map((value) => {
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return JSON.stringify(value);
  });
  return `Literal[${shown.join(', ')}]`;
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes('Any')) return 'Any';
  return distinct.length === 1 ? distinct[0]! : `Union[${distinct.join(', ')}]`;
}

function docOf({ description, deprecated }: Json): string | undefined {
  const text = [typeof description === 'string' ? description : '', deprecated === true ? 'Deprecated.' : ''];
  return text.filter(Boolean).join('\n\n') || undefined;
}
