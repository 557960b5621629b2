import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** Waits for a conditional write. Returns false if its condition does not hold. */
export async function ifHolds(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (cause) {
    if (cause instanceof ConditionalCheckFailedException) return false;
    throw cause;
  }
}
