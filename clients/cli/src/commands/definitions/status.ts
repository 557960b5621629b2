import { command } from '../../command.ts';
import { movesOf } from '../../definitions/moves.ts';
import { type Entry, readEntries } from '../../definitions/plan.ts';
import { type LocalFile, nameOf, type Project } from '../../definitions/project.ts';
import { localTime, printable } from '../../output.ts';
import { FOLDER, type FolderFlags, flag, openProject } from './open.ts';

/** How an object and its file have changed since the file was deployed, as far as the list of objects tells. */
type State = 'same' | 'new' | 'moved' | 'edited' | 'drift' | 'conflict' | 'removed' | 'unmanaged' | 'elsewhere';

const STATES: Record<State, [sign: string, color: 'green' | 'yellow' | 'red' | 'blue' | 'gray', words: string]> = {
  same: ['·', 'gray', 'as deployed'],
  new: ['+', 'green', 'new file'],
  moved: ['>', 'blue', 'file renamed'],
  edited: ['~', 'yellow', 'file changed'],
  drift: ['!', 'red', 'changed on the platform'],
  conflict: ['!', 'red', 'changed in the file and on the platform'],
  removed: ['-', 'red', 'no file'],
  unmanaged: ['?', 'blue', 'not managed by files'],
  elsewhere: ['!', 'red', 'managed by another project'],
};

interface StatusLine {
  kind: string;
  key: string;
  state: State;
  path: string | null;
  /** The file that the platform knows, and its version. */
  managedBy: Entry['managedBy'];
  deployedAt: string | null;
}

export const status = command<FolderFlags & { all?: boolean }>({
  brief: 'Show at a glance what has changed in the files and on the platform',
  fullDescription: 'Compares digests only, so it does not say what would change in an object: see diff.',
  parameters: { flags: { ...FOLDER, all: flag('Also show what has not changed') } },
  async run(session, { all, ...flags }) {
    const { api, signal, terminal, target } = session;
    const project = await openProject(session, flags);
    const entries = await readEntries(api, { signal });
    const lines = statusOf(project, entries, flags.only ?? []);
    const unmanaged = [...entries.values()].filter(({ managedBy }) => managedBy === null).length;
    if (terminal.isJson) {
      const context = project.variables.context ?? target.name ?? null;
      const shown = all ? lines : lines.filter(({ state }) => state !== 'same');
      terminal.out(JSON.stringify({ project: project.name, url: target.url, context, unmanaged, lines: shown }));
      return;
    }
    for (const line of lines) {
      if (line.state === 'same' && !all) continue;
      const [sign, color, words] = STATES[line.state];
      terminal.out(`${terminal.paint(color, sign)} ${printable(nameOf(line))}   ${words}${originOf(line)}`);
    }
    const same = lines.filter(({ state }) => state === 'same').length;
    const parts = [`${lines.length - same} changed`, `${same} as deployed`, `${unmanaged} not managed by files`];
    terminal.note(`${project.name}: ${parts.join(' · ')}`);
  },
});

function originOf({ managedBy, deployedAt }: StatusLine): string {
  if (!managedBy) return '';
  const version = managedBy.commit === null ? '' : `@${managedBy.commit}`;
  return `   (${printable(`${managedBy.path}${version}`)}, ${localTime(deployedAt)})`;
}

function statusOf(project: Project, entries: ReadonlyMap<string, Entry>, only: readonly string[]): StatusLine[] {
  const moves = new Map(movesOf(project, entries).map(({ from, file }) => [nameOf(file), from]));
  const left = new Set([...moves.values()].map(nameOf));
  const managed = [...entries].filter(
    ([name, { managedBy }]) => managedBy?.project === project.name && !left.has(name),
  );
  const names = new Set([...project.files.keys(), ...managed.map(([name]) => name)]);
  return [...names]
    .filter((name) => only.length === 0 || only.includes(name))
    .sort()
    .map((name) => {
      const moved = moves.get(name);
      const [file, entry] = [project.files.get(name), moved ?? entries.get(name)];
      const { kind, key } = file ?? entry!;
      const state = moved ? 'moved' : stateOf(project, file, entry);
      return {
        ...{ kind, key, state, path: file?.path ?? null },
        ...{ managedBy: entry?.managedBy ?? null, deployedAt: entry?.applied?.at ?? null },
      };
    });
}

function stateOf({ name }: Project, file: LocalFile | undefined, entry: Entry | undefined): State {
  if (!entry) return 'new';
  if (!file) return 'removed';
  const { managedBy, applied, digest } = entry;
  if (managedBy && managedBy.project !== name) return 'elsewhere';
  if (!applied) return 'unmanaged';
  const isEdited = file.digest !== applied.fileDigest;
  const hasDrifted = digest !== applied.digest;
  if (isEdited) return hasDrifted ? 'conflict' : 'edited';
  return hasDrifted ? 'drift' : 'same';
}
