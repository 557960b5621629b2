import { isDeepStrictEqual } from 'node:util';
import type { Document, Node, Pair, YAMLMap, YAMLSeq } from 'yaml';
import { isMapping, itemsByName, type Mapping, nameOfItem } from './parts.ts';
import type { LocalFile } from './project.ts';
import { withSqlFiles } from './sql-file.ts';
import { escapeVariables, fillIn, markVariables, unmarkVariables, type Variables } from './variables.ts';
import { loadYaml, YAML_OPTIONS } from './yaml.ts';

type Yaml = Awaited<ReturnType<typeof loadYaml>>;

/** What a file says. Throws for a text that is not YAML. */
export async function readValue(text: string): Promise<unknown> {
  return (await loadYaml()).parse(text, YAML_OPTIONS);
}

/**
 * The file with another content. Comments stay, and so does every part that has the same content, with its variables
 * where they have the value.
 */
export async function rewrite(
  { source, text, sqlFiles = new Map() }: ToRewrite,
  variables: Variables,
  next: string | Mapping,
): Promise<Rewritten> {
  const yaml = await loadYaml();
  const value = typeof next === 'string' ? yaml.parse(next, YAML_OPTIONS) : next;
  const statements = new Map(sqlFiles);
  const rewritten = editedText(yaml, { source, text, statements, variables }, value);
  if (rewritten !== undefined) {
    const filled = fillIn(rewritten, variables);
    const inlined = withSqlFiles(filled.text, filledStatements(statements, variables)).text;
    const isSame = filled.issues.length === 0 && isDeepStrictEqual(yaml.parse(inlined, YAML_OPTIONS), value);
    if (isSame) return { source: rewritten, sqlFiles: statements };
  }
  // Nothing of the file could be kept, such as one that was not valid.
  return { source: escapeVariables(typeof next === 'string' ? next : yaml.stringify(next, WRITTEN)), sqlFiles };
}

const filledStatements = (statements: ReadonlyMap<string, string>, variables: Variables) =>
  new Map([...statements].map(([path, statement]) => [path, fillIn(statement, variables).text]));

type ToRewrite = Pick<LocalFile, 'source' | 'text'> & Partial<Pick<LocalFile, 'sqlFiles'>>;

/** A file with another content, and the statements that it keeps in files of their own. */
export interface Rewritten {
  source: string;
  sqlFiles: ReadonlyMap<string, string>;
}

interface Editing {
  source: string;
  text: string;
  /** Changed ones are put in their place. */
  statements: Map<string, string>;
  variables: Variables;
}

/** As the platform writes files. */
const WRITTEN = { lineWidth: 0, singleQuote: true, indentSeq: true } as const;

function editedText(yaml: Yaml, { source, text, statements, variables }: Editing, next: unknown): string | undefined {
  const document = yaml.parseDocument(markVariables(source), YAML_OPTIONS);
  if (document.errors.length > 0) return undefined;
  try {
    const editor = editorOf(yaml, document as Document, { statements, variables });
    document.contents = editor(document.contents, yaml.parse(text, YAML_OPTIONS), next) as typeof document.contents;
    return unmarkVariables(document.toString(WRITTEN));
  } catch {
    return undefined;
  }
}

/** Changes a node that has a value into one that has another. */
type Edit = (node: Node | null, old: unknown, next: unknown) => Node | null;

function editorOf(
  yaml: Yaml,
  document: Document,
  { statements, variables }: Pick<Editing, 'statements' | 'variables'>,
): Edit {
  const create = (value: unknown): Node => document.createNode(escaped(value)) as Node;

  const edit: Edit = (node, old, next) => {
    if (isDeepStrictEqual(old, next)) return node;
    if (yaml.isMap(node) && typeof old === 'string' && typeof next === 'string' && editStatement(node, next))
      return node;
    if (yaml.isMap(node) && isMapping(old) && isMapping(next)) return editMap(node, old, next);
    if (yaml.isSeq(node) && Array.isArray(old) && Array.isArray(next)) return editList(node, old, next);
    const created = create(next);
    if (yaml.isScalar(node) && yaml.isScalar(created)) {
      if ([node.value, old, next].every((each) => typeof each === 'string'))
        created.value = withLines(node.value as string, old as string, next as string);
      created.comment = node.comment;
      created.commentBefore = node.commentBefore;
    }
    return created;
  };

  /** Changes a statement in its own file, with the variables of the lines that have not changed. */
  function editStatement(node: YAMLMap, next: string): boolean {
    const path = String(node.get('file'));
    const before = statements.get(path);
    if (before === undefined) return false;
    const old = fillIn(before, variables).text;
    statements.set(path, unmarkVariables(withLines(markVariables(before), old, `${next}\n`)));
    return true;
  }

  function editMap(node: YAMLMap, old: Mapping, next: Mapping): Node {
    const nameOf = ({ key }: Pair) => String(yaml.isScalar(key) ? key.value : key);
    const pairs = new Map(node.items.map((pair) => [nameOf(pair), pair]));
    const kept = node.items.filter((pair) => Object.hasOwn(next, nameOf(pair)));
    let place = 0;
    for (const [name, value] of Object.entries(next)) {
      const pair = pairs.get(name);
      if (pair) {
        pair.value = isSecrets(node, name)
          ? editSecrets(pair.value as Node | null, old[name], value)
          : edit(pair.value as Node | null, old[name], value);
        place = kept.indexOf(pair) + 1;
      } else {
        kept.splice(place, 0, document.createPair(name, isSecrets(node, name) ? value : escaped(value)));
        place += 1;
      }
    }
    node.items = kept;
    return node;
  }

  /** The variables of secrets are no variables of the project. */
  const isSecrets = (node: YAMLMap, name: string) => name === 'secrets' && node === (document.contents as unknown);
  const editSecrets: Edit = (node, old, next) =>
    isDeepStrictEqual(old, next) ? node : (document.createNode(next) as Node);

  function editList(node: YAMLSeq, old: readonly unknown[], next: readonly unknown[]): Node {
    const named = itemsByName(old) && itemsByName(next);
    const before = [...old];
    const nodes = [...node.items];
    node.items = next.map((value, index) => {
      const at = named
        ? before.findIndex((each) => nameOfItem(each) === nameOfItem(value))
        : before.findIndex((each) => isDeepStrictEqual(each, value));
      const place = at >= 0 || named ? at : isMapping(value) && index < old.length ? index : -1;
      return place < 0 ? create(value) : edit(nodes[place] as Node, old[place], value);
    });
    return node;
  }

  return edit;
}

/** A changed text, with the variables of the lines that have not changed. */
function withLines(marked: string, old: string, next: string): string {
  const [lines, before] = [marked.split('\n'), old.split('\n')];
  const known = new Map(lines.length === before.length ? before.map((line, index) => [line, lines[index]!]) : []);
  return next
    .split('\n')
    .map((line) => known.get(line) ?? escapeVariables(line))
    .join('\n');
}

/** A value as a file has it: texts that look like variables are marked as texts. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return escapeVariables(value);
  if (Array.isArray(value)) return value.map(escaped);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escaped(each)]));
}
