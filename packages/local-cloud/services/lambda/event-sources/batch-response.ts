/**
 * Reads the failed records of a batch from a function's response. Returns their ids (none: all succeeded), or undefined
 * for a response that Lambda does not understand, which fails the whole batch.
 */
export function failedItems(payload: Buffer, knownIds: ReadonlySet<string>): string[] | undefined {
  let response: unknown;
  try {
    response = JSON.parse(payload.toString('utf8'));
  } catch {
    return undefined;
  }
  if (response === null || response === '') return [];
  if (typeof response !== 'object') return undefined;
  const failures = (response as { batchItemFailures?: unknown }).batchItemFailures ?? [];
  if (!Array.isArray(failures)) return undefined;
  const ids = failures.map((failure) => (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier);
  return ids.every((id): id is string => typeof id === 'string' && knownIds.has(id)) ? ids : undefined;
}

/** Splits a batch into parts that fit into one invocation. */
export function splitBySize<T>(records: T[], limitBytes: number): T[][] {
  const parts: T[][] = [];
  let part: T[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (part.length > 0 && bytes + size > limitBytes) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(record);
    bytes += size;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
