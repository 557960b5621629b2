import { createInterface } from 'node:readline/promises';
import { ApiError } from '../../../typescript/src/index.ts';
import { command, type Session } from '../command.ts';
import { type Applied, applyPlan, deploymentOf } from '../definitions/apply.ts';
import {
  type Action,
  type Deploy,
  deployWith,
  type Entry,
  type PlanLine,
  planOf,
  readEntries,
} from '../definitions/plan.ts';
import { digestOf, nameOf, type Project, readProject, writeDefinition } from '../definitions/project.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { printable } from '../output.ts';

interface FolderFlags {
  dir?: string;
  only?: string[];
}

const text = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const;
const flag = (brief: string) => ({ kind: 'boolean', brief, optional: true, withNegated: false }) as const;

const FOLDER = {
  dir: text('Folder of the project; the current one by default', 'FOLDER'),
  only: { ...text('Only this object; may be repeated', 'KIND/KEY'), variadic: true },
} as const;
const COMMIT = text('Version of the folder, such as the hash of the commit', 'COMMIT');

interface Opened {
  project: Project;
  deploy: Deploy;
  lines: PlanLine[];
}

async function openPlan(session: Session, { dir = '.', only = [] }: FolderFlags, commit?: string): Promise<Opened> {
  const { api, signal } = session;
  const project = readProject(dir);
  const deploy = deployWith(api, project, commit, { signal });
  return { project, deploy, lines: await planOf(project, await readEntries(api, { signal }), deploy, only) };
}

const SIGNS: Record<Action, [sign: string, color: 'green' | 'yellow' | 'red' | 'gray' | 'blue', words: string]> = {
  create: ['+', 'green', 'create'],
  change: ['~', 'yellow', 'change'],
  refresh: ['·', 'gray', 'same content'],
  drift: ['!', 'red', 'drift'],
  conflict: ['!', 'red', 'conflict'],
  adopt: ['?', 'blue', 'not managed by files: adopt it'],
  elsewhere: ['!', 'red', 'not yours'],
  gone: ['!', 'red', 'gone'],
  delete: ['-', 'red', 'delete'],
  invalid: ['✕', 'red', 'invalid'],
};

/** Those that a deployment leaves alone and reports, until it is asked to replace something. */
const LEFT: readonly Action[] = ['drift', 'conflict', 'gone', 'elsewhere', 'adopt'];

function show({ terminal }: Session, line: PlanLine): void {
  if (terminal.isJson) return;
  const [sign, color, words] = SIGNS[line.action];
  const details = line.action === 'invalid' ? '' : line.details.map(printable).join(', ');
  const shown =
    line.action === 'change' || line.action === 'create' ? details : [words, details].filter(Boolean).join(': ');
  terminal.out(`${terminal.paint(color, sign)} ${printable(nameOf(line))}${shown && `   ${shown}`}`);
  if (line.action === 'invalid') for (const issue of line.details) terminal.out(`    ${printable(issue)}`);
}

const forPrograms = ({ file, ...line }: PlanLine) => ({ ...line, path: file?.path ?? null });

/** How a summary counts the actions that are no states. */
const COUNTED: Partial<Record<Action, string>> = {
  create: 'to create',
  change: 'to change',
  delete: 'to delete',
  adopt: 'to adopt',
};

function summaryOf(lines: readonly PlanLine[]): string {
  const counts = new Map<Action, number>();
  for (const { action } of lines) counts.set(action, (counts.get(action) ?? 0) + 1);
  const parts = [...counts].map(([action, count]) => `${count} ${COUNTED[action] ?? SIGNS[action][2]}`);
  return parts.length === 0 ? 'Nothing has changed.' : parts.join(' · ');
}

function print(session: Session, lines: readonly PlanLine[]): void {
  const { terminal } = session;
  if (terminal.isJson) {
    terminal.out(JSON.stringify({ lines: lines.map(forPrograms) }));
    return;
  }
  for (const line of lines) show(session, line);
  terminal.note(summaryOf(lines));
}

export const validate = command<FolderFlags>({
  brief: 'Check the files of a project, without changing anything',
  parameters: { flags: FOLDER },
  async run(session, flags) {
    const { project, lines } = await openPlan(session, flags);
    const invalid = lines.filter(({ action }) => action === 'invalid');
    if (session.terminal.isJson) session.terminal.out(JSON.stringify({ lines: invalid.map(forPrograms) }));
    else for (const line of invalid) show(session, line);
    if (invalid.length > 0) {
      session.process.exitCode = EXIT.failed;
      return;
    }
    if (!session.terminal.isJson)
      session.terminal.note(project.files.size === 1 ? '1 file is valid.' : `${project.files.size} files are valid.`);
  },
});

export const diff = command<FolderFlags>({
  brief: 'Compare the files of a project with the platform',
  fullDescription: 'Exits with 3 if there is a difference, and with 1 if a file is invalid.',
  parameters: { flags: FOLDER },
  async run(session, flags) {
    const { lines } = await openPlan(session, flags);
    print(session, lines);
    if (lines.some(({ action }) => action === 'invalid')) session.process.exitCode = EXIT.failed;
    else if (lines.some(({ action }) => action !== 'refresh')) session.process.exitCode = EXIT.changes;
  },
});

interface DeployFlags extends FolderFlags {
  yes?: boolean;
  overwrite?: boolean;
  recreate?: boolean;
  prune?: boolean;
  commit?: string;
}

export const deploy = command<DeployFlags>({
  brief: 'Deploy the files of a project to the platform',
  fullDescription:
    'Objects that have changed on the platform since the last deployment are left alone unless --overwrite is given, and so are objects that no file manages; the exit status is then 6. Objects whose file is gone are deleted only with --prune.',
  changes: true,
  parameters: {
    flags: {
      ...FOLDER,
      yes: flag('Do not ask before the first change'),
      overwrite: flag('Replace what has changed on the platform'),
      recreate: flag('Create again what was deleted on the platform'),
      prune: flag('Delete objects of the project without a file'),
      commit: COMMIT,
    },
  },
  async run(session, { yes, overwrite, recreate, prune, commit, ...flags }) {
    const { terminal, api, signal } = session;
    const { lines, deploy: send } = await openPlan(session, flags, commit);
    const choices = { overwrite: overwrite === true, recreate: recreate === true, prune: prune === true };
    const changing = lines.filter((line) => deploymentOf(line, choices) !== undefined);
    if (!terminal.isJson) print(session, lines);
    if (changing.length > 0 && !yes) await confirm(session, changing.length);
    const applied = await applyPlan(api, lines, { deploy: send, choices, options: { signal } }, (line) => {
      if (terminal.isJson || line.result !== 'failed' || line.action === 'invalid') return;
      for (const error of line.errors ?? []) terminal.note(terminal.paint('red', printable(error)));
    });
    finish(session, applied);
  },
});

/** Ends with the worst of what has happened. */
function finish({ terminal, process }: Session, applied: readonly Applied[]): void {
  if (terminal.isJson) terminal.out(JSON.stringify({ lines: applied.map(({ file, ...line }) => line) }));
  const count = (result: Applied['result']) => applied.filter((line) => line.result === result).length;
  const left = applied.filter(({ result, action }) => result === 'left' && LEFT.includes(action));
  if (!terminal.isJson && applied.length > 0) {
    for (const line of left) terminal.note(`left alone: ${printable(nameOf(line))} (${SIGNS[line.action][2]})`);
    terminal.note(`${count('done')} applied · ${count('left')} left alone · ${count('failed')} failed`);
  }
  if (count('failed') > 0) process.exitCode = EXIT.failed;
  else if (left.length > 0) process.exitCode = EXIT.conflict;
}

async function confirm({ terminal, process, target, signal }: Session, changes: number): Promise<void> {
  const place = target.name ?? target.url;
  if (!terminal.isInteractive)
    throw new CommandError(
      EXIT.usage,
      'Without a terminal, deploy needs --yes: it cannot ask before the first change.',
      'NOT_CONFIRMED',
    );
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(
      `Apply ${changes === 1 ? '1 change' : `${changes} changes`} to ${place}? [y/N] `,
      { signal },
    );
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError(EXIT.failed, 'Nothing was changed.', 'NOT_CONFIRMED');
  } finally {
    lines.close();
  }
}

/** The current file of an object. */
async function readFile({ api, signal }: Session, kind: string, key: string): Promise<string> {
  const { yaml } = (await api.definitions.get(kind as never, key, { signal })) as { yaml: string };
  return yaml;
}

interface PullFlags extends FolderFlags {
  overwrite?: boolean;
}

export const pull = command<PullFlags>({
  brief: 'Bring changes of the platform into the files of a project',
  fullDescription:
    'Files that have changed since they were deployed are left alone, and the exit status is 6, unless --overwrite is given.',
  changes: true,
  parameters: { flags: { ...FOLDER, overwrite: flag('Also replace files that have changed') } },
  async run(session, { overwrite, dir = '.', only = [] }) {
    const { api, signal, terminal } = session;
    const project = readProject(dir);
    const send = deployWith(api, project, undefined, { signal });
    const done: PulledFile[] = [];
    for (const [name, entry] of await readEntries(api, { signal })) {
      const isWanted = only.length === 0 || only.includes(name);
      if (entry.managedBy?.project !== project.name || !isWanted) continue;
      const pulled = await pullFile(session, { project, entry, send, overwrite: overwrite === true });
      if (pulled) done.push(pulled);
    }
    const left = done.filter(({ result }) => result === 'left');
    if (terminal.isJson) terminal.out(JSON.stringify({ lines: done }));
    else if (done.length === 0) terminal.note('Nothing has changed.');
    if (left.length > 0) session.process.exitCode = EXIT.conflict;
  },
});

interface PulledFile {
  kind: string;
  key: string;
  result: 'done' | 'left';
}

interface Pulling {
  project: Project;
  entry: Entry;
  send: Deploy;
  overwrite: boolean;
}

/** Nothing if the object is as it was deployed, or the file says the same. */
async function pullFile(
  session: Session,
  { project, entry, send, overwrite }: Pulling,
): Promise<PulledFile | undefined> {
  const { terminal } = session;
  const { kind, key, digest, applied } = entry;
  const file = project.files.get(nameOf(entry));
  if (file && digest === applied?.digest) return undefined;
  const current = await readFile(session, kind, key);
  if (file?.text === current) return undefined;
  if (file && file.digest !== applied?.fileDigest && !overwrite) {
    terminal.note(`left alone: ${nameOf(entry)}: its file has changed, too; --overwrite replaces it`);
    return { kind, key, result: 'left' };
  }
  const path = writeDefinition(project.folder, { kind, key }, current, file);
  if (!terminal.isJson) terminal.out(`~ ${path}`);
  await rebase(send, { kind, key, path, text: current });
  return { kind, key, result: 'done' };
}

/**
 * Tells the platform that the file is now what the object was. Without the right to change the object that stays
 * unknown, and the next comparison finds out by asking.
 */
async function rebase(send: Deploy, file: { kind: string; key: string; path: string; text: string }): Promise<void> {
  try {
    await send({ ...file, digest: digestOf(file.text) }, {});
  } catch (error) {
    if (!(error instanceof ApiError && [403, 412].includes(error.status))) throw error;
  }
}

const LIST = 'List the objects with their keys: analytics api get /definitions';

interface AdoptFlags {
  dir?: string;
  overwrite?: boolean;
  commit?: string;
}

export const adopt = command<AdoptFlags, string[]>({
  brief: 'Manage objects of the platform from the files of a project',
  fullDescription:
    'Writes the file of an object that has none yet. An object that differs from its file is not adopted, and the exit status is 6, unless --overwrite is given.',
  changes: true,
  parameters: {
    positional: {
      kind: 'array',
      parameter: { brief: 'An object, such as query/orders', parse: String, placeholder: 'kind/key' },
      minimum: 1,
    },
    flags: { dir: FOLDER.dir, overwrite: flag('Give the objects the content of the files'), commit: COMMIT },
  },
  async run(session, { dir = '.', overwrite, commit }, ...names) {
    const { api, signal, terminal, process } = session;
    const project = readProject(dir);
    const send = deployWith(api, project, commit, { signal });
    const entries = await readEntries(api, { signal });
    const done: object[] = [];
    for (const name of names) {
      const entry = entries.get(name);
      if (!entry)
        throw new CommandError(
          EXIT.failed,
          `There is no object ${printable(name)} that you can see. ${LIST}`,
          'NOT_FOUND',
        );
      let file = project.files.get(name);
      if (!file) {
        const current = await readFile(session, entry.kind, entry.key);
        const path = writeDefinition(dir, entry, current);
        file = { ...entry, path, text: current, digest: digestOf(current) };
      }
      try {
        await send(file, { adopt: true });
      } catch (error) {
        const digest = error instanceof ApiError && (error.problem as { digest?: string }).digest;
        if (!digest) throw error;
        if (!overwrite) {
          process.exitCode = EXIT.conflict;
          const ways = 'Give it the content of the file with --overwrite, or delete the file to have it written anew.';
          terminal.note(`${name} differs from ${file.path} and is not adopted. ${ways}`);
          continue;
        }
        await send(file, { adopt: true, overwrite: digest });
      }
      done.push({ kind: entry.kind, key: entry.key, path: file.path });
      if (!terminal.isJson) terminal.out(`✓ ${name}   ${file.path}`);
    }
    if (terminal.isJson) terminal.out(JSON.stringify({ adopted: done }));
  },
});
