import { AwsError } from '../../core/aws-error.ts';

const MAX_ENTRIES = 10;
const ENTRY_ID = /^[\w-]{1,80}$/;

export interface BatchReply {
  Successful: object[];
  Failed: object[];
}

/** Throws SQS's error for an invalid batch. */
export function checkBatch(operation: string, entries: { Id: string }[] | undefined): void {
  if (!entries || entries.length === 0) {
    throw new AwsError('EmptyBatchRequest', `There should be at least one ${operation}RequestEntry in the request.`);
  }
  if (entries.length > MAX_ENTRIES) {
    throw new AwsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${MAX_ENTRIES}. You have sent ${entries.length}.`,
    );
  }
  const seen = new Set<string>();
  for (const { Id } of entries) {
    if (!ENTRY_ID.test(Id ?? '')) {
      throw new AwsError(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
      );
    }
    if (seen.has(Id)) throw new AwsError('BatchEntryIdsNotDistinct', `Id ${Id} repeated.`);
    seen.add(Id);
  }
}

/** Runs each entry on its own; an error fails only its entry. */
export function eachEntry<E extends { Id: string }>(entries: E[], run: (entry: E) => object | undefined): BatchReply {
  const reply: BatchReply = { Successful: [], Failed: [] };
  for (const entry of entries) {
    try {
      reply.Successful.push({ Id: entry.Id, ...run(entry) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      reply.Failed.push(failedEntry(entry.Id, error));
    }
  }
  return reply;
}

export function failedEntry(id: string, error: AwsError): object {
  return {
    Id: id,
    SenderFault: error.status < 500,
    Code: error.code.replace(/Exception$/, ''),
    Message: error.message,
  };
}
