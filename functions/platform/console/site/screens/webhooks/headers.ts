/** The headers of a form: a line each, such as `X-Team: data`. Throws for a line that is not a header. */
export function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`“${line.trim()}” is not a header. Write “name: value”, one per line.`);
      return [name, value!] as const;
    }),
  );
}
