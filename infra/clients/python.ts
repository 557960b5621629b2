import type { ErrorCode } from '../../shared/platform/errors/catalogue.ts';
import { ERRORS } from '../../shared/platform/errors/catalogue.ts';
import { statusOf } from '../../shared/platform/http/problem.ts';
import type { Json } from '../build/openapi/json-schema.ts';
import { type Operation, resolve } from './operations.ts';
import { className, docstring, pythonName, quoted } from './python-names.ts';
import { PythonTypes } from './python-types.ts';
import { componentName, usedSchemas } from './schemas.ts';

const NOTICE = '# Made by `npm run clients` from the declared operations.\n';

/** The generated files of the Python client, by name. */
export function pythonClient(operations: readonly Operation[], document: Json): Record<string, string> {
  const types = new PythonTypes(usedSchemas(operations, document));
  const byResource = Map.groupBy(operations, ({ resource }) => resource);
  const resources = [...byResource].map(([resource, own]) => {
    return [`${pythonName(resource)}.py`, resourceFile(resource, own, types, document)] as const;
  });
  return {
    '__init__.py': NOTICE,
    ...Object.fromEntries(resources),
    'all_resources.py': allResourcesFile([...byResource.keys()]),
    'codes.py': codesFile(),
    'types.py': typesFile(types),
  };
}

function typesFile(types: PythonTypes): string {
  return [
    NOTICE,
    'from __future__ import annotations\n',
    'from typing import Any, Dict, List, Literal, Mapping, Sequence, TypeAlias, TypedDict, Union\n\n',
    types.text,
  ].join('\n');
}

/** The class of errors with a status; others are a `ServerError` or plain. */
const BASES: Readonly<Record<number, string>> = {
  400: 'ValidationError',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  422: 'ValidationError',
  429: 'RateLimited',
};

function codesFile(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const classes = codes.map((code) => {
    const status = statusOf(code);
    const base = BASES[status] ?? (status >= 500 ? 'ServerError' : 'ApiError');
    const name = exceptionName(code);
    return `class ${name}(errors.${base}):\n${docstring(`\`${code}\`: ${ERRORS[code][1]}`, '    ')}`;
  });
  const table = codes.map((code) => `    ${quoted(code)}: ${exceptionName(code)},`);
  return [
    NOTICE,
    '"""An exception for every code of errors, such as `codes.RunOverlap` for `RUN_OVERLAP`."""\n',
    'from __future__ import annotations\n',
    'from typing import Dict, Type\n',
    'from .. import errors\n',
    `\n${classes.join('\n\n')}\n`,
    `\nBY_CODE: Dict[str, Type[errors.ApiError]] = {\n${table.join('\n')}\n}\n`,
  ].join('\n');
}

export const exceptionName = (code: ErrorCode): string => className(code);

/** The resources of both clients. Each is imported when it is first used. */
function allResourcesFile(resources: readonly string[]): string {
  const imports = resources.map((resource) => {
    return `    from .${pythonName(resource)} import ${className(resource)}, Async${className(resource)}`;
  });
  const clients = ['', 'Async'].map((prefix) => {
    const members = resources.map((resource) => {
      const [module, type] = [pythonName(resource), `${prefix}${className(resource)}`];
      return [
        '    @cached_property',
        `    def ${module}(self) -> ${type}:`,
        `        from .${module} import ${type}\n`,
        `        return ${type}(self._sender)\n`,
      ].join('\n');
    });
    const sender = `${prefix}Sender`;
    return `class ${prefix}Resources:\n    _sender: ${sender}\n\n${members.join('\n')}`;
  });
  return [
    NOTICE,
    'from __future__ import annotations\n',
    'from functools import cached_property',
    'from typing import TYPE_CHECKING\n',
    'if TYPE_CHECKING:',
    '    from .._core.aio import AsyncSender',
    '    from .._core.sync import Sender',
    ...imports,
    `\n\n${clients.join('\n\n')}`,
  ].join('\n');
}

function resourceFile(resource: string, operations: readonly Operation[], types: PythonTypes, document: Json): string {
  const table = operations.map((operation) => `_${constantOf(operation)} = ${operationValue(operation)}`);
  const classes = [false, true].map((isAsync) => {
    const methods = operations.map((operation) => methodOf(operation, { isAsync, types, document }));
    const base = isAsync ? 'AsyncResource' : 'Resource';
    return `class ${isAsync ? 'Async' : ''}${className(resource)}(${base}):\n${methods.join('\n')}`;
  });
  const body = `${table.join('\n')}\n\n\n${classes.join('\n\n')}`;
  const signatures = body.replaceAll(/"""[\s\S]*?"""/g, '');
  const used = (...names: string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(signatures));
  const imported = (from: string, names: string[]) =>
    names.length === 0 ? [] : [`    from ${from} import ${names.join(', ')}`];
  const typing = used('Any', 'AsyncIterator', 'Iterator', 'Literal', 'Sequence', 'overload');
  return [
    NOTICE,
    'from __future__ import annotations\n',
    `from typing import ${['TYPE_CHECKING', ...typing].join(', ')}\n`,
    'from .._core.operation import Operation',
    'from .._core.resource import AsyncResource, Resource\n',
    'if TYPE_CHECKING:',
    '    from typing_extensions import Unpack\n',
    ...imported('.._core.options', used('CallOptions', 'Keyed', 'KeyedMatched', 'Matched')),
    ...imported('.._core.pages', used('AsyncPages', 'Pages')),
    ...imported('.._core.reply', used('Reply')),
    ...imported(
      '.',
      used('T').map(() => 'types as T'),
    ),
    `\n${body}`,
  ].join('\n');
}

const constantOf = ({ method }: Operation): string => pythonName(method).replace(/_$/, '').toUpperCase();

/** What the client needs to know to call an operation. */
function operationValue(operation: Operation): string {
  const { body, reply, paging, takesKey, takesIfMatch } = operation;
  const more: Record<string, string | undefined> = {
    reply: reply === 'json' ? undefined : quoted(reply === 'content' && operation.replySchema ? 'json' : reply),
    paging: paging && quoted(paging),
    takes_key: takesKey ? 'True' : undefined,
    takes_if_match: takesIfMatch ? 'True' : undefined,
    body_type: body && body.contentType !== 'application/json' ? quoted(body.contentType) : undefined,
    file_type: body?.fileType && quoted(body.fileType),
  };
  const given = Object.entries(more).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return `Operation(${[quoted(operation.http), quoted(operation.path), ...given].join(', ')})`;
}

interface MethodContext {
  isAsync: boolean;
  types: PythonTypes;
  document: Json;
}

/** What every method has; a parameter of a query with such a name would hide it. */
const RESERVED = 'self body call timeout headers retries on_reply idempotency_key if_match accept'.split(' ');

function methodOf(operation: Operation, context: MethodContext): string {
  const { pathParameters, body, query, reply } = operation;
  const { isAsync } = context;
  const name = pythonName(operation.method);
  const positional = pathParameters.map(
    (parameter) => `${pythonName(parameter.name)}: ${scalarType(parameter.schema)}`,
  );
  if (body) {
    const type = `${typeName(body.schema)}${body.fileType === undefined ? '' : ' | str'}`;
    positional.push(body.isOptional ? `body: ${type} | None = None` : `body: ${type}`);
  }
  const required = (query?.required ?? []) as string[];
  const queries = Object.entries((query?.properties ?? {}) as Record<string, Json>).map(([key, schema]) => {
    const type = scalarType(schema);
    const isRequired = required.includes(key);
    return { key, name: pythonName(key), isRequired, text: isRequired ? type : `${type} | None = None` };
  });
  const hidden = queries.find((parameter) => RESERVED.includes(parameter.name));
  if (hidden) throw new Error(`The parameter ${hidden.name} of ${operation.operationId} hides an option of its call.`);
  const keywords = queries.map((parameter) => `${parameter.name}: ${parameter.text}`);
  const options = `**call: Unpack[${optionsType(operation)}]`;
  const define = (more: readonly string[], returned: string, isStream = false) => {
    const own = [...more, ...keywords];
    const parameters = ['self', ...positional, ...(own.length > 0 ? ['*', ...own] : []), options];
    return `${isAsync && !isStream ? 'async ' : ''}def ${name}(${parameters.join(', ')}) -> ${returned}:`;
  };
  const path = `(${pathParameters.map((parameter) => `${pythonName(parameter.name)},`).join(' ')})`;
  const sent = `{${queries.map((parameter) => `${quoted(parameter.key)}: ${parameter.name}`).join(', ')}}`;
  const given = [`_${constantOf(operation)}`, path, body ? 'body' : 'None', query ? sent : '{}', 'call'];
  const doc = docstring(methodDoc(operation), '        ');
  const whole = (
    via: string,
    type: string,
    { more = [], isStream = false }: { more?: string[]; isStream?: boolean } = {},
  ) => {
    const call = `${isAsync && !isStream ? 'await ' : ''}self.${via}(${[...given, ...more.map((text) => text.split(':')[0])].join(', ')})`;
    const lines = type === 'None' ? [call] : [`reply: ${type} = ${call}`, 'return reply'];
    return `    ${define(more, type, isStream)}\n${doc}${lines.map((line) => `        ${line}\n`).join('')}`;
  };

  const prefix = isAsync ? 'Async' : '';
  if (reply === 'events' || reply === 'lines')
    return whole(`_${reply}`, `${prefix}Iterator[${streamType(operation, context)}]`, { isStream: true });
  if (operation.paging) {
    const type = `${prefix}Pages[${typeName(operation.replySchema!)}, ${itemType(operation, context)}]`;
    return whole('_pages', type, { isStream: true });
  }
  if (reply === 'empty') return whole('_none', 'None');
  const json = operation.replySchema ? typeName(operation.replySchema) : undefined;
  if (reply !== 'content') return whole('_json', json ?? 'Any');
  const accepted = operation.contentTypes.filter((type) => !type.startsWith('application/json')).map(quoted);
  const literal = `Literal[${accepted.join(', ')}]`;
  if (json === undefined) return whole('_content', 'Reply', { more: [`accept: ${literal} | None = None`] });
  return [
    `    @overload\n    ${define(['accept: None = None'], json)} ...\n`,
    `    @overload\n    ${define([`accept: ${literal}`], 'Reply')} ...\n`,
    whole('_negotiated', `${json} | Reply`, { more: ['accept: str | None = None'] }),
  ].join('\n');
}

const optionsType = ({ takesKey, takesIfMatch }: Operation): string =>
  takesKey ? (takesIfMatch ? 'KeyedMatched' : 'Keyed') : takesIfMatch ? 'Matched' : 'CallOptions';

function methodDoc({ summary, description, errors, http, path }: Operation): string {
  const codes = errors.length > 0 ? `\n\nErrors: ${errors.map(exceptionName).join(', ')}.` : '';
  return `${summary}.\n\n${description}\n\n\`${http} ${path}\`${codes}`.replaceAll(/\n{3,}/g, '\n\n');
}

/** Bodies and replies are components, or a choice of them. */
function typeName(schema: Json): string {
  if (typeof schema.$ref === 'string') return `T.${componentName(schema.$ref.split('/').at(-1)!)}`;
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  return choices ? choices.map(typeName).join(' | ') : 'Any';
}

function streamType({ operationId, reply, replySchema }: Operation, { types, document, isAsync }: MethodContext) {
  if (!replySchema) return 'Any';
  if (reply === 'lines') return typeName(replySchema);
  const name = `${className(operationId)}Event`;
  if (!isAsync) types.declareEvents(name, resolve(document, replySchema));
  return `T.${name}`;
}

function itemType({ replySchema }: Operation, { document }: MethodContext): string {
  const { properties } = resolve(document, replySchema!) as { properties: { items: { items?: Json } } };
  return properties.items.items ? typeName(properties.items.items) : 'Any';
}

/** Of parameters in paths and queries. */
function scalarType(schema: Json): string {
  if (typeof schema.$ref === 'string') return typeName(schema);
  if ('const' in schema) return `Literal[${quoted(String(schema.const))}]`;
  if (Array.isArray(schema.enum)) return `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(', ')}]`;
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return [...new Set(choices.map(scalarType))].join(' | ');
  if (schema.type === 'array') return `Sequence[${scalarType((schema.items ?? {}) as Json)}]`;
  return { string: 'str', integer: 'int', number: 'float', boolean: 'bool' }[schema.type as string] ?? 'Any';
}
