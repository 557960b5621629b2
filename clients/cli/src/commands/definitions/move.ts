import { mkdirSync, renameSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { command } from '../../command.ts';
import { FOLDERS, type LocalFile, type Project, writeDefinition } from '../../definitions/project.ts';
import { addMoved, PROJECT_FILE } from '../../definitions/project-file.ts';
import { type KeyMembers, withNewKey } from '../../definitions/references.ts';
import { CommandError, EXIT } from '../../exit-codes.ts';
import { printable } from '../../output.ts';
import { FOLDER, openProject } from './open.ts';

const NAME = /^([a-z-]+)\/([a-z0-9][a-z0-9-]{0,62})$/;

export const move = command<{ dir?: string }, [from: string, to: string]>({
  brief: 'Give an object another key: rename its file, and the keys in files that refer to it',
  fullDescription: `Changes files of the folder alone, and writes to ${PROJECT_FILE} that the object is moved. The next deployment gives the object the new key, and keeps it otherwise.`,
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { brief: 'An object, such as query/orders', parse: String, placeholder: 'kind/key' },
        { brief: 'Its new name, such as query/all-orders', parse: String, placeholder: 'kind/new-key' },
      ],
    },
    flags: { dir: FOLDER.dir },
  },
  async run(session, flags, from, to) {
    const { api, terminal, signal } = session;
    const project = await openProject(session, flags);
    const [, kind = '', key = ''] = NAME.exec(from) ?? [];
    const [, newKind, newKey = ''] = NAME.exec(to) ?? [];
    const file = project.files.get(from);
    if (!file) throw problem(`There is no file for ${printable(from)}.`, 'FILE_MISSING');
    if (newKind !== kind || newKey === key)
      throw problem(
        `Write the new name as ${kind}/ and another key: lowercase letters, digits and hyphens.`,
        'KEY_INVALID',
      );
    if (project.files.has(to)) throw problem(`There is already a file for ${to}.`, 'FILE_EXISTS');
    const { items } = await api.definitions.listKinds({}, { signal });
    const keyMembers = new Map(items.map((each) => [each.kind as string, each.keyMembers as KeyMembers]));
    const changed = await renameKeys(project, { kind, key, newKey, keyMembers });
    const path = renameFile(project, file, newKey);
    await addMoved(project.folder, from, to);
    if (terminal.isJson) return terminal.out(JSON.stringify({ from, to, path, changed }));
    terminal.out(`> ${file.path} → ${path}`);
    for (const each of changed) terminal.out(`~ ${each}`);
    terminal.note('Next: analytics diff');
  },
});

const problem = (message: string, code: string) => new CommandError(EXIT.usage, message, code);

interface Renaming {
  kind: string;
  key: string;
  newKey: string;
  keyMembers: ReadonlyMap<string, KeyMembers>;
}

async function renameKeys(project: Project, { keyMembers, ...renamed }: Renaming): Promise<string[]> {
  const changed: string[] = [];
  for (const file of project.files.values()) {
    const source = await withNewKey(file.source, keyMembers.get(file.kind) ?? {}, renamed);
    if (source === file.source) continue;
    await writeDefinition(project.folder, file, { source }, file);
    changed.push(file.path);
  }
  return changed;
}

function renameFile({ folder }: Project, { kind, path }: LocalFile, newKey: string): string {
  const renamed = `${FOLDERS[kind]}/${newKey}${extname(path)}`;
  mkdirSync(dirname(join(folder, renamed)), { recursive: true });
  renameSync(join(folder, path), join(folder, renamed));
  return renamed;
}
