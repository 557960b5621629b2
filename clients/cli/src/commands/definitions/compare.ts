import { command } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { counted } from '../../output.ts';
import { FOLDER, type FolderFlags, flag, openPlan } from './open.ts';
import { forPrograms, print, printMarkdown, show } from './show.ts';

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
      session.terminal.note(`${counted(project.files.size, 'file')} ${project.files.size === 1 ? 'is' : 'are'} valid.`);
  },
});

export const diff = command<FolderFlags & { markdown?: boolean }>({
  brief: 'Compare the files of a project with the platform',
  fullDescription: 'Exits with 3 if there is a difference, and with 1 if a file is invalid.',
  parameters: { flags: { ...FOLDER, markdown: flag('Print a table in Markdown') } },
  async run(session, { markdown, ...flags }) {
    const { project, lines } = await openPlan(session, flags);
    if (markdown && !session.terminal.isJson) printMarkdown(session, project.name, lines);
    else print(session, lines);
    if (lines.some(({ action }) => action === 'invalid')) session.process.exitCode = EXIT.failed;
    else if (lines.some(({ action }) => action !== 'refresh')) session.process.exitCode = EXIT.changes;
  },
});
