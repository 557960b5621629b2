import type { Session } from '../../command.ts';
import { type Deploy, deployWith, type Entry, type PlanLine, planOf, readEntries } from '../../definitions/plan.ts';
import { type NamedContext, type Project, readProject } from '../../definitions/project.ts';
import { PROJECT_FILE, type ProjectFile, readProjectFile } from '../../definitions/project-file.ts';
import { linesOfSecrets } from '../../definitions/secrets.ts';
import { CommandError, EXIT } from '../../exit-codes.ts';
import { counted } from '../../output.ts';
import { emailsOf } from '../../people.ts';

export interface FolderFlags {
  dir?: string;
  only?: string[];
}

export const text = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const;
export const flag = (brief: string) => ({ kind: 'boolean', brief, optional: true, withNegated: false }) as const;

export const FOLDER = {
  dir: text('Folder of the project; the current one by default', 'FOLDER'),
  only: { ...text('Only this object; may be repeated', 'KIND/KEY'), variadic: true },
} as const;
export const COMMIT = text('Version of the folder, such as a commit hash', 'COMMIT');

/** The folder as it is for the workspace that the command works with. */
export async function openProject(
  session: Session,
  { dir = '.' }: FolderFlags,
  { changes = false } = {},
): Promise<Project> {
  const file = await readProjectFile(dir);
  const context = contextOf(session, file);
  if (context) await assertContext(session, context, changes);
  return readProject(dir, file, context);
}

/**
 * The context that the project knows by the name of the one that the command works with; otherwise the only one with
 * its address.
 */
function contextOf({ target, process }: Session, { contexts }: ProjectFile): NamedContext | undefined {
  const name = target.name ?? process.env.ANALYTICS_CONTEXT;
  const named = name === undefined ? undefined : contexts.get(name);
  if (named) return { name: name!, ...named };
  const there = [...contexts].filter(([, { url }]) => url !== undefined && isSameAddress(url, target.url));
  return there.length === 1 ? { name: there[0]![0], ...there[0]![1] } : undefined;
}

const isSameAddress = (a: string, b: string): boolean => new URL(a).href === new URL(b).href;

/** Files that are meant for one workspace must not reach another one. */
async function assertContext(
  { api, target, flags, signal }: Session,
  context: NamedContext,
  changes: boolean,
): Promise<void> {
  const { name, url, workspace } = context;
  if (url !== undefined && !isSameAddress(url, target.url))
    throw mismatch(`In ${PROJECT_FILE}, the context ${name} is at ${url}, but this is ${target.url}.`);
  if (workspace !== undefined) {
    const { name: actual } = await api.workspaces.get({ signal });
    if (actual !== workspace)
      throw mismatch(
        `In ${PROJECT_FILE}, the context ${name} is in the workspace ${workspace}, but this is ${actual}.`,
      );
  }
  if (changes && context.protected && !target.protected && flags.confirm !== name)
    throw new CommandError(
      EXIT.usage,
      `The context ${name} is protected by ${PROJECT_FILE}. Repeat the command with --confirm ${name}.`,
      'CONTEXT_PROTECTED',
    );
}

const mismatch = (message: string) => new CommandError(EXIT.usage, message, 'CONTEXT_MISMATCH');

export interface Opened {
  project: Project;
  entries: ReadonlyMap<string, Entry>;
  deploy: Deploy;
  lines: PlanLine[];
}

export async function openPlan(
  session: Session,
  flags: FolderFlags,
  { commit, changes }: { commit?: string | undefined; changes?: boolean } = {},
): Promise<Opened> {
  const { api, signal, process } = session;
  const project = await openProject(session, flags, changes ? { changes } : {});
  const deploy = deployWith(api, project, { commit, env: process.env, options: { signal } });
  const entries = await readEntries(api, { signal });
  const planned = await planOf(project, entries, deploy, flags.only);
  const comparing = { lines: planned, only: flags.only, env: process.env, options: { signal } };
  const lines = [...planned, ...(await linesOfSecrets(api, project, comparing))];
  return { project, entries, deploy, lines: await withRows(session, await withPeople(session, lines)) };
}

/** The plan with what is lost with the datasets that it deletes. */
async function withRows({ api, signal }: Session, lines: readonly PlanLine[]): Promise<PlanLine[]> {
  return Promise.all(
    lines.map(async (line) => {
      if (line.action !== 'delete' || line.kind !== 'dataset' || line.id === undefined) return line;
      const { rowCount } = await api.datasets.get(line.id, { signal });
      return rowCount === 0
        ? line
        : { ...line, rows: rowCount, details: [`${counted(rowCount, 'row')} ${rowCount === 1 ? 'is' : 'are'} lost`] };
    }),
  );
}

/** The plan with email addresses in place of ids. */
async function withPeople({ api }: Session, lines: readonly PlanLine[]): Promise<PlanLine[]> {
  const ids = lines.flatMap(({ changedBy }) => changedBy ?? []);
  const emails = ids.length > 0 ? await emailsOf(api, ids) : new Map<string, string>();
  return lines.map((line) => ({
    ...line,
    ...(line.changedBy && { changedBy: emails.get(line.changedBy) ?? line.changedBy }),
  }));
}

/** The current file of an object, and the one that was last deployed. */
export async function readFile(
  { api, signal }: Session,
  { kind, key }: { kind: string; key: string },
): Promise<{ yaml: string; base: string | null }> {
  return (await api.definitions.get(kind as never, key, { signal })) as { yaml: string; base: string | null };
}
