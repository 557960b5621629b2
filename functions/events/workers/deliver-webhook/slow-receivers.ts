/** A message received later could not have its ten seconds before the function times out. */
const RECEIVE_UNTIL_MS = 4_000;
const WAIT_SECONDS = 1;
/** Messages in progress at once. */
const MAX_AT_ONCE = 100;

/**
 * Receives and handles further messages while `batch` waits for slow receivers. A receiver that does not reply blocks
 * its sender for ten seconds, and with it one of the queue's concurrent invocations; a hundred slow receivers would
 * otherwise block all of them. `longRequest` resolves when a request of the batch has been running for long. A batch
 * that waits for anything else, such as permits, receives no further messages, because they would wait for the same.
 * Stops receiving when `take` returns undefined, and resolves when all work is done.
 */
export async function workWhileWaiting<M>(
  { batch, longRequest }: { batch: Promise<unknown>; longRequest: Promise<void> },
  { take, work }: { take: (waitSeconds: number) => Promise<M[] | undefined>; work: (messages: M[]) => Promise<void> },
): Promise<void> {
  const startedAt = performance.now();
  let isOver = false;
  const ended = batch.finally(() => {
    isOver = true;
  });
  const inWork = new Set<Promise<void>>();
  let count = 0;
  await Promise.race([ended, longRequest]);
  while (!isOver && performance.now() - startedAt < RECEIVE_UNTIL_MS) {
    if (count >= MAX_AT_ONCE) {
      await Promise.race([ended, ...inWork]);
      continue;
    }
    const messages = await take(WAIT_SECONDS);
    if (!messages) break;
    count += messages.length;
    const working = work(messages).finally(() => {
      inWork.delete(working);
      count -= messages.length;
    });
    inWork.add(working);
  }
  await Promise.all([ended, ...inWork]);
}
