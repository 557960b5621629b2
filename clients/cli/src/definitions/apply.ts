import { type Analytics, ApiError, type CallOptions } from '../../../typescript/src/index.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { inOrderOfUse } from './flowlets.ts';
import { inParallel } from './in-parallel.ts';
import {
  type Action,
  type Deploy,
  type Deployment,
  isMissingTable,
  issuesOf,
  managedBy,
  type PlanLine,
  unknownKeyOf,
} from './plan.ts';
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
  const end = (applied: Applied): void => {
    all.push(applied);
    report(applied);
  };
  const applyLine = async (line: PlanLine): Promise<void> => {
    const ended = await endOf(api, line, { ...applying, failed }, undefined);
    if (ended !== 'waits') end(ended);
  };
  const kinds = Object.keys(FOLDERS);
  const ofAction = (wanted: Action) => lines.filter(({ action }) => action === wanted);
  // Files name objects by their new keys.
  await inParallel(AT_ONCE, ofAction('move'), applyLine);
  for (const kind of kinds) {
    const ofKind = lines.filter(isOf(kind, false));
    for (const batch of kind === 'flowlet' ? await inOrderOfUse(ofKind) : [ofKind])
      await applyTogether(api, batch, { ...applying, failed }, end);
  }
  await inParallel(AT_ONCE, ofAction('publish'), applyLine);
  // What refers to something is deleted before it.
  for (const kind of kinds.toReversed()) await inParallel(AT_ONCE, lines.filter(isOf(kind, true)), applyLine);
  return all.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** With the names of objects that do not match their files: nothing that depends on them is done. */
type ApplyingAll = Applying & { failed: Set<string> };

/**
 * Applies lines of one kind, which may refer to each other in any order: what refers to one that does not exist yet
 * waits for it. Those that wait for each other are first created without what refers to the others.
 */
async function applyTogether(
  api: Analytics,
  lines: readonly PlanLine[],
  applying: ApplyingAll,
  end: (applied: Applied) => void,
): Promise<void> {
  let left = lines;
  for (let isLast = false; left.length > 0; ) {
    const names = new Set(left.map(nameOf));
    const waiting: PlanLine[] = [];
    await inParallel(AT_ONCE, left, async (line) => {
      const ended = await endOf(api, line, applying, isLast ? undefined : names);
      if (ended === 'waits') waiting.push(line);
      else end(ended);
    });
    if (waiting.length === left.length) {
      isLast = true;
      await inParallel(AT_ONCE, waiting, (line) => createPart(line, applying));
    }
    left = waiting;
  }
}

/** Creates as much of an object as the platform can. What is wrong with it is reported when the whole file is sent. */
async function createPart(line: PlanLine, { deploy, choices }: Applying): Promise<void> {
  const act = deploymentOf(line, choices);
  try {
    if (typeof act === 'object') await deploy(line.file!, { ...act, partial: true });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
  }
}

/** Whether the file refers only to other objects of the names, or to their tables, which are about to be created. */
function waitsFor({ errors }: ApiError, line: PlanLine, names: ReadonlySet<string>): boolean {
  return (
    names.size > 1 &&
    errors.length > 0 &&
    errors.every((issue) => {
      const key = unknownKeyOf(issue);
      if (key !== undefined) return names.has(key) && key !== nameOf(line);
      return line.kind === 'dataset' && isMissingTable(issue);
    })
  );
}

/** What has come of a line. With `names`, it waits for the objects of these names that it refers to. */
async function endOf(
  api: Analytics,
  line: PlanLine,
  { failed, ...applying }: ApplyingAll,
  names: ReadonlySet<string> | undefined,
): Promise<Applied | 'waits'> {
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
    if (names && error instanceof ApiError && waitsFor(error, line, names)) return 'waits';
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
