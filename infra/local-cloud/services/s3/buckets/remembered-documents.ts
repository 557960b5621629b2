const MOST = 200;

/** Reads each document once: configurations are asked for with every request and hardly ever change. */
export function remembering<T>(read: (document: string) => T): (document: string) => T {
  const known = new Map<string, T>();
  return (document) => {
    let result = known.get(document);
    if (result === undefined) {
      result = read(document);
      if (known.size >= MOST) known.clear();
      known.set(document, result);
    }
    return result;
  };
}
