import { type Analytics, ApiError, type CallOptions } from '../../../typescript/src/index.ts';
import { inParallel } from './in-parallel.ts';
import { type Deploy, type Deployment, issuesOf, type PlanLine } from './plan.ts';
import { FOLDERS, nameOf } from './project.ts';

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

/** What a deployment does with a line: how it sends the file, or that it deletes the object. */
export function deploymentOf({ action, digest }: PlanLine, choices: Choices): Deployment | 'delete' | undefined {
  switch (action) {
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
    case 'delete':
      return choices.prune ? 'delete' : undefined;
    default:
      return undefined;
  }
}

const AT_ONCE = 8;

/**
 * Applies a plan, one kind after the other because kinds refer to each other. An object is changed as a whole or not at
 * all; one that fails does not stop the others. Sending the same files again continues what was interrupted.
 */
export async function applyPlan(
  { definitions }: Analytics,
  lines: readonly PlanLine[],
  { deploy, choices, options }: { deploy: Deploy; choices: Choices; options: CallOptions },
  report: (applied: Applied) => void,
): Promise<Applied[]> {
  const all: Applied[] = [];
  const applyLine = async (line: PlanLine): Promise<void> => {
    const applied = await endOf(line);
    all.push(applied);
    report(applied);
  };
  const endOf = async (line: PlanLine): Promise<Applied> => {
    const act = deploymentOf(line, choices);
    if (line.action === 'invalid') return { ...line, result: 'failed', errors: line.details };
    if (act === undefined) return { ...line, result: 'left' };
    try {
      if (act === 'delete') {
        const query = {
          ...(line.digest !== undefined && { digest: line.digest }),
          ...(choices.pruneData && { withData: true }),
        };
        await definitions.delete(line.kind as never, line.key, query, options);
      } else await deploy(line.file!, act);
      return { ...line, result: 'done' };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      return failureOf(line, error);
    }
  };
  const kinds = Object.keys(FOLDERS);
  for (const kind of kinds) await inParallel(AT_ONCE, lines.filter(isOf(kind, false)), applyLine);
  // What refers to something is deleted before it.
  for (const kind of kinds.toReversed()) await inParallel(AT_ONCE, lines.filter(isOf(kind, true)), applyLine);
  return all.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

const isOf = (kind: string, isDeletion: boolean) => (line: PlanLine) =>
  line.kind === kind && (line.action === 'delete') === isDeletion;

/** A conflict means that another deployment, or a person, has been here since the plan was made. */
function failureOf(line: PlanLine, error: ApiError): Applied {
  const hasData = error.problem.code === 'DEFINITION_HAS_DATA';
  const message = hasData ? `${nameOf(line)} has data, which only --prune-data deletes.` : error.message;
  if (!line.file) return { ...line, result: 'failed', errors: [message] };
  const errors = issuesOf(line.file, error);
  const isConflict = error.status === 409 || error.status === 412;
  return isConflict ? { ...line, action: 'conflict', result: 'left', errors } : { ...line, result: 'failed', errors };
}
