/** The headers of a form: a line each, such as `X-Team: data`. Lines without a colon are left out. */
export function headersOf(text: string): Record<string, string> {
  const entries = text
    .split('\n')
    .map((line) => /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line))
    .flatMap((found) => (found ? [[found[1]!, found[2]!] as const] : []));
  return Object.fromEntries(entries);
}

/** The first line that is no header; undefined if all are. */
export const wrongHeader = (text: string): string | undefined =>
  text.split('\n').find((line) => line.trim() !== '' && !/^\s*[^:\s]+\s*:/.test(line));
