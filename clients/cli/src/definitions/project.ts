import { createHash } from 'node:crypto';
import {
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CommandError, EXIT } from '../exit-codes.ts';

/** The folder of the files of each kind, in the order in which they refer to each other. */
export const FOLDERS: Readonly<Record<string, string>> = {
  query: 'queries',
  theme: 'themes',
  group: 'groups',
  model: 'models',
  metric: 'metrics',
  'quality-test': 'quality',
  pipeline: 'pipelines',
  dashboard: 'dashboards',
  webhook: 'webhooks',
};

const PROJECT_FILE = 'analytics.yaml';
const PROJECT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;
const MAX_BYTES = 4 * 1024 * 1024;

/** A file that defines an object. */
export interface LocalFile {
  kind: string;
  key: string;
  /** From the top of the folder, with slashes. */
  path: string;
  text: string;
  /** SHA-256 of its bytes. */
  digest: string;
}

/** A folder of files that one project manages. */
export interface Project {
  name: string;
  folder: string;
  files: ReadonlyMap<string, LocalFile>;
}

export const nameOf = ({ kind, key }: { kind: string; key: string }): string => `${kind}/${key}`;

/** Reads the whole folder. Throws for everything in it that is not as it must be, before anything is sent. */
export function readProject(folder: string): Project {
  const issues: string[] = [];
  const name = readProjectName(folder);
  const files = new Map<string, LocalFile>();
  for (const [kind, place] of Object.entries(FOLDERS)) {
    for (const entry of entriesOf(folder, place, issues)) {
      const file = readDefinition(folder, { kind, place, entry }, issues);
      if (!file) continue;
      if (files.has(nameOf(file))) issues.push(`${file.path}: there is another file for ${nameOf(file)}.`);
      files.set(nameOf(file), file);
    }
  }
  if (issues.length > 0) throw new CommandError(EXIT.usage, issues.join('\n'), 'PROJECT_INVALID', { issues });
  return { name, folder, files };
}

/** `analytics.yaml` says only how the project is called. */
function readProjectName(folder: string): string {
  const path = join(folder, PROJECT_FILE);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > MAX_BYTES) {
    const hint = `Make one that says "project: <name>", or name the folder with --dir.`;
    throw new CommandError(EXIT.usage, `There is no file ${PROJECT_FILE} in ${folder}. ${hint}`, 'PROJECT_MISSING');
  }
  const lines = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim());
  const settings = lines.filter((line) => line !== '' && line !== '---');
  const name = /^project:\s*(["']?)([^"']+)\1$/.exec(settings[0] ?? '')?.[2];
  if (settings.length !== 1 || name === undefined || !PROJECT.test(name)) {
    const message = `${PROJECT_FILE} must have one setting, "project: <name>", with letters, digits, dots, hyphens and underscores.`;
    throw new CommandError(EXIT.usage, message, 'PROJECT_INVALID');
  }
  return name;
}

function entriesOf(folder: string, place: string, issues: string[]): Dirent[] {
  const found = lstatSync(join(folder, place), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) {
    issues.push(`${place} must be a folder, and not a link.`);
    return [];
  }
  return readdirSync(join(folder, place), { withFileTypes: true }).filter(({ name }) => /\.ya?ml$/i.test(name));
}

function readDefinition(
  folder: string,
  { kind, place, entry }: { kind: string; place: string; entry: Dirent },
  issues: string[],
): LocalFile | undefined {
  const path = `${place}/${entry.name}`;
  const key = entry.name.replace(/\.ya?ml$/i, '');
  const report = (issue: string) => void issues.push(`${path}: ${issue}`);
  // A link could lead to a file of another user, which would then be sent.
  if (!entry.isFile()) return report('this is not a file; links are not followed.') as undefined;
  if (!KEY.test(key))
    return report('the name must be a key: lowercase letters, digits and hyphens, then .yaml.') as undefined;
  const bytes = readFileSync(join(folder, path));
  if (bytes.length > MAX_BYTES) return report('the file is larger than 4 MiB.') as undefined;
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) return report('the file is not UTF-8.') as undefined;
  return { kind, key, path, text, digest: digestOf(text) };
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Writes a file of the project as a whole or not at all. Kind and key come from the platform, and lead to no other
 * place than their folder.
 */
export function writeDefinition(
  folder: string,
  { kind, key }: { kind: string; key: string },
  text: string,
  existing?: LocalFile,
): string {
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
  const next = join(folder, `${path}.${process.pid}`);
  try {
    writeFileSync(next, text, { flag: 'wx' });
    renameSync(next, join(folder, path));
  } finally {
    rmSync(next, { force: true });
  }
  return path;
}
