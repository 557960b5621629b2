import type { Conversation } from './conversation.ts';

/** Waits for work that cannot be stopped, such as the resolving of a name, no longer than it is wanted: it goes on for nobody. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: unwanted, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  try {
    return await Promise.race([work, unwanted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/**
 * Works with a connection of its own, which is closed in the end. Aborted, the server does not go on either; a connection that
 * comes after that is closed at once.
 */
export async function conversing<Source extends Pick<Conversation, 'stop' | 'close'>, T>(
  signal: AbortSignal,
  dialled: Promise<Source>,
  work: (source: Source) => Promise<T>,
): Promise<T> {
  const source = await untilAborted(signal, dialled).catch((error: unknown) => {
    dialled.then((late) => late.close()).catch(() => undefined);
    throw error;
  });
  const stop = () => void source.stop();
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    return await work(source);
  } finally {
    signal.removeEventListener('abort', stop);
    await source.close();
  }
}
