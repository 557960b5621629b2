import type { Issue } from '../../platform/errors/app-error.ts';
import type { Diagnostic } from './language/diagnostics.ts';

/** A diagnostic of an expression as an issue of the request that has it at the pointer. */
export function issueOf(text: string, { code, message, hint, from }: Diagnostic, pointer: string): Issue {
  const lines = text.slice(0, from).split('\n');
  return {
    pointer,
    code: String(code),
    message: hint ? `${message} ${hint}` : message,
    position: { line: lines.length, column: lines.at(-1)!.length + 1, offset: from },
  };
}

/** The errors among the diagnostics of an expression as issues of a request. */
export function expressionIssues(text: string, diagnostics: readonly Diagnostic[], pointer: string): Issue[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.map((diagnostic) => issueOf(text, diagnostic, pointer));
}
