import { TokenReader } from './lexer.ts';
import { parsePath } from './operand-parser.ts';
import type { PathSyntax } from './syntax.ts';

/** `a, b.c, #d[0]` */
export function parseProjection(text: string): PathSyntax[] {
  const reader = new TokenReader(text, 'ProjectionExpression');
  const paths = [parsePath(reader, () => false)];
  while (reader.takeIf(',')) paths.push(parsePath(reader, () => false));
  reader.expectEnd();
  return paths;
}
