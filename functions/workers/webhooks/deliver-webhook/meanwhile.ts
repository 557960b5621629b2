/** What is taken later could not have its ten seconds before the function's time is up. */
const TAKES_UNTIL_MS = 4_000;
const WAIT_SECONDS = 1;
/** In work at a time. */
const MAX_AT_ONCE = 100;

/**
 * A receiver that hangs holds its sender for ten seconds, and the place that the sender has among those of its queue. For
 * as long as `batch` is held by one, this takes further messages and works on them, so that the place is lost to nobody:
 * a hundred receivers that begin to hang at once would fill all places otherwise. `held` resolves when a request of it has
 * been under way for long; a batch that waits for anything else, such as permits, would only have others wait for the same.
 * Resolves when all work is done. Nothing is taken any more when `take` answers undefined.
 */
export async function workMeanwhile<M>(
  { batch, held }: { batch: Promise<unknown>; held: Promise<void> },
  { take, work }: { take: (waitSeconds: number) => Promise<M[] | undefined>; work: (messages: M[]) => Promise<void> },
): Promise<void> {
  const startedAt = performance.now();
  let isOver = false;
  const ended = batch.finally(() => {
    isOver = true;
  });
  const inWork = new Set<Promise<void>>();
  let count = 0;
  await Promise.race([ended, held]);
  while (!isOver && performance.now() - startedAt < TAKES_UNTIL_MS) {
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
