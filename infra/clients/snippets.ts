import type { Json } from '../build/openapi/json-schema.ts';
import type { Operation } from './operations.ts';
import { pythonName, quoted } from './python-names.ts';

/** A call in the reference, as the viewer shows it. */
interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** Larger examples of bodies hide the call; the reference shows them beside it. */
const MAX_BODY = 400;

/** The document with a call by each client at every operation that clients have. */
export function withSnippets(document: Json, operations: readonly Operation[]): Json {
  const paths = structuredClone(document.paths) as Record<string, Record<string, Json>>;
  for (const operation of operations) {
    const shown = paths[operation.path]![operation.http.toLowerCase()]!;
    const body = exampleOf(shown);
    shown['x-codeSamples'] = [typescriptSample(operation, body), pythonSample(operation, body)];
  }
  return { ...document, paths };
}

/** The example of the body, if the document has a short one. */
function exampleOf({ requestBody }: Json): unknown {
  const [content] = Object.values((requestBody as { content?: Record<string, Json> } | undefined)?.content ?? {});
  const example = content?.example;
  return example !== undefined && JSON.stringify(example).length <= MAX_BODY ? example : undefined;
}

const required = ({ query }: Operation): string[] => (query?.required ?? []) as string[];

function typescriptSample(operation: Operation, body: unknown): CodeSample {
  const { resource, method, pathParameters, reply, paging } = operation;
  const query = required(operation);
  const given = [
    ...pathParameters.map(({ name }) => name),
    ...(operation.body ? [body === undefined ? 'body' : JSON.stringify(body, null, 2)] : []),
    ...(query.length > 0 ? [`{ ${query.join(', ')} }`] : []),
  ];
  const call = `api.${resource}.${method}(${given.join(', ')})`;
  const isMany = paging !== undefined || reply === 'events' || reply === 'lines';
  const source = isMany
    ? `for await (const item of ${call}) console.log(item);`
    : reply === 'empty'
      ? `await ${call};`
      : `const reply = await ${call};`;
  return { lang: 'typescript', label: 'TypeScript client', source };
}

function pythonSample(operation: Operation, body: unknown): CodeSample {
  const { resource, method, pathParameters, reply, paging } = operation;
  const given = [
    ...pathParameters.map(({ name }) => pythonName(name)),
    ...(operation.body ? [body === undefined ? 'body' : pythonValue(body, '')] : []),
    ...required(operation).map((name) => `${pythonName(name)}=${pythonName(name)}`),
  ];
  const call = `api.${pythonName(resource)}.${pythonName(method)}(${given.join(', ')})`;
  const isMany = paging !== undefined || reply === 'events' || reply === 'lines';
  const source = isMany ? `for item in ${call}:\n    print(item)` : reply === 'empty' ? call : `reply = ${call}`;
  return { lang: 'python', label: 'Python client', source };
}

function pythonValue(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  const inner = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((item) => pythonValue(item, inner))
    : Object.entries(value).map(([name, item]) => `${quoted(name)}: ${pythonValue(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}
