const MAX_CACHED = 200;

/** Caches the parsed document: every request reads configurations, and they hardly ever change. */
export function parsedOnce<T>(read: (document: string) => T): (document: string) => T {
  const known = new Map<string, T>();
  return (document) => {
    let result = known.get(document);
    if (result === undefined) {
      result = read(document);
      if (known.size >= MAX_CACHED) known.clear();
      known.set(document, result);
    }
    return result;
  };
}
