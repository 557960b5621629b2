import { type Analytics, ApiError, type CallOptions } from '../../../typescript/src/index.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { inParallel } from './in-parallel.ts';
import { type Action, type Deploy, type Deployment, issuesOf, managedBy, type PlanLine } from './plan.ts';
import { FOLDERS, nameOf, type Project } from './project.ts';

/** How a line of a plan has ended. */
export interface Applied extends PlanLine {
  result: 'done' | 'left' | 'failed';
  errors?: string[];
}

export interface Choices {
  overwrite?: boolean;
  recreate?: boolean;
  prune?: boolean;
  /** Also deletes rows of datasets, and uploaded files of data sources. */
  pruneData?: boolean;
}

type Act = Deployment | 'delete' | 'move' | 'publish';

/** What a deployment does with a line: how it sends the file, or what else. */
export function deploymentOf({ action, digest }: PlanLine, choices: Choices): Act | undefined {
  switch (action) {
    case 'move':
      return 'move';
    case 'create':
    case 'change':
    case 'refresh':
      return {};
    case 'drift':
    case 'conflict':
      return choices.overwrite && digest !== undefined ? { overwrite: digest } : undefined;
    case 'merge':
      return { overwrite: digest! };
    case 'gone':
      return choices.recreate ? { recreate: true } : undefined;
    case 'publish':
      return 'publish';
    case 'delete':
      return choices.prune ? 'delete' : undefined;
    default:
      return undefined;
  }
}

const AT_ONCE = 8;

interface Applying {
  project: Project;
  deploy: Deploy;
  commit: string | undefined;
  choices: Choices;
  options: CallOptions;
}

/**
 * Applies a plan, one kind after the other because kinds refer to each other. An object is changed as a whole or not at
 * all; one that fails does not stop the others. Sending the same files again continues what was interrupted.
 */
export async function applyPlan(
  api: Analytics,
  lines: readonly PlanLine[],
  applying: Applying,
  report: (applied: Applied) => void,
): Promise<Applied[]> {
  const all: Applied[] = [];
  /** Objects that do not match their files: nothing that depends on them is done. */
  const failed = new Set<string>();
  const applyLine = async (line: PlanLine): Promise<void> => {
    const applied = await endOf(api, line, { ...applying, failed });
    all.push(applied);
    report(applied);
  };
  const kinds = Object.keys(FOLDERS);
  const ofAction = (wanted: Action) => lines.filter(({ action }) => action === wanted);
  // Files name objects by their new keys.
  await inParallel(AT_ONCE, ofAction('move'), applyLine);
  for (const kind of kinds) await inParallel(AT_ONCE, lines.filter(isOf(kind, false)), applyLine);
  await inParallel(AT_ONCE, ofAction('publish'), applyLine);
  // What refers to something is deleted before it.
  for (const kind of kinds.toReversed()) await inParallel(AT_ONCE, lines.filter(isOf(kind, true)), applyLine);
  return all.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

async function endOf(
  api: Analytics,
  line: PlanLine,
  { failed, ...applying }: Applying & { failed: Set<string> },
): Promise<Applied> {
  const act = deploymentOf(line, applying.choices);
  if (line.action === 'invalid') return { ...line, result: 'failed', errors: line.details };
  if (act === undefined) return { ...line, result: 'left' };
  // The file of an object that was not moved would make a second object.
  if (failed.has(nameOf(line))) {
    const errors = [`${nameOf(line)} was skipped because an earlier step failed.`];
    return { ...line, result: act === 'publish' ? 'left' : 'failed', errors };
  }
  try {
    await perform(api, line, act, applying);
    return { ...line, result: 'done' };
  } catch (error) {
    failed.add(nameOf(line.file ?? line));
    if (error instanceof CommandError) return { ...line, result: 'left', errors: [error.message] };
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return failureOf(line, error);
  }
}

async function perform(
  api: Analytics,
  line: PlanLine,
  act: Act,
  { project, deploy, commit, choices, options }: Applying,
): Promise<void> {
  const kind = line.kind as never;
  if (act === 'delete') {
    const query = {
      ...(line.digest !== undefined && { digest: line.digest }),
      ...(choices.pruneData && { withData: true }),
    };
    await api.definitions.delete(kind, line.key, query, options);
  } else if (act === 'move') {
    const body = { to: line.to!, managedBy: managedBy(project, line.file!.path, commit) };
    await api.definitions.move(kind, line.key, body, options);
  } else if (act === 'publish') {
    const changeNote = `Deployed from ${project.name}${commit === undefined ? '' : ` at ${commit}`}`;
    await publish(api, line, changeNote, options);
  } else await deploy(line.file!, act);
}

/** Publishes what the file says, and no change that a person has made since. */
async function publish(
  { definitions, dashboards }: Analytics,
  { kind, key }: PlanLine,
  changeNote: string,
  options: CallOptions,
): Promise<void> {
  const { id, digest, applied } = await definitions.get(kind as never, key, options);
  if (applied?.digest !== digest)
    throw new CommandError(EXIT.conflict, `${kind}/${key} differs from its file.`, 'DEFINITION_DRIFTED');
  await dashboards.publish(id, { changeNote }, options);
}

/** Actions with a time of their own. */
const APART: readonly Action[] = ['move', 'publish', 'delete'];

const isOf = (kind: string, isDeletion: boolean) => (line: PlanLine) =>
  line.kind === kind && (isDeletion ? line.action === 'delete' : !APART.includes(line.action));

/** A conflict means that another deployment, or a person, has been here since the plan was made. */
function failureOf(line: PlanLine, error: ApiError): Applied {
  const hasData = error.problem.code === 'DEFINITION_HAS_DATA';
  const message = hasData ? `${nameOf(line)} has data, which only --prune-data deletes.` : error.message;
  if (!line.file) return { ...line, result: 'failed', errors: [message] };
  const errors = issuesOf(line.file, error);
  const isConflict = error.status === 409 || error.status === 412;
  return isConflict ? { ...line, action: 'conflict', result: 'left', errors } : { ...line, result: 'failed', errors };
}
