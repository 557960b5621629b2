import { type Analytics, ApiError, type CallOptions } from '../../../typescript/src/index.ts';
import { followersOf } from './flowlets.ts';
import { inParallel } from './in-parallel.ts';
import { type Move, movesOf } from './moves.ts';
import { FOLDERS, type LocalFile, nameOf, type Project } from './project.ts';
import { secretsIn } from './variables.ts';

/** An object of the platform, as the list of definitions has it. */
export interface Entry {
  kind: string;
  key: string;
  id: string;
  digest: string | null;
  managedBy: { project: string; path: string; commit: string | null } | null;
  applied: { digest: string; fileDigest: string; at: string } | null;
}

/** What a deployment would do with an object. */
export type Action =
  | 'create'
  | 'change'
  /** Only the file is another one, such as in a comment. */
  | 'refresh'
  | 'drift'
  | 'conflict'
  /** A conflict of different members, with the changes of both sides in the file. */
  | 'merge'
  | 'adopt'
  | 'elsewhere'
  /** The object gets the key of the file. */
  | 'move'
  | 'gone'
  | 'delete'
  /** What is deployed becomes what viewers see. */
  | 'publish'
  | 'invalid';

export interface PlanLine {
  kind: string;
  key: string;
  /** Of an object that is deleted. */
  id?: string;
  action: Action;
  /** The members that change, or what is wrong. */
  details: string[];
  file?: LocalFile;
  /** The new key of an object that is moved. */
  to?: string;
  /** Whether the project does not say yet that the object is moved. */
  isProposed?: true;
  /** The state of the object that the line is about. */
  digest?: string;
  /** When the object was last changed on the platform, and by whom. */
  changedAt?: string;
  changedBy?: string;
  /** How many rows are lost with the dataset. */
  rows?: number;
}

/** What the platform replies to a deployment, as far as plans need it. */
export interface Report {
  outcome: 'created' | 'changed' | 'unchanged';
  isAllowed: boolean;
  changes: { added: string[]; changed: string[]; removed: string[] };
}

export interface Deployment {
  dryRun?: boolean;
  adopt?: boolean;
  recreate?: boolean;
  overwrite?: string;
  /** Creates the object without what refers to objects that do not exist yet. */
  partial?: boolean;
}

/** Sends a file to the platform. */
export type Deploy = (file: SentFile, deployment: Deployment) => Promise<Report>;

type SentFile = Pick<LocalFile, 'kind' | 'key' | 'path' | 'text'>;

export const deployWith =
  ({ definitions }: Analytics, project: Project, { commit, env, options }: Deploying): Deploy =>
  async ({ kind, key, path, text }, query) => {
    // A dry run needs no secrets, so the checks of a pull request send none.
    const secrets = query.dryRun ? {} : secretsIn(text, env);
    const body = {
      yaml: text,
      managedBy: managedBy(project, path, commit),
      ...(Object.keys(secrets).length > 0 && { secrets }),
    };
    // The types of kinds are those of the platform, which may know more of them than this program.
    return (await definitions.deploy(kind as never, key, body, { ...query }, options)) as Report;
  };

export interface Deploying {
  commit?: string | undefined;
  /** Has the values of secrets. */
  env: Readonly<Record<string, string | undefined>>;
  options: CallOptions;
}

/** Where the file of an object is kept. */
export const managedBy = ({ name }: Project, path: string, commit: string | undefined) => ({
  project: name,
  path,
  ...(commit !== undefined && { commit }),
});

/** Every object of the platform that can be a file. */
export async function readEntries({ definitions }: Analytics, options: CallOptions): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of definitions.list({ limit: 1000 }, options)) entries.set(nameOf(entry), entry as Entry);
  return entries;
}

const AT_ONCE = 8;

/**
 * Compares each file with the object, and with what was last deployed. Files and objects that are as they were need no
 * further request; of the others, the platform says what would change.
 */
export async function planOf(
  project: Project,
  entries: ReadonlyMap<string, Entry>,
  deploy: Deploy,
  only: readonly string[] = [],
): Promise<PlanLine[]> {
  const isWanted = (name: string) => only.length === 0 || only.includes(name);
  const lines: PlanLine[] = [];
  const files = [...project.files.values()].filter((file) => isWanted(nameOf(file)));
  const moves = new Map(movesOf(project, entries).map((move) => [nameOf(move.file), move]));
  await inParallel(AT_ONCE, files, async (file) => {
    const move = moves.get(nameOf(file));
    if (move) lines.push(moveLine(move));
    const line = move
      ? // The platform compares the file with the object by its old key.
        await lineOf(project, { ...file, key: move.from.key }, { entry: move.from, entries }, deploy)
      : await lineOf(project, file, { entry: entries.get(nameOf(file)), entries }, deploy);
    if (line) lines.push({ ...line, key: file.key, file });
  });
  lines.push(...(await linesOfFollowers(project, lines, isWanted)));
  const moved = new Set([...moves.values()].map(({ from }) => nameOf(from)));
  for (const [name, { kind, key, id, digest, managedBy }] of entries) {
    if (managedBy?.project !== project.name || project.files.has(name) || moved.has(name) || !isWanted(name)) continue;
    lines.push({ kind, key, id, action: 'delete', details: [], ...(digest !== null && { digest }) });
  }
  const rank = ({ kind, action }: PlanLine) => Object.keys(FOLDERS).indexOf(kind) * (action === 'delete' ? -1 : 1);
  return lines.sort((a, b) => rank(a) - rank(b) || (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Files that have not changed, and use the newest version of a flowlet that gets another one. */
async function linesOfFollowers(
  project: Project,
  lines: readonly PlanLine[],
  isWanted: (name: string) => boolean,
): Promise<PlanLine[]> {
  const followed = lines.filter(({ kind, action }) => kind === 'flowlet' && NEW_VERSION.includes(action));
  if (followed.length === 0) return [];
  const known = new Set(lines.map(nameOf));
  return (await followersOf(project, new Set(followed.map(({ key }) => key))))
    .filter(({ file }) => !known.has(nameOf(file)) && isWanted(nameOf(file)))
    .map(({ file, flowlet }) => {
      const { kind, key } = file;
      return { kind, key, action: 'change', details: [`uses the new version of flowlet/${flowlet}`], file };
    });
}

const NEW_VERSION: readonly Action[] = ['create', 'change', 'merge', 'conflict', 'drift', 'gone'];

const moveLine = ({ from, file, isDeclared }: Move): PlanLine => ({
  ...{ kind: from.kind, key: from.key, action: 'move', details: [], file, to: file.key },
  ...(!isDeclared && { isProposed: true }),
});

type Line = (action: Action, details?: string[]) => PlanLine;

async function lineOf(
  project: Project,
  file: LocalFile,
  { entry, entries }: { entry: Entry | undefined; entries: ReadonlyMap<string, Entry> },
  deploy: Deploy,
): Promise<PlanLine | undefined> {
  const { kind, key } = file;
  const line: Line = (action, details = []) => ({
    ...{ kind, key, action, details, file },
    ...(entry?.digest && { digest: entry.digest }),
  });
  const owner = entry?.managedBy?.project;
  if (owner !== undefined && owner !== project.name) return line('elsewhere', [`managed by the project ${owner}`]);
  // An object that nothing manages may be what an interrupted deployment has made: the platform tells them apart.
  const isSameFile = entry?.applied?.fileDigest === file.digest;
  if (isSameFile && entry.digest === entry.applied?.digest) return undefined;
  try {
    return lineOfReport(await deploy(file, { dryRun: true }), line);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return lineOfError(error, { project, file, line, isSameFile, isNew: entry === undefined, entries });
  }
}

function lineOfReport({ outcome, changes, isAllowed }: Report, line: Line): PlanLine {
  const forbidden = isAllowed ? [] : ['you may not do this'];
  if (outcome === 'unchanged') return line('refresh');
  if (outcome === 'created') return line('create', forbidden);
  return line('change', [...changes.changed, ...changes.added, ...changes.removed, ...forbidden]);
}

interface Failed {
  project: Project;
  file: LocalFile;
  line: Line;
  isSameFile: boolean;
  isNew: boolean;
  entries: ReadonlyMap<string, Entry>;
}

/** Throws what is no statement about the file. */
function lineOfError(error: ApiError, { project, file, line, isSameFile, isNew, entries }: Failed): PlanLine {
  const problem = error.problem as ApiError['problem'] & Difference;
  const { code, digest, changedAt, changedBy, added = [], changed = [], removed = [] } = problem;
  const lastChange = { ...(changedAt && { changedAt }), ...(changedBy && { changedBy }) };
  if (code === 'DEFINITION_DRIFTED') {
    const drifted = line(isSameFile ? 'drift' : 'conflict', [...changed, ...added, ...removed]);
    return { ...drifted, ...(digest && { digest }), ...lastChange };
  }
  if (code === 'DEFINITION_GONE') return { ...line('gone', ['deleted on the platform']), ...lastChange };
  if (code === 'DEFINITION_UNMANAGED') return line('adopt');
  if (isComing(error, project, entries))
    return line(isNew ? 'create' : 'change', ['checked when what it refers to has been created']);
  if (error.status >= 500 || error.status === 401 || error.status === 429) throw error;
  return line('invalid', issuesOf(file, error));
}

interface Difference {
  digest?: string;
  changedAt?: string;
  changedBy?: string;
  added?: string[];
  changed?: string[];
  removed?: string[];
}

/** Whether all issues are keys, tables or parts of models that only files have so far. */
function isComing({ errors }: ApiError, { files }: Project, entries: ReadonlyMap<string, Entry>): boolean {
  const hasNewTables = [...files.values()].some((file) => file.kind === 'dataset' && !entries.has(nameOf(file)));
  return (
    errors.length > 0 &&
    errors.every((issue) => {
      const key = unknownKeyOf(issue);
      if (key !== undefined) return files.has(key);
      return issue.code === 'UNKNOWN_PART' || (hasNewTables && isMissingTable(issue));
    })
  );
}

type Issue = ApiError['errors'][number];

/** The object that a key in a file leads to, if it does not exist; undefined for another issue. */
export function unknownKeyOf({ code, message }: Issue): string | undefined {
  const [, kind, key] = /names no ([a-z-]+): there is none with the key "([^"]*)"/.exec(message) ?? [];
  return code === 'UNKNOWN_KEY' ? `${kind}/${key}` : undefined;
}

export const isMissingTable = ({ code, message }: Issue): boolean =>
  code === 'NOT_FOUND' && message.startsWith('There is no table ');

/** The issues of a file as compilers print them: file, line and column first. */
export function issuesOf({ path, placeInFile }: LocalFile, { errors, problem }: ApiError): string[] {
  if (errors.length === 0) return [`${path}: ${problem.code}: ${problem.detail}`];
  return errors.map(({ pointer, message, position }) => {
    const at = position && placeInFile(position);
    const place = at ? `${path}:${at.line}:${at.column}` : path;
    return `${place}: ${pointer ? `${pointer} ` : ''}${message}`;
  });
}
