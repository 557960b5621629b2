import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Session } from './command.ts';

/** What the user types, in a terminal. Interrupting the question interrupts the command. */
export async function ask(
  { process, signal }: Pick<Session, 'process' | 'signal'>,
  question: string,
  { isSecret = false } = {},
): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? silent : process.stderr,
    terminal: true,
  });
  lines.on('SIGINT', () => process.emit('SIGINT'));
  // From now on the terminal repeats nothing that is typed by itself.
  if (isSecret) process.stderr.write(question);
  try {
    return (await lines.question(question, { signal })).trim();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    lines.close();
  }
}
