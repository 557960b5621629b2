import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, EXIT } from '../exit-codes.ts';
import { suggestion } from './nearest.ts';
import { writeWhole } from './write-whole.ts';
import { loadYaml, YAML_OPTIONS } from './yaml.ts';

export const PROJECT_FILE = 'analytics.yaml';
const MAX_BYTES = 4 * 1024 * 1024;
const PROJECT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const OBJECT = /^[a-z-]+\/[a-z0-9][a-z0-9-]{0,62}$/;
const MAX_VALUE = 1000;

/** What a project says about a context that its files are deployed to. */
export interface ProjectContext {
  /** The address that the context must have. */
  url?: string;
  /** The name that its workspace must have. */
  workspace?: string;
  /** Changes ask for `--confirm` with the name of the context. */
  protected?: boolean;
}

/** A value for every context, or one for each. */
export type Variable = string | ReadonlyMap<string, string>;

/** What `analytics.yaml` says. */
export interface ProjectFile {
  name: string;
  contexts: ReadonlyMap<string, ProjectContext>;
  variables: ReadonlyMap<string, Variable>;
  /** The objects whose keys have changed, as `kind/key`: from each name to the next one. */
  moved: ReadonlyMap<string, string>;
}

/** Throws with the line and column of everything that is not as it must be. */
export async function readProjectFile(folder: string): Promise<ProjectFile> {
  const path = join(folder, PROJECT_FILE);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > MAX_BYTES) {
    const hint = 'Make one with "analytics init", or name the folder with --dir.';
    throw new CommandError(EXIT.usage, `There is no file ${PROJECT_FILE} in ${folder}. ${hint}`, 'PROJECT_MISSING');
  }
  const { parseDocument, LineCounter, visit } = await loadYaml();
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(path, 'utf8'), { ...YAML_OPTIONS, lineCounter: lines });
  const issues: string[] = [];
  const report = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    issues.push(`${PROJECT_FILE}:${line || 1}:${col || 1}: ${message}`);
  };
  for (const { pos, message } of document.errors) report(pos[0], message.split('\n')[0]!);
  visit(document, {
    Alias: (_, { range }) => report(range?.[0] ?? 0, 'Aliases are not supported; write the value out.'),
    Value: (_, { anchor, range }) => {
      if (anchor !== undefined) report(range?.[0] ?? 0, 'Anchors are not supported; write the value out.');
    },
  });
  const fail = () => new CommandError(EXIT.usage, issues.join('\n'), 'PROJECT_INVALID', { issues });
  if (issues.length > 0) throw fail();
  const offsetOf = (at: readonly string[]): number => {
    const node = document.getIn(at, true) as { range?: [number, number, number] } | undefined;
    return node?.range?.[0] ?? (at.length === 0 ? 0 : offsetOf(at.slice(0, -1)));
  };
  const project = projectFrom(document.toJS(), (at, message) => report(offsetOf(at), message));
  if (issues.length > 0) throw fail();
  return project;
}

type Report = (at: readonly string[], message: string) => void;

const MEMBERS = ['project', 'contexts', 'variables', 'moved'];
const CONTEXT_MEMBERS = ['url', 'workspace', 'protected'];

function projectFrom(value: unknown, report: Report): ProjectFile {
  const { project, ...others } = mappingAt([], value, report);
  for (const name of Object.keys(others))
    if (!MEMBERS.includes(name)) report([name], `Unknown member "${name}"${suggestion(name, MEMBERS)}`);
  if (typeof project !== 'string' || !PROJECT.test(project)) {
    report(['project'], 'Give the project a name of letters, digits, dots, hyphens and underscores.');
  }
  const each = <T>(member: string, read: (value: unknown, at: readonly string[]) => T | undefined): Map<string, T> => {
    const entries = Object.entries(mappingAt([member], others[member] ?? {}, report));
    return new Map(
      entries.flatMap(([name, inner]): [string, T][] => {
        const found = read(inner, [member, name]);
        return found === undefined ? [] : [[name, found]];
      }),
    );
  };
  const contexts = each('contexts', (context, at) => contextFrom(context, at, report));
  const variables = each('variables', (variable, at) => variableFrom(variable, at, [...contexts.keys()], report));
  const moved = each('moved', (target, at) => targetFrom(target, at, report));
  reportCycles(moved, report);
  return { name: String(project), contexts, variables, moved };
}

function mappingAt(at: readonly string[], value: unknown, report: Report): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  if (at.length > 0 || value !== null) report(at, 'Expected a mapping of names to values.');
  return {};
}

function contextFrom(value: unknown, at: readonly string[], report: Report): ProjectContext {
  const members = mappingAt(at, value ?? {}, report);
  for (const [name, member] of Object.entries(members)) {
    const expected = name === 'protected' ? 'boolean' : 'string';
    if (!CONTEXT_MEMBERS.includes(name))
      report([...at, name], `Unknown member "${name}"${suggestion(name, CONTEXT_MEMBERS)}`);
    else if (typeof member !== expected) report([...at, name], `This must be a ${expected}.`);
    else if (name === 'url' && !URL.canParse(member as string)) report([...at, name], 'This must be a URL.');
  }
  return members as ProjectContext;
}

function variableFrom(
  value: unknown,
  at: readonly string[],
  contexts: readonly string[],
  report: Report,
): Variable | undefined {
  if (!NAME.test(at.at(-1)!)) report(at, 'The name of a variable may contain only letters, digits and underscores.');
  if (typeof value !== 'object' || value === null) return valueFrom(value, at, report);
  const entries = Object.entries(mappingAt(at, value, report)).flatMap(([context, each]): [string, string][] => {
    if (!contexts.includes(context)) {
      report([...at, context], `Unknown context "${context}"${suggestion(context, contexts)}`);
      return [];
    }
    const text = valueFrom(each, [...at, context], report);
    return text === undefined ? [] : [[context, text]];
  });
  return new Map(entries);
}

/** A value stands in a file as it is, so it has one line: places of issues stay in theirs. */
function valueFrom(value: unknown, at: readonly string[], report: Report): string | undefined {
  const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these end lines, or cannot be in a file
  if (text !== undefined && text.length <= MAX_VALUE && !/[\u0000-\u001f\u007f\ue000\ue001]/.test(text)) return text;
  report(at, `A value must be a single-line text, a number or a boolean of at most ${MAX_VALUE} characters.`);
  return undefined;
}

function targetFrom(value: unknown, at: readonly string[], report: Report): string | undefined {
  const from = at.at(-1)!;
  const isPair = typeof value === 'string' && OBJECT.test(from) && OBJECT.test(value);
  if (isPair && from.split('/')[0] === value.split('/')[0] && from !== value) return value;
  report(at, 'Write the old and the new key of an object of one kind, such as query/orders: query/all-orders.');
  return undefined;
}

function reportCycles(moved: ReadonlyMap<string, string>, report: Report): void {
  for (const from of moved.keys()) {
    const passed = new Set<string>();
    for (let name: string | undefined = from; name !== undefined; name = moved.get(name)) {
      if (passed.has(name)) {
        report(['moved', from], `The moves of ${from} form a circle.`);
        return;
      }
      passed.add(name);
    }
  }
}

/** Writes down that an object has another key, for the workspaces that the folder is deployed to later. */
export async function addMoved(folder: string, from: string, to: string): Promise<void> {
  const path = join(folder, PROJECT_FILE);
  const { parseDocument } = await loadYaml();
  const document = parseDocument(readFileSync(path, 'utf8'), YAML_OPTIONS);
  // Moving back ends an earlier move.
  if (document.getIn(['moved', to]) === from) document.deleteIn(['moved', to]);
  else document.setIn(['moved', from], to);
  writeWhole(path, document.toString({ lineWidth: 0 }));
}

/** The key that an object has in the end. */
export function movedTo(moved: ReadonlyMap<string, string>, name: string): string {
  let last = name;
  for (let next: string | undefined = name; next !== undefined; next = moved.get(next)) last = next;
  return last;
}
