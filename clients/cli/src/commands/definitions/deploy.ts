import { createInterface } from 'node:readline/promises';
import { command, type Session } from '../../command.ts';
import { type Applied, applyPlan, deploymentOf } from '../../definitions/apply.ts';
import { mergeFile } from '../../definitions/merge-file.ts';
import type { PlanLine } from '../../definitions/plan.ts';
import { localFile, nameOf, type Project, writeDefinition } from '../../definitions/project.ts';
import { CommandError, EXIT } from '../../exit-codes.ts';
import { printable } from '../../output.ts';
import { COMMIT, FOLDER, type FolderFlags, flag, openPlan, readFile } from './open.ts';
import { LEFT, print, SIGNS } from './show.ts';

interface DeployFlags extends FolderFlags {
  yes?: boolean;
  merge?: boolean;
  overwrite?: boolean;
  recreate?: boolean;
  prune?: boolean;
  pruneData?: boolean;
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
      merge: flag('Merge the changes of both sides, in the file too, where they are of different members'),
      overwrite: flag('Replace what has changed on the platform'),
      recreate: flag('Create again what was deleted on the platform'),
      prune: flag('Delete objects of the project without a file'),
      pruneData: flag('With --prune: also delete the rows of datasets, and uploaded files of data sources'),
      commit: COMMIT,
    },
  },
  async run(session, { yes, merge, overwrite, recreate, prune, pruneData, commit, ...flags }) {
    const { terminal, api, signal } = session;
    const { project, lines: plan, deploy: send } = await openPlan(session, flags, { commit, changes: true });
    const lines = merge ? await mergeConflicts(session, project, plan) : plan;
    const choices = {
      ...{ overwrite: overwrite === true, recreate: recreate === true },
      ...{ prune: prune === true, pruneData: pruneData === true },
    };
    const changing = lines.filter((line) => deploymentOf(line, choices) !== undefined);
    if (!terminal.isJson) print(session, lines);
    if (changing.length > 0 && !yes) await confirm(session, changing.length);
    for (const { action, file } of changing)
      if (action === 'merge') writeDefinition(project.folder, file!, file!.source, file);
    const applied = await applyPlan(api, lines, { deploy: send, choices, options: { signal } }, (line) => {
      if (terminal.isJson || line.result !== 'failed' || line.action === 'invalid') return;
      for (const error of line.errors ?? []) terminal.note(terminal.paint('red', printable(error)));
    });
    finish(session, applied);
  },
});

/** The plan with the files that have the changes of both sides. */
async function mergeConflicts(session: Session, project: Project, lines: readonly PlanLine[]): Promise<PlanLine[]> {
  const merged: PlanLine[] = [];
  for (const line of lines) {
    const { action, file } = line;
    if (action !== 'conflict' || !file) merged.push(line);
    else {
      const { source, conflicts } = await mergeFile(file, project.variables, await readFile(session, line));
      if (source === undefined) merged.push({ ...line, details: conflicts });
      else merged.push({ ...line, action: 'merge', file: localFile({ ...file, source }, project.variables) });
    }
  }
  return merged;
}

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
