import type { DraftDag } from './draft.ts';

export interface StepIssue {
  /** Within the step, such as `/config/sql`; within the definition for what is of no step. */
  pointer: string;
  message: string;
}

const IN_STEP = /^\/dag\/steps\/(\d+)(.*)$/s;

/** Issues by their steps, with pointers that stay right when steps are moved. */
export function bySteps(
  issues: readonly { pointer: string; message: string }[],
  { steps }: DraftDag,
): ReadonlyMap<string, readonly StepIssue[]> {
  const placed = issues.map(({ pointer, message }) => {
    const [, index, rest] = IN_STEP.exec(pointer) ?? [];
    const id = index === undefined ? undefined : steps[Number(index)]?.id;
    return { id: id ?? '', issue: { pointer: id === undefined ? pointer.replace(/^\/dag/, '') : rest!, message } };
  });
  return new Map([...Map.groupBy(placed, ({ id }) => id)].map(([id, all]) => [id, all.map(({ issue }) => issue)]));
}
