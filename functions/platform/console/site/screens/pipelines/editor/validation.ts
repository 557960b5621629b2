import { useEffect, useState } from 'preact/hooks';
import { api } from '../../../data/client.ts';
import { type Problem, problemOf } from '../../../data/problem.ts';
import type { DraftDag } from './draft.ts';
import { bySteps, type StepIssue } from './issues.ts';

export interface Validation {
  isChecking: boolean;
  /** By the id of the step; under an empty text those of the definition. */
  issues: ReadonlyMap<string, readonly StepIssue[]>;
  count: number;
  /** Why it could not be checked. */
  problem: Problem | undefined;
  /** Shows the issues of a save that was refused. */
  take(issues: Problem['issues'], dag: DraftDag): void;
}

const PAUSE_MS = 600;
const NONE: ReadonlyMap<string, readonly StepIssue[]> = new Map();

/** Checks the draft after each pause in typing. A pipeline that is not saved yet is checked when it is. */
export function useValidation(pipelineId: string | undefined, dag: DraftDag): Validation {
  const [found, setFound] = useState({ issues: NONE, of: '' });
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const text = JSON.stringify(dag);
  useEffect(() => {
    if (pipelineId === undefined || dag.steps.length === 0) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      try {
        const { issues } = await api.pipelines.validate(pipelineId, { dag });
        if (!isCurrent) return;
        const all = issues.map(({ path, message }) => ({ pointer: path, message }));
        setFound({ issues: bySteps(all, dag), of: text });
        setProblem(undefined);
      } catch (error) {
        if (isCurrent) setProblem(problemOf(error));
      }
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [pipelineId, text]);
  return {
    isChecking: pipelineId !== undefined && found.of !== text && problem === undefined,
    issues: found.issues,
    count: [...found.issues.values()].reduce((sum, all) => sum + all.length, 0),
    problem,
    take: (issues, of) => setFound({ issues: bySteps(issues, of), of: JSON.stringify(of) }),
  };
}
