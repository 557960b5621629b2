/**
 * One page of a list in the order of its keys. The token names the last item shown, so that items which come and go in
 * between neither repeat nor hide others.
 */
export function pageOf<T>(
  items: T[],
  keyOf: (item: T) => string,
  { size, token }: { size: number; token: string | undefined },
): { items: T[]; next: { NextToken?: string } } {
  const after = token === undefined ? '' : Buffer.from(token, 'base64').toString('utf8');
  const rest = items.filter((item) => keyOf(item) > after).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const more = last !== undefined && rest.length > page.length;
  return { items: page, next: more ? { NextToken: Buffer.from(keyOf(last)).toString('base64') } : {} };
}
