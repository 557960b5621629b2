/** A generated error, and the code that adds it to the errors found so far. */
const ADDED_ERROR =
  /const (err\d+) = \{instancePath(:.*?)?,schemaPath:.*?,keyword:("\w+"),params:(\{.*?\})\};if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;/g;
/** The parameters of an error that has one, whose value is a string, a number or a name. */
const ONE_PARAMETER = /^\{(\w+): ("(?:[^"\\]|\\.)*"|[\w.]+)\}$/;
/** JSON has `;` only in strings. */
const SCHEMA_CONSTANT = /const (schema\d+) = ((?:"(?:[^"\\]|\\.)*"|[^";])*);/g;
const PART_OF_SCHEMA = /\b(schema\d+)((?:\.\w+|\["(?:[^"\\]|\\.)*"\]|\[\d+\])+)/g;
const STEP = /\.(\w+)|\[("(?:[^"\\]|\\.)*"|\d+)\]/g;

/**
 * Shortens the code that ajv generates with `messages: false` to less than half. A function call reports each error,
 * without `schemaPath`, which `schemaIssues` does not read. The code includes each schema whole; only the parts that it
 * uses remain, each once.
 *
 * Throws if the code has another form, as that of another version of ajv may.
 */
export function compactValidators(code: string): string {
  const declared: string[] = [];
  const short = withCalls(withUsedParts(code, declared), declared);
  if (short.includes('schemaPath:')) throw new Error('ajv reports errors in another form than the known one');
  return `${declared.join('')}${short}`;
}

function withCalls(code: string, declared: string[]): string {
  const names = new Map<string, string>();
  declared.push(
    'const report = (found, instancePath, keyword, params) => { const error = { instancePath, keyword, params };' +
      ' if (found === null) return [error]; found.push(error); return found; };',
  );
  return code.replaceAll(ADDED_ERROR, (_all, _name, path: string | undefined, keyword: string, params: string) => {
    const at = path?.slice(1) ?? 'instancePath';
    const [, member, value] = ONE_PARAMETER.exec(params) ?? [];
    if (member === undefined) return `vErrors = report(vErrors, ${at}, ${keyword}, ${params});errors++;`;
    const id = `${keyword} ${member}`;
    let name = names.get(id);
    if (name === undefined) {
      name = `report${names.size}`;
      names.set(id, name);
      declared.push(`const ${name} = (found, at, ${member}) => report(found, at, ${keyword}, { ${member} });`);
    }
    return `vErrors = ${name}(vErrors, ${at}, ${value});errors++;`;
  });
}

function withUsedParts(code: string, declared: string[]): string {
  const schemas = new Map<string, unknown>();
  const rest = code.replaceAll(SCHEMA_CONSTANT, (_all, name: string, json: string) => {
    schemas.set(name, JSON.parse(json));
    return '';
  });
  const names = new Map<string, string>();
  const short = rest.replaceAll(PART_OF_SCHEMA, (_all, schema: string, path: string) => {
    const steps = [...path.matchAll(STEP)].map(([, name, quoted]) => name ?? String(JSON.parse(quoted!)));
    const value = steps.reduce((part, step) => (part as Record<string, unknown>)[step], schemas.get(schema));
    const json = JSON.stringify(value);
    if (typeof value !== 'object') return json;
    let name = names.get(json);
    if (name === undefined) {
      name = `used${names.size}`;
      names.set(json, name);
      declared.push(`const ${name} = ${json};`);
    }
    return name;
  });
  if (/\bschema\d/.test(short)) throw new Error('ajv uses schemas in another way than the known ones');
  return short;
}
