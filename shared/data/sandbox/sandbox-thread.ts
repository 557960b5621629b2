import { parentPort, workerData } from 'node:worker_threads';
import { csvOf, UnfitValue } from './cells.ts';
import { Guest, GuestFailure, loadEngine } from './guest.ts';
import type { FromSandbox, SandboxStart, ToSandbox } from './messages.ts';
import { ownTask } from './thread-time.ts';

/**
 * The thread in which an author's code runs. It has no environment variables, and the thread that started it terminates
 * it if it does not answer in time. It processes one batch at a time.
 */
const { settings, engine } = workerData as SandboxStart;
const port = parentPort!;
const answer = (message: FromSandbox) => port.postMessage(message);
const nothing = () => [];

function failed(error: unknown, lines: Guest['takeLines']): FromSandbox {
  if (error instanceof GuestFailure) {
    const { code, message, position } = error;
    return { kind: 'failed', code, message, ...(position ? { position } : {}), lines: lines() };
  }
  if (error instanceof UnfitValue)
    return { kind: 'failed', code: 'CODE_ERROR', message: error.message, lines: lines() };
  return { kind: 'failed', code: 'CODE_ERROR', message: 'The code broke the sandbox that it runs in.', lines: [] };
}

try {
  const quickJs = await loadEngine(engine);
  const task = ownTask();
  answer({ kind: 'started', ...(task === undefined ? {} : { task }) });
  const guest = Guest.open(settings, quickJs);
  const lines = () => guest.takeLines();
  port.on('message', (batch: ToSandbox) => {
    try {
      answer({ kind: 'rows', ...csvOf(JSON.parse(guest.run(batch)), settings.outputColumns), lines: lines() });
    } catch (error) {
      answer(failed(error, lines));
    }
  });
  answer({ kind: 'ready', lines: lines() });
} catch (error) {
  answer(failed(error, nothing));
}
