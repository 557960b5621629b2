import type { AppError } from './app-error.ts';

const MAX_REASONS = 3;

/** The message for people who read no `errors`, with the first of them, such as readers of a file or an email. */
export function readableMessage({ message, errors }: Pick<AppError, 'message' | 'errors'>): string {
  const reasons = [...new Set(errors.map((issue) => issue.message))].filter((reason) => !message.includes(reason));
  if (reasons.length === 0) return message;
  const left = reasons.length - MAX_REASONS;
  return `${message} ${reasons.slice(0, MAX_REASONS).join('; ')}${left > 0 ? `; and ${left} more` : ''}`;
}
