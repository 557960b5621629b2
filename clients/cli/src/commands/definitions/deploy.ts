import { ask } from '../../ask.ts';
import { command, type Session } from '../../command.ts';
import { type Applied, applyPlan, type Choices, deploymentOf } from '../../definitions/apply.ts';
import { withLease } from '../../definitions/lease.ts';
import { mergeFile } from '../../definitions/merge-file.ts';
import { type Deploying, deployWith, type PlanLine } from '../../definitions/plan.ts';
import { localFile, nameOf, type Project, writeDefinition } from '../../definitions/project.ts';
import { addMoved, PROJECT_FILE } from '../../definitions/project-file.ts';
import { CommandError, EXIT } from '../../exit-codes.ts';
import { counted, printable } from '../../output.ts';
import { COMMIT, FOLDER, type FolderFlags, flag, type Opened, openPlan, readFile } from './open.ts';
import { forPrograms, LEFT, print, SIGNS } from './show.ts';

interface DeployFlags extends FolderFlags {
  yes?: boolean;
  merge?: boolean;
  overwrite?: boolean;
  recreate?: boolean;
  prune?: boolean;
  pruneData?: boolean;
  publish?: boolean;
  commit?: string;
}

export const deploy = command<DeployFlags>({
  brief: 'Deploy the files of a project to the platform',
  fullDescription:
    'Objects that have changed on the platform since the last deployment are left alone unless --merge or --overwrite is given, and so are objects that no file manages; the exit status is then 6. Objects whose file is gone are deleted only with --prune.',
  changes: true,
  parameters: {
    flags: {
      ...FOLDER,
      yes: flag('Do not ask before the first change'),
      merge: flag('Merge changes of both sides where they are to different members, and update the file'),
      overwrite: flag('Replace what has changed on the platform'),
      recreate: flag('Recreate what was deleted on the platform'),
      prune: flag('Delete objects of the project that have no file'),
      pruneData: flag('With --prune: also delete the rows of datasets, and uploaded files of data sources'),
      publish: flag('Publish the dashboards of the project; otherwise only their drafts change'),
      commit: COMMIT,
    },
  },
  async run(session, { yes, merge, commit, overwrite, recreate, prune, pruneData, publish, ...flags }) {
    const opened = await openPlan(session, flags, { commit, changes: true });
    const { project } = opened;
    const plan = merge ? await mergeConflicts(session, project, opened.lines) : opened.lines;
    const choices = {
      ...{ overwrite: overwrite === true, recreate: recreate === true },
      ...{ prune: prune === true, pruneData: pruneData === true },
    };
    const isChanging = (line: PlanLine) => deploymentOf(line, choices) !== undefined;
    const lines = publish ? [...plan, ...(await publications(session, opened, plan, { ...flags, isChanging }))] : plan;
    const changing = lines.filter(isChanging);
    if (!session.terminal.isJson) print(session, lines);
    if (changing.length > 0 && !yes) await confirm(session, changing.length);
    const applying = { project, commit, choices, env: session.process.env };
    const apply = (signal: AbortSignal) => applyLines(session, lines, { ...applying, signal });
    const applied = changing.length > 0 ? await withLease(session, project, apply) : await apply(session.signal);
    finish(session, applied);
  },
});

interface Applying {
  project: Project;
  commit: string | undefined;
  choices: Choices;
  env: Deploying['env'];
  signal: AbortSignal;
}

async function applyLines(
  { terminal, api }: Session,
  lines: readonly PlanLine[],
  { project, commit, choices, env, signal }: Applying,
): Promise<Applied[]> {
  for (const { action, file } of lines)
    if (action === 'merge') await writeDefinition(project.folder, file!, file!, project.files.get(nameOf(file!)));
  const options = { signal };
  const deploy = deployWith(api, project, { commit, env, options });
  const applied = await applyPlan(api, lines, { project, deploy, commit, choices, options }, (line) => {
    if (terminal.isJson || line.result !== 'failed' || line.action === 'invalid') return;
    for (const error of line.errors ?? []) terminal.note(terminal.paint('red', printable(error)));
  });
  for (const { isProposed, result, kind, key, to } of applied) {
    if (!isProposed || result !== 'done') continue;
    await addMoved(project.folder, `${kind}/${key}`, `${kind}/${to}`);
    terminal.note(`${PROJECT_FILE} now says that ${kind}/${key} has moved: commit it for the other workspaces.`);
  }
  return applied;
}

/** The dashboards of the project that viewers see in another state than their files have, or will have. */
async function publications(
  { api, signal }: Session,
  { project, entries }: Opened,
  lines: readonly PlanLine[],
  { only = [], isChanging }: FolderFlags & { isChanging(line: PlanLine): boolean },
): Promise<PlanLine[]> {
  const drafts = new Set<string>();
  for await (const { id, hasUnpublishedChanges } of api.dashboards.list({ limit: 100 }, { signal }))
    if (hasUnpublishedChanges) drafts.add(id);
  const isMove = ({ action }: PlanLine) => action === 'move';
  const byName = new Map(lines.filter((line) => !isMove(line)).map((line) => [nameOf(line), line]));
  const movedFrom = new Map(lines.filter(isMove).map((line) => [nameOf(line.file!), nameOf(line)]));
  return [...project.files.values()].flatMap((file): PlanLine[] => {
    const name = nameOf(file);
    if (file.kind !== 'dashboard' || (only.length > 0 && !only.includes(name))) return [];
    const line = byName.get(name);
    const entry = entries.get(movedFrom.get(name) ?? name);
    const isChanged = line !== undefined && line.action !== 'refresh';
    const isDraft = isChanged ? isChanging(line) : entry !== undefined && drafts.has(entry.id);
    return isDraft ? [{ kind: file.kind, key: file.key, action: 'publish', details: [], file }] : [];
  });
}

/** The plan with the files that have the changes of both sides. */
async function mergeConflicts(session: Session, project: Project, lines: readonly PlanLine[]): Promise<PlanLine[]> {
  const merged: PlanLine[] = [];
  for (const line of lines) {
    const { action, file } = line;
    if (action !== 'conflict' || !file) merged.push(line);
    else {
      const { source, sqlFiles, conflicts } = await mergeFile(file, project.variables, await readFile(session, line));
      if (source === undefined) merged.push({ ...line, details: conflicts });
      else
        merged.push({
          ...line,
          action: 'merge',
          file: localFile({ ...file, source, ...(sqlFiles && { sqlFiles }) }, project.variables),
        });
    }
  }
  return merged;
}

/** Ends with the worst of what has happened. */
function finish({ terminal, process }: Session, applied: readonly Applied[]): void {
  if (terminal.isJson) terminal.out(JSON.stringify({ lines: applied.map(forPrograms) }));
  const count = (result: Applied['result']) => applied.filter((line) => line.result === result).length;
  const left = applied.filter(({ result, action }) => result === 'left' && LEFT.includes(action));
  if (!terminal.isJson && applied.length > 0) {
    for (const line of left) terminal.note(`left alone: ${printable(nameOf(line))} (${SIGNS[line.action][2]})`);
    terminal.note(`${count('done')} applied · ${count('left')} left alone · ${count('failed')} failed`);
  }
  if (count('failed') > 0) process.exitCode = EXIT.failed;
  else if (left.length > 0) process.exitCode = EXIT.conflict;
}

async function confirm(session: Session, changes: number): Promise<void> {
  const { terminal, target } = session;
  const place = target.name ?? target.url;
  if (!terminal.isInteractive)
    throw new CommandError(
      EXIT.usage,
      'Without a terminal, deploy needs --yes: it cannot ask before the first change.',
      'NOT_CONFIRMED',
    );
  const answer = await ask(session, `Apply ${counted(changes, 'change')} to ${place}? [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw new CommandError(EXIT.failed, 'Nothing was changed.', 'NOT_CONFIRMED');
}
