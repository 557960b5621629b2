import type { Problem } from '../../data/problem.ts';

const AT_FIELDS =
  /^\/(name|description|modelId|measureId|fieldId|aggregation|timeFieldId|grain|timezone|ownerId|target|filters\/)/;

/** The problem without the issues that the form shows at their fields; undefined if that is all of it. */
export function unshown(problem: Problem | undefined): Problem | undefined {
  if (!problem || problem.issues.length === 0) return problem;
  const issues = problem.issues.filter(({ pointer }) => !AT_FIELDS.test(pointer));
  return issues.length === 0 ? undefined : { ...problem, issues };
}
