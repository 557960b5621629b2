import { ApiError, ConnectionError } from './client.ts';
import { problemSentence } from './problem-sentence.ts';

/** An object that uses another one. */
export interface Referrer {
  type: string;
  id: string;
  name: string;
}

/** An error as people read it. */
export interface Problem {
  sentence: string;
  /** Where and what in particular, by JSON pointers into the request. */
  issues: readonly { pointer: string; message: string }[];
  /** The stable code and the id of the request, which support asks for; absent if there was no reply. */
  code?: string;
  requestId?: string;
  /** What uses the object, and so prevents the change. */
  referencedBy: readonly Referrer[];
  kind: 'forbidden' | 'missing' | 'changed' | 'unlicensed' | 'signedOut' | 'offline' | 'other';
}

const KINDS: Readonly<Record<number, Problem['kind']>> = {
  401: 'signedOut',
  403: 'forbidden',
  404: 'missing',
  412: 'changed',
};

export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) {
    const { status, code, requestId, errors, problem } = error;
    const isUnlicensed = code === 'PRODUCT_NOT_LICENSED' || code === 'PRODUCT_TURNED_OFF';
    return {
      sentence: problemSentence(problem),
      issues: errors.map(({ pointer, message }) => ({ pointer, message })),
      code,
      requestId,
      referencedBy: (problem.referencedBy as Referrer[] | undefined) ?? [],
      kind: isUnlicensed ? 'unlicensed' : (KINDS[status] ?? 'other'),
    };
  }
  if (error instanceof ConnectionError)
    return {
      sentence: 'The server cannot be reached. Check your connection.',
      issues: [],
      referencedBy: [],
      kind: 'offline',
    };
  return {
    sentence: error instanceof Error ? error.message : String(error),
    issues: [],
    referencedBy: [],
    kind: 'other',
  };
}

/** What a field says whose choices could not be read. */
export const issueOfChoices = (error: unknown): string | undefined =>
  error ? `The choices could not be read. ${problemOf(error).sentence}` : undefined;

/** What the problem says of one field of a form, by the name of its member. */
export const issueOf = (problem: Problem | undefined, member: string): string | undefined =>
  problem?.issues.find(({ pointer }) => pointer === `/${member}`)?.message;

/** What the problem says of a field of a form, or of a part of it, by the name of its member. */
export const issueIn = (problem: Problem | undefined, member: string): string | undefined =>
  problem?.issues.find(({ pointer }) => isIn(pointer, member))?.message;

/**
 * What is left of the problem beside the fields of a form that show their issues, by the names of their members;
 * undefined if the fields say it all.
 */
export function besides(problem: Problem | undefined, members: readonly string[]): Problem | undefined {
  if (!problem || problem.issues.length === 0) return problem;
  const issues = problem.issues.filter(({ pointer }) => !members.some((member) => isIn(pointer, member)));
  return issues.length === 0 && problem.code === 'VALIDATION_FAILED' ? undefined : { ...problem, issues };
}

/** With a slash at its end, a member stands for its parts alone. */
const isIn = (pointer: string, member: string): boolean =>
  pointer === `/${member}` || pointer.startsWith(member.endsWith('/') ? `/${member}` : `/${member}/`);
