/** The parameters of a path with the pattern of a screen, such as `/runs/:id`; undefined if it is another screen's. */
export function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const [names, parts] = [segmentsOf(pattern), segmentsOf(path)];
  if (names.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    if (name.startsWith(':')) params[name.slice(1)] = parts[index]!;
    else if (name !== parts[index]) return undefined;
  }
  return params;
}

const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean);

/** The pattern that a path has, and its parameters. One without parameters takes precedence. */
export function bestMatch<T extends { path: string }>(
  screens: readonly T[],
  path: string,
): { screen: T; params: Record<string, string> } | undefined {
  return screens
    .flatMap((screen) => {
      const params = paramsOf(screen.path, path);
      return params ? [{ screen, params }] : [];
    })
    .sort((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)[0];
}
