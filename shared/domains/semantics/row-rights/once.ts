/** Reads with the first call. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= read();
    return known;
  };
}
