import { describe, expect, it } from 'vitest';
import { GROUPS } from '../../../functions/api.ts';
import { openApiDocument } from '../../../infra/build/openapi/document.ts';
import { clientOperations, type Operation } from '../../../infra/clients/operations.ts';
import { exceptionName, pythonClient } from '../../../infra/clients/python.ts';
import { className, docstring, isMember, pythonName } from '../../../infra/clients/python-names.ts';
import { ERRORS, type ErrorCode } from '../../../shared/platform/errors/catalogue.ts';

const document = openApiDocument(GROUPS);
const operations = clientOperations(GROUPS, document);
const files = pythonClient(operations, document);

/** The lines of a class, without those of the next one. */
function classIn(file: string, name: string): string {
  const [, text] = new RegExp(`^class ${name}\\(.*\\):\n((?:(?!^class )[\\s\\S])*)`, 'm').exec(files[file]!) ?? [];
  return text ?? '';
}

const fileOf = ({ resource }: Operation) => `${pythonName(resource)}.py`;

describe('the generated Python client', () => {
  it('has every operation as a method of both clients, with its path and its parameters', () => {
    for (const operation of operations) {
      const { http, path, method, pathParameters, body, query, takesKey, takesIfMatch } = operation;
      const name = pythonName(method);
      for (const prefix of ['', 'Async']) {
        const own = classIn(fileOf(operation), prefix + className(operation.resource));
        const [, parameters] = new RegExp(`^    (?:async )?def ${name}\\((.*)\\) -> `, 'm').exec(own) ?? [];
        expect(parameters, `${prefix}${operation.resource}.${name}`).toBeDefined();
        const names = parameters!.split(', ').flatMap((text) => /^(?:\*\*)?(\w+)(?=:|$)/.exec(text)?.[1] ?? []);
        const wanted = [
          ...['self', ...pathParameters.map((parameter) => pythonName(parameter.name))],
          ...(body ? ['body'] : []),
          ...Object.keys((query?.properties ?? {}) as object).map(pythonName),
        ];
        expect(names).toEqual(expect.arrayContaining(wanted));
        expect(new Set(names).size).toBe(names.length);
        const options = `${takesKey ? 'Keyed' : ''}${takesIfMatch ? 'Matched' : ''}` || 'CallOptions';
        expect(parameters).toContain(`**call: Unpack[${options}]`);
      }
      expect(files[fileOf(operation)]).toContain(`Operation("${http}", "${path}"`);
    }
  });

  it('has only names that Python accepts', () => {
    for (const [name, text] of Object.entries(files)) {
      expect(isMember(name.replace(/\.py$/, '')), name).toBe(true);
      for (const [, defined] of text.matchAll(/^\s*(?:async def|def|class) ([^(:]+)/gm))
        expect(isMember(defined!), `${name}: ${defined}`).toBe(true);
    }
  });

  it('declares every type once, and only uses types that it declares', () => {
    const text = files['types.py']!;
    const declared = [...text.matchAll(/^(?:class (\w+)|(\w+): TypeAlias|(\w+) = TypedDict)/gm)].map((found) =>
      found.slice(1).find(Boolean),
    );
    const names = new Set(declared);
    expect(names.size).toBe(declared.length);
    for (const [name, file] of Object.entries(files)) {
      for (const [, used] of file.replaceAll(/"""[\s\S]*?"""/g, '').matchAll(/\bT\.(\w+)/g))
        expect(names, `${name}: ${used}`).toContain(used);
    }
  });

  it('has an exception for every code', () => {
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      expect(files['codes.py']).toMatch(new RegExp(`^class ${exceptionName(code)}\\(errors\\.\\w+\\):$`, 'm'));
      expect(files['codes.py']).toContain(`"${code}": ${exceptionName(code)},`);
    }
    const names = Object.keys(ERRORS).map((code) => exceptionName(code as ErrorCode));
    expect(new Set(names).size).toBe(names.length);
  });

  it('names what cannot be declared in place after where it is', () => {
    const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
    const inner = { type: ['object', 'null'], properties: { from: { type: 'string' } }, required: ['from'] };
    const schemas = {
      Thing: object({ id: { type: 'string', description: 'Its "id".' }, part: inner, tags: { type: 'array' } }, ['id']),
      ThingPart: { enum: ['a', 'b'] },
    };
    const operation = {
      ...operations[0]!,
      body: undefined,
      query: undefined,
      reply: 'json' as const,
      paging: undefined,
    };
    const replySchema = { anyOf: Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` })) };
    const made = pythonClient([{ ...operation, replySchema }], { components: { schemas } })['types.py']!;
    expect(made).toContain('class _ThingRequired(TypedDict):\n    id: str\n    """Its "id"."""');
    expect(made).toContain(
      'class Thing(_ThingRequired, total=False):\n    part: Union[ThingPart2, None]\n    tags: List[Any]',
    );
    expect(made).toContain('_ThingPart2Required = TypedDict("_ThingPart2Required", {"from": "str"})');
    expect(made).toContain('ThingPart: TypeAlias = "Union[Literal[\\"a\\", \\"b\\"], str]"');
  });
});

it.each([
  ['listDatasets', 'list_datasets'],
  ['getSQL', 'get_sql'],
  ['from', 'from_'],
  ['import', 'import_'],
  ['scimUsers', 'scim_users'],
])('%s is %s in Python', (name, wanted) => {
  expect(pythonName(name)).toBe(wanted);
});

it('a docstring ends where it should', () => {
  expect(docstring('Ends with "quotes"', '')).toBe('"""Ends with "quotes\\""""\n');
  expect(docstring('a \\ and """', '  ')).toBe('  """a \\\\ and \\""\\""""\n');
  expect(docstring('one\n\ntwo', '  ')).toBe('  """one\n\n  two\n  """\n');
});
