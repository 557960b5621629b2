import type { Json } from '../build/openapi/json-schema.ts';
import type { Operation } from './operations.ts';
import { componentName, usedSchemas } from './schemas.ts';
import { docOf, typeOf } from './typescript-types.ts';

const NOTICE = '/* Made by `npm run clients` from the declared operations. */\n';

/** The generated files of the TypeScript client, by name. */
export function typescriptClient(operations: readonly Operation[], document: Json): Record<string, string> {
  return {
    'types.ts': typesFile(operations, document),
    'resources.ts': resourcesFile(operations),
    'operations.ts': operationsFile(operations),
  };
}

function typesFile(operations: readonly Operation[], document: Json): string {
  const { schemas, sent } = usedSchemas(operations, document);
  const types = Object.entries(schemas).map(([name, schema]) => {
    const type = typeOf(schema, { isOpen: !sent.has(name) });
    return `${docOf(schema)}export type ${componentName(name)} = ${type};\n`;
  });
  return `${NOTICE}\n${types.join('\n')}`;
}

function resourcesFile(operations: readonly Operation[]): string {
  const byResource = Map.groupBy(operations, ({ resource }) => resource);
  const interfaces = [...byResource].map(([resource, own]) => {
    const members = own.map((operation) => `${methodDoc(operation)}${signatureOf(operation)};`);
    return `export interface ${interfaceName(resource)} {\n${members.join('\n\n')}\n}\n`;
  });
  const resources = [...byResource.keys()].map((resource) => `${resource}: ${interfaceName(resource)};`);
  const codes = operations.map(({ resource, method, errors }) => {
    return `'${resource}.${method}': ${errors.map((code) => `'${code}'`).join(' | ') || 'never'};`;
  });
  return [
    NOTICE,
    `import type { Call, Events, Lines, List } from '../core/calls.ts';`,
    `import type { CallOptions, IfMatch, Keyed, Negotiated } from '../core/options.ts';`,
    `import type * as T from './types.ts';\n`,
    ...interfaces,
    `export interface Resources {\n${resources.join('\n')}\n}\n`,
    `/** The codes of errors that each operation has. */\nexport interface OperationErrors {\n${codes.join('\n')}\n}\n`,
  ].join('\n');
}

const interfaceName = (resource: string): string => `${resource[0]!.toUpperCase()}${resource.slice(1)}`;

function methodDoc({ summary, description, errors, http, path }: Operation): string {
  const codes = errors.length > 0 ? `\n\nErrors: ${errors.join(', ')}.` : '';
  return docOf({
    description: `${summary}.\n\n${description}\n\n\`${http} ${path}\`${codes}`.replaceAll(/\n{3,}/g, '\n\n'),
  });
}

/** Schemas in signatures are those of `types.ts`. */
const shownType = (schema: Json, isOpen: boolean): string =>
  typeof schema.$ref === 'string' ? `T.${typeOf(schema, { isOpen })}` : inNamespace(schema, isOpen);

/** References inside a type that has no name of its own. */
function inNamespace(schema: Json, isOpen: boolean): string {
  const marked = JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' ? `#/T__DOT__${value.split('/').at(-1)}` : value,
  ) as Json;
  return typeOf(marked, { isOpen }).replaceAll('T__DOT__', 'T.');
}

export function signatureOf(operation: Operation): string {
  const { method, pathParameters, body, query, takesKey } = operation;
  const parameters = pathParameters.map(({ name, schema }) => `${name}: ${shownType(schema, false)}`);
  if (body) {
    const file = body.fileType === undefined ? '' : ' | string';
    parameters.push(`body${body.isOptional ? '?' : ''}: ${shownType(body.schema, false)}${file}`);
  }
  if (query) {
    const required = (query.required as string[]).length > 0 ? '' : '?';
    parameters.push(`query${required}: ${shownType(query, false)}`);
  }
  const options = ['CallOptions', ...(takesKey ? ['Keyed'] : []), ...(operation.takesIfMatch ? ['IfMatch'] : [])].join(
    ' & ',
  );
  const own = (more: string, reply: string, before = parameters) =>
    `${method}(${[...before, more].join(', ')}): ${reply}`;
  if (operation.reply === 'content' && operation.replySchema) {
    const others = operation.contentTypes.filter((type) => !type.startsWith('application/json'));
    const accept = others.map((type) => `'${type}'`).join(' | ');
    return [
      own(`options?: ${options}`, replyType(operation)),
      own(`options: ${options} & Negotiated<${accept}>`, 'Call<Response>', parameters.map(required)),
    ].join(';\n');
  }
  const negotiated = operation.contentTypes.length > 1 && operation.reply === 'content';
  const accept = negotiated
    ? ` & Partial<Negotiated<${operation.contentTypes.map((type) => `'${type}'`).join(' | ')}>>`
    : '';
  return own(`options?: ${options}${accept}`, replyType(operation));
}

/** None that may be absent stands before one that must be there. */
const required = (parameter: string): string =>
  parameter.replace(/^(\w+)\?: (.*)$/s, (_, name, type) => `${name}: ${type} | undefined`);

function replyType({ reply, replySchema, paging }: Operation): string {
  if (reply === 'empty') return 'Call<void>';
  const type = replySchema ? shownType(replySchema, true) : undefined;
  if (reply === 'content') return `Call<${type ?? 'Response'}>`;
  if (reply === 'events') return `Events<${type ?? 'Record<string, unknown>'}>`;
  if (reply === 'lines') return `Lines<${type ?? 'unknown'}>`;
  if (paging) return `List<${type}>`;
  return `Call<${type ?? 'unknown'}>`;
}

/**
 * What the client needs to know of each operation to call it: method, path and flags. `b` body, `B` body that may be
 * absent, `q` query, `k` idempotency key, `o` and `c` pages by offset and cursor, `e` events, `l` lines, `n` nothing in
 * the reply, `r` the response itself, `j` JSON unless another type is asked for.
 */
export function operationsFile(operations: readonly Operation[]): string {
  const byResource = Map.groupBy(operations, ({ resource }) => resource);
  const table = [...byResource].map(([resource, own]) => {
    const lines = own.map(
      (operation) => `${operation.method}: '${operation.http} ${operation.path}${flagsOf(operation)}',`,
    );
    return `${resource}: {\n${lines.join('\n')}\n},`;
  });
  return `${NOTICE}\n/** Method, path, flags and, where it is not JSON, the type of the body. */\nexport const OPERATIONS = {\n${table.join('\n')}\n} as const;\n`;
}

const REPLY_FLAGS = { json: '', empty: 'n', events: 'e', lines: 'l', content: 'r' } as const;

function flagsOf({ body, query, takesKey, paging, reply, replySchema }: Operation): string {
  const flags = [
    body ? (body.isOptional ? 'B' : 'b') : '',
    query ? 'q' : '',
    takesKey ? 'k' : '',
    paging === undefined ? '' : paging[0],
    reply === 'content' && replySchema ? 'j' : REPLY_FLAGS[reply],
  ].join('');
  const type = body?.fileType ?? (body && body.contentType !== 'application/json' ? body.contentType : '');
  return [flags, type].some(Boolean) ? ` ${flags}${type ? ` ${type}` : ''}` : '';
}
