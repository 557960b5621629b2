const CLASSES: Readonly<Record<string, string>> = {
  A: '\\p{Lu}+',
  a: '[\\p{Ll}\\p{Lt}\\p{Lm}\\p{Lo}]+',
  '9': '\\p{Nd}+',
  ' ': '\\s+',
};

/**
 * The regular expression of a shape such as `AA-9` (see the patterns of profiles); undefined if the shape is that of
 * any word or text, or was cut.
 */
export function regexOfPattern(pattern: string): string | undefined {
  if (pattern.endsWith('…') || !/[^Aa ]/.test(pattern)) return undefined;
  const parts = [...pattern].map((sign) => CLASSES[sign] ?? sign.replace(/[\\^$.|?*+()[\]{}]/, '\\$&'));
  return `^${parts.join('')}$`;
}
