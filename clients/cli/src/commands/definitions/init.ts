import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { command } from '../../command.ts';
import { PROJECT_FILE } from '../../definitions/project-file.ts';
import { CommandError, EXIT } from '../../exit-codes.ts';
import type { Context } from '../../settings.ts';
import { GITHUB_WORKFLOW } from './github-workflow.ts';
import { FOLDER, flag, text } from './open.ts';

const WORKFLOW_FILE = '.github/workflows/analytics.yaml';

export const init = command<{ dir?: string; name?: string; github?: boolean }>({
  brief: 'Make a folder a project, whose files are objects of the platform',
  fullDescription: `Writes ${PROJECT_FILE} with the name of the project and your saved contexts. Nothing is sent, and no file is replaced.`,
  parameters: {
    flags: {
      dir: FOLDER.dir,
      name: text('Name of the project; that of the folder by default', 'NAME'),
      github: flag(`Write ${WORKFLOW_FILE}, which checks pull requests and deploys the branch main`),
    },
  },
  async run({ settings, terminal }, { dir = '.', name, github }) {
    const project = name ?? nameFrom(basename(resolve(dir)));
    const isProject = existsSync(join(dir, PROJECT_FILE));
    const files = [
      // A project that exists may still get its workflow.
      ...(github && isProject ? [] : [{ path: PROJECT_FILE, content: projectText(project, settings.config.contexts) }]),
      ...(github ? [{ path: WORKFLOW_FILE, content: GITHUB_WORKFLOW }] : []),
    ];
    const taken = files.filter(({ path }) => existsSync(join(dir, path))).map(({ path }) => path);
    if (taken.length > 0)
      throw new CommandError(EXIT.usage, `The folder already contains ${taken.join(' and ')}.`, 'FILE_EXISTS');
    for (const { path, content } of files) {
      mkdirSync(join(dir, path, '..'), { recursive: true });
      writeFileSync(join(dir, path), content, { flag: 'wx' });
    }
    const written = files.map(({ path }) => path);
    if (terminal.isJson) return terminal.out(JSON.stringify({ files: written }));
    for (const path of written) terminal.out(`+ ${path}`);
    if (!isIgnored(dir)) terminal.note('Keep secrets out of Git: add .env to .gitignore.');
    terminal.note('Next: analytics adopt KIND/KEY for objects that exist, or add files and run analytics diff.');
    if (!github) terminal.note('For GitHub Actions: analytics init --github');
  },
});

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

function nameFrom(folder: string): string {
  const name = folder.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return NAME.test(name) ? name : 'project';
}

function projectText(project: string, contexts: Readonly<Record<string, Context>>): string {
  if (!NAME.test(project))
    throw new CommandError(
      EXIT.usage,
      'The name of a project may contain only letters, digits, dots, hyphens and underscores.',
      'NAME_INVALID',
    );
  const saved = Object.entries(contexts).map(([name, { url, protected: isProtected }]) => {
    const lines = [
      `  ${/^[A-Za-z][\w-]*$/.test(name) ? name : JSON.stringify(name)}:`,
      `    url: ${JSON.stringify(url)}`,
    ];
    return [...lines, ...(isProtected ? ['    protected: true'] : [])].join('\n');
  });
  return `# Names the project that manages the objects of these files in a workspace
project: ${project}
# What this folder is deployed to, by the names of contexts: analytics context list
${saved.length > 0 ? `contexts:\n${saved.join('\n')}` : '# contexts:\n#   production: { url: "https://bi.example.com", workspace: Main, protected: true }'}
# Values that files have in place of \${schema}
# variables:
#   schema: { test: staging, production: public }
`;
}

function isIgnored(dir: string): boolean {
  const path = join(dir, '.gitignore');
  return existsSync(path) && /^\s*\/?\.env/m.test(readFileSync(path, 'utf8'));
}
