/** `listDatasets` becomes `list_datasets`, and `from`, which is a word of the language, `from_`. */
export function pythonName(name: string): string {
  const snake = name
    .replaceAll(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_')
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .toLowerCase();
  return KEYWORDS.has(snake) ? `${snake}_` : snake;
}

/** `dataSources` becomes `DataSources`, and `PIPELINE_CHANGED` `PipelineChanged`. */
export const className = (name: string): string =>
  /^[A-Z0-9_]+$/.test(name)
    ? name.replaceAll(/([A-Z0-9])([A-Z0-9]*)_?/g, (_, first, rest) => first + rest.toLowerCase())
    : name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first) => first.toUpperCase());

/** Whether a name can be a member of a class, as it is. */
export const isMember = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name);

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** A string in quotes. What JSON escapes means the same in Python. */
export const quoted = (text: string): string => JSON.stringify(text);

/** A docstring; empty if there is nothing to say. */
export function docstring(text: string | undefined, indent: string): string {
  if (!text) return '';
  const safe = text
    .trim()
    .replaceAll('\\', '\\\\')
    .replaceAll(/"(?=""|$)/g, '\\"')
    .split('\n');
  if (safe.length === 1) return `${indent}"""${safe[0]}"""\n`;
  const lines = safe.map((line, index) => (index === 0 || line === '' ? line : indent + line));
  return `${indent}"""${lines.join('\n')}\n${indent}"""\n`;
}
