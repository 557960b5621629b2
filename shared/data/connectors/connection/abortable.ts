import type { DatabaseSession } from './database-session.ts';

/**
 * Waits until the work is done or aborted. Work that cannot be stopped, such as resolving a name, continues but its
 * result is ignored.
 */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Runs `work` with a connection that is closed afterwards. An abort also cancels the server's work; a connection that
 * is established after the abort is closed at once.
 */
export async function withSession<Source extends Pick<DatabaseSession, 'stop' | 'close'>, T>(
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
