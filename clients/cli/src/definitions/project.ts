import { createHash } from 'node:crypto';
import { type Dirent, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, EXIT } from '../exit-codes.ts';
import type { ProjectContext, ProjectFile } from './project-file.ts';
import { sqlFilesIn, sqlOfYaml, withSqlFiles, yamlOfSql } from './sql-file.ts';
import { fillIn, type Variables } from './variables.ts';
import { writeWhole } from './write-whole.ts';
import type { Place } from './yaml.ts';

/** The folder of the files of each kind, in the order in which they refer to each other. */
export const FOLDERS: Readonly<Record<string, string>> = {
  source: 'sources',
  dataset: 'datasets',
  query: 'queries',
  theme: 'themes',
  group: 'groups',
  model: 'models',
  blend: 'blends',
  metric: 'metrics',
  'quality-test': 'quality',
  flowlet: 'flowlets',
  pipeline: 'pipelines',
  dashboard: 'dashboards',
  report: 'reports',
  alert: 'alerts',
  webhook: 'webhooks',
  term: 'terms',
};

const KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;
const MAX_BYTES = 4 * 1024 * 1024;

/** A file that defines an object. */
export interface LocalFile {
  kind: string;
  key: string;
  /** From the top of the folder, with slashes. */
  path: string;
  /** As it is in the folder, in YAML. */
  source: string;
  /** The statements that it keeps in files of their own, by the paths that it names. */
  sqlFiles: ReadonlyMap<string, string>;
  /** As it is sent, with values in place of variables. */
  text: string;
  /** SHA-256 of what is sent. */
  digest: string;
  /** The place in the file of a place in what is sent. */
  placeInFile(place: Place): Place;
}

/** A folder of files that one project manages. */
export interface Project {
  name: string;
  folder: string;
  variables: Variables;
  moved: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, LocalFile>;
}

/** The context of a project that a command works with. */
export interface NamedContext extends ProjectContext {
  name: string;
}

export const nameOf = ({ kind, key }: { kind: string; key: string }): string => `${kind}/${key}`;

/**
 * Reads the whole folder for a context. Throws for everything in it that is not as it must be, before anything is sent.
 */
export function readProject(folder: string, { name, moved, ...file }: ProjectFile, context?: NamedContext): Project {
  const issues: string[] = [];
  const variables = variablesIn(file, context);
  const files = new Map<string, LocalFile>();
  for (const [kind, place] of Object.entries(FOLDERS)) {
    for (const entry of entriesOf(folder, { kind, place }, issues)) {
      const source = readSource(folder, { place, entry }, issues);
      if (!source) continue;
      const found = localFile({ kind, ...source }, variables, issues);
      if (files.has(nameOf(found))) issues.push(`${found.path}: there is another file for ${nameOf(found)}.`);
      files.set(nameOf(found), found);
    }
  }
  if (issues.length > 0) throw new CommandError(EXIT.usage, issues.join('\n'), 'PROJECT_INVALID', { issues });
  return { name, folder, variables, moved, files };
}

function variablesIn({ variables }: Pick<ProjectFile, 'variables'>, context: NamedContext | undefined): Variables {
  const values = [...variables].flatMap(([name, value]): [string, string][] => {
    const chosen = typeof value === 'string' ? value : context && value.get(context.name);
    return chosen === undefined ? [] : [[name, chosen]];
  });
  return { values: new Map(values), declared: [...variables.keys()], context: context?.name };
}

type Source = Pick<LocalFile, 'kind' | 'key' | 'path' | 'source'> &
  Partial<Pick<LocalFile, 'sqlFiles'>> & {
    /** The place in the folder of a place in the source. */
    placeInFolder?: (place: Place) => Place;
  };

/** A file with the values of its variables; what is wrong with them is added to the issues. */
export function localFile(file: Source, variables: Variables, issues: string[] = []): LocalFile {
  const { kind, key, path, source, sqlFiles = new Map(), placeInFolder = (place) => place } = file;
  const { text: filled, placeInFile, issues: found } = fillIn(source, variables);
  const report = (at: string, { line, column, message }: Place & { message: string }) =>
    void issues.push(`${at}:${line}:${column}: ${message}`);
  for (const issue of found) report(path, { ...issue, ...placeInFolder(issue) });
  const statements = [...sqlFiles].map(([name, content]): [string, string] => {
    const statement = fillIn(content, variables);
    for (const issue of statement.issues) report(`${path.split('/')[0]}/${name}`, issue);
    return [name, statement.text];
  });
  const inlined = withSqlFiles(filled, new Map(statements));
  const { text } = inlined;
  const place = (at: Place) => placeInFolder(placeInFile(inlined.placeInFile(at)));
  return { kind, key, path, source, sqlFiles, text, placeInFile: place, digest: digestOf(text) };
}

/** A saved query may be a file of SQL. */
const FILE = /\.ya?ml$/i;
const QUERY_FILE = /\.(ya?ml|sql)$/i;

export const isSql = (path: string): boolean => /\.sql$/i.test(path);

function entriesOf(folder: string, { kind, place }: { kind: string; place: string }, issues: string[]): Dirent[] {
  const found = lstatSync(join(folder, place), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) {
    issues.push(`${place} must be a folder, and not a link.`);
    return [];
  }
  return readdirSync(join(folder, place), { withFileTypes: true }).filter(({ name }) =>
    (kind === 'query' ? QUERY_FILE : FILE).test(name),
  );
}

function readSource(
  folder: string,
  { place, entry }: { place: string; entry: Dirent },
  issues: string[],
): Omit<Source, 'kind'> | undefined {
  const path = `${place}/${entry.name}`;
  const key = entry.name.replace(QUERY_FILE, '');
  const report = (issue: string) => void issues.push(`${path}: ${issue}`);
  // A link could lead to a file of another user, which would then be sent.
  if (!entry.isFile()) return report('this is not a file; links are not followed.') as undefined;
  if (!KEY.test(key))
    return report('the name must be a key: lowercase letters, digits and hyphens, then .yaml.') as undefined;
  const source = readText(join(folder, path), report);
  if (source === undefined) return undefined;
  if (isSql(path)) {
    const { yaml, placeInSql } = yamlOfSql(source);
    return { key, path, source: yaml, placeInFolder: placeInSql };
  }
  return { key, path, source, sqlFiles: readStatements(folder, place, source, report) };
}

function readText(path: string, report: (issue: string) => void): string | undefined {
  const bytes = readFileSync(path);
  if (bytes.length > MAX_BYTES) return report('the file is larger than 4 MiB.') as undefined;
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) return report('the file is not UTF-8.') as undefined;
  return text;
}

const SQL_PATH = /^([A-Za-z0-9_][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_][A-Za-z0-9_.-]*\.sql$/;

/** The statements that a file keeps in files of their own, below the folder of its kind. */
function readStatements(
  folder: string,
  place: string,
  source: string,
  report: (issue: string) => void,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of new Set(sqlFilesIn(source))) {
    const at = `${place}/${path}`;
    const reportFile = (issue: string) => report(`${at}: ${issue}`);
    if (!SQL_PATH.test(path)) report(`${path} must be the path of a file below ${place}, such as nightly/clean.sql.`);
    else if (!isPlainFile(folder, at)) reportFile('there is no such file; links are not followed.');
    else {
      const text = readText(join(folder, at), reportFile);
      if (text !== undefined) found.set(path, text);
    }
  }
  return found;
}

/** Whether no part of the path is a link. */
function isPlainFile(folder: string, path: string): boolean {
  const parts = path.split('/');
  return parts.every((_, index) => {
    const found = lstatSync(join(folder, ...parts.slice(0, index + 1)), { throwIfNoEntry: false });
    return index === parts.length - 1 ? found?.isFile() : found?.isDirectory();
  });
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Writes a file of the project as a whole or not at all. Kind and key come from the platform, and lead to no other
 * place than their folder.
 */
export async function writeDefinition(
  folder: string,
  { kind, key }: { kind: string; key: string },
  { source, sqlFiles = new Map() }: { source: string; sqlFiles?: ReadonlyMap<string, string> },
  existing?: Pick<LocalFile, 'path' | 'sqlFiles'>,
): Promise<string> {
  const place = FOLDERS[kind];
  if (place === undefined || !KEY.test(key))
    throw new CommandError(
      EXIT.failed,
      `This program cannot write a file for ${kind}/${key}. A newer version may know the kind.`,
      'KEY_INVALID',
    );
  const path = existing?.path ?? `${place}/${key}.yaml`;
  mkdirSync(join(folder, place), { recursive: true });
  for (const each of [place, path]) {
    if (lstatSync(join(folder, each), { throwIfNoEntry: false })?.isSymbolicLink())
      throw new CommandError(EXIT.failed, `${each} is a link; nothing is written there.`, 'PATH_IS_LINK');
  }
  for (const [name, statement] of sqlFiles) {
    const at = `${place}/${name}`;
    // Statements are only written where they were read.
    if (existing?.sqlFiles.get(name) === statement || !existing?.sqlFiles.has(name)) continue;
    if (!isPlainFile(folder, at))
      throw new CommandError(EXIT.failed, `${at} is not a file; nothing is written there.`, 'PATH_IS_LINK');
    writeWhole(join(folder, at), statement);
  }
  writeWhole(join(folder, path), isSql(path) ? await sqlOfYaml(source) : source);
  return path;
}
