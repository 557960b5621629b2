/** Compares a text with a pattern of a policy. */
export type Matcher = (text: string) => boolean;

/** `*` stands for any text and `?` for one character; the rest is literal. */
export function wildcard(pattern: string): Matcher {
  if (!/[*?]/.test(pattern)) return (text) => text === pattern;
  if (/^[^*?]*\*$/.test(pattern)) {
    const prefix = pattern.slice(0, -1);
    return (text) => text.startsWith(prefix);
  }
  const expression = new RegExp(`^${expressionOf(pattern, '.*')}$`, 's');
  return (text) => expression.test(text);
}

/** An action such as `s3:Get*`. Actions are compared without regard to case. */
export function actionPattern(pattern: string): Matcher {
  const matches = wildcard(pattern.toLowerCase());
  return (action) => matches(action.toLowerCase());
}

/**
 * The ARN of a `Resource` element. A wildcard matches within its segment; at the end of a segment, `*` also matches
 * beyond the colon.
 */
export function resourcePattern(pattern: string): Matcher {
  const segments = pattern.split(':');
  const crossesSegments = segments.slice(0, 5).some((segment) => /[*?]/.test(segment.replace(/\*$/, '')));
  if (!crossesSegments) return wildcard(pattern);
  const expressions = segments.map((segment, index) =>
    index < 5
      ? expressionOf(segment.replace(/\*$/, ''), '[^:]*') + (segment.endsWith('*') ? '.*' : '')
      : expressionOf(segment, '.*'),
  );
  const expression = new RegExp(`^${expressions.join(':')}$`, 's');
  return (arn) => expression.test(arn);
}

/** The ARN of a condition (`ArnLike`): each of the six segments is compared on its own. */
export function arnPattern(pattern: string): Matcher {
  const expected = segmentsOf(pattern).map(wildcard);
  return (arn) => {
    const segments = segmentsOf(arn);
    return (
      segments.length === expected.length && expected.every((matches, index) => matches(segments[index] as string))
    );
  };
}

/** The resource segment may contain colons itself. */
function segmentsOf(arn: string): string[] {
  const segments = arn.split(':');
  return [...segments.slice(0, 5), ...(segments.length > 5 ? [segments.slice(5).join(':')] : [])];
}

function expressionOf(pattern: string, any: string): string {
  return pattern
    .replaceAll(/[.+^${}()|[\]\\/-]/g, '\\$&')
    .replaceAll('*', any)
    .replaceAll('?', '.');
}
