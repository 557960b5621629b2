import type { TextPosition } from '../../platform/errors/data-error.ts';
import type { CodePosition } from './messages.ts';

/** The position of an offset in a text; the end of the text for a larger offset. */
export function positionOf(text: string, { line, column }: CodePosition): TextPosition {
  const before = text.split('\n').slice(0, line - 1);
  const start = before.reduce((sum, { length }) => sum + length + 1, 0);
  return { line, column, offset: Math.min(start + column - 1, text.length) };
}
