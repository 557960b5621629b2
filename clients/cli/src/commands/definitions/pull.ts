import { ApiError } from '../../../../typescript/src/index.ts';
import { command, type Session } from '../../command.ts';
import { mergeFile } from '../../definitions/merge-file.ts';
import { type Deploy, deployWith, type Entry, readEntries } from '../../definitions/plan.ts';
import { type LocalFile, localFile, nameOf, type Project, writeDefinition } from '../../definitions/project.ts';
import { type Rewritten, rewrite } from '../../definitions/rewrite.ts';
import { escapeVariables } from '../../definitions/variables.ts';
import { CommandError, EXIT } from '../../exit-codes.ts';
import { printable } from '../../output.ts';
import { COMMIT, FOLDER, type FolderFlags, flag, openProject, readFile } from './open.ts';

interface PullFlags extends FolderFlags {
  overwrite?: boolean;
  merge?: boolean;
}

export const pull = command<PullFlags>({
  brief: 'Bring changes of the platform into the files of a project',
  fullDescription:
    'Files that have changed since they were deployed are left alone, and the exit status is 6, unless --merge or --overwrite is given. Comments and variables stay.',
  changes: true,
  parameters: {
    flags: {
      ...FOLDER,
      merge: flag('Merge changes of both sides where they are to different members'),
      overwrite: flag('Also replace files that have changed'),
    },
  },
  async run(session, { overwrite, merge, ...flags }) {
    const { api, signal, terminal } = session;
    const project = await openProject(session, flags);
    const send = deployWith(api, project, { env: {}, options: { signal } });
    const ways = { merge: merge === true, overwrite: overwrite === true };
    const { only = [] } = flags;
    const done: PulledFile[] = [];
    for (const [name, entry] of await readEntries(api, { signal })) {
      const isWanted = only.length === 0 || only.includes(name);
      if (entry.managedBy?.project !== project.name || !isWanted) continue;
      const pulled = await pullFile(session, { project, entry, send, ways });
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
  /** The members that both sides have changed. */
  conflicts?: string[];
}

interface Pulling {
  project: Project;
  entry: Entry;
  send: Deploy;
  ways: { merge: boolean; overwrite: boolean };
}

/** Nothing if the object is as it was deployed, or the file says the same. */
async function pullFile(session: Session, { project, entry, send, ways }: Pulling): Promise<PulledFile | undefined> {
  const { terminal } = session;
  const { kind, key, digest, applied } = entry;
  const file = project.files.get(nameOf(entry));
  if (file && digest === applied?.digest) return undefined;
  const current = await readFile(session, entry);
  if (file?.text === current.yaml) return undefined;
  const isEdited = file !== undefined && file.digest !== applied?.fileDigest;
  if (isEdited && !ways.merge && !ways.overwrite) {
    terminal.note(`left alone: ${nameOf(entry)}: its file has changed, too; see --merge and --overwrite`);
    return { kind, key, result: 'left' };
  }
  const merged = isEdited && ways.merge ? await mergeFile(file, project.variables, current) : undefined;
  if (merged && merged.source === undefined && !ways.overwrite) {
    const { conflicts } = merged;
    terminal.note(`left alone: ${nameOf(entry)}: both sides have changed ${conflicts.map(printable).join(', ')}`);
    return { kind, key, result: 'left', conflicts };
  }
  const written = merged?.source === undefined ? await sourceOf(file, project, current.yaml) : toWrite(merged);
  const path = await writeDefinition(project.folder, entry, written, file);
  if (!terminal.isJson) terminal.out(`~ ${path}`);
  const now = localFile({ kind, key, path, ...written }, project.variables);
  // A merged file has changes of its own, which are compared with what they were merged with.
  await rebase(send, merged?.source === undefined ? now : { ...now, text: current.yaml });
  return { kind, key, result: 'done' };
}

/** The content of the platform as a file of the project. */
const sourceOf = async (file: LocalFile | undefined, { variables }: Project, yaml: string): Promise<Written> =>
  file ? rewrite(file, variables, yaml) : { source: escapeVariables(yaml) };

type Written = Pick<Rewritten, 'source'> & Partial<Rewritten>;

const toWrite = ({ source, sqlFiles }: Partial<Rewritten>): Written => ({
  source: source!,
  ...(sqlFiles && { sqlFiles }),
});

/**
 * Records on the platform that the file now matches the object. Without the right to change the object that stays
 * unknown, and the next comparison finds out by asking.
 */
async function rebase(send: Deploy, file: LocalFile): Promise<void> {
  try {
    await send(file, {});
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
  async run(session, { overwrite, commit, ...flags }, ...names) {
    const { api, signal, terminal, process } = session;
    const project = await openProject(session, flags, { changes: true });
    const send = deployWith(api, project, { commit, env: process.env, options: { signal } });
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
        const source = escapeVariables((await readFile(session, entry)).yaml);
        const path = await writeDefinition(project.folder, entry, { source });
        file = localFile({ kind: entry.kind, key: entry.key, path, source }, project.variables);
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
