import { AsyncLocalStorage } from 'node:async_hooks';

/** What a process that dies in the middle of a call looks like from outside. */
export class Crashed extends Error {}

/** A call that changes something: the command's name and its input. */
export interface Write {
  command: string;
  input: object;
}

/** A service that does not take a call now, as one that throttles; the process lives on. */
export class Refused extends Crashed {}

/**
 * Asked before each write: `before` loses the write, `after` its answer; both look like a crash. `refused` is reported
 * to the process, which may go on.
 */
export type Crash = (write: Write) => 'before' | 'after' | 'refused' | undefined;

const processes = new AsyncLocalStorage<{ dead: boolean }>();

/**
 * Does the work as a process of its own: once it has died none of its writes happens any more, whatever its code does
 * with the error. Throws `Crashed` when it died.
 */
export async function asProcess<T>(work: () => Promise<T>): Promise<T> {
  const own = { dead: false };
  const result = await processes.run(own, work).catch((error: unknown) => {
    throw own.dead ? new Crashed() : error;
  });
  if (own.dead) throw new Crashed();
  return result;
}

/** Begins the work again in another process until one comes to its end. */
export async function untilSurvived<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await asProcess(work);
    } catch (error) {
      if (!(error instanceof Crashed)) throw error;
    }
  }
}

/** Makes a write unless the process is dead, or dies before or after it. */
export async function writing<T>(crash: Crash, write: Write, make: () => Promise<T>): Promise<T> {
  const own = processes.getStore();
  if (own?.dead) throw new Crashed();
  const when = crash(write);
  if (when === 'refused') throw new Refused();
  if (when && own) own.dead = true;
  if (when === 'before') throw new Crashed();
  const reply = await make();
  if (when === 'after') throw new Crashed();
  return reply;
}

/** The same as a middleware of an AWS client. */
export function dyingAt(crash: Crash) {
  return <I extends object, A extends { input: I }, O>(
    next: (args: A) => Promise<O>,
    { commandName = '' }: { commandName?: string },
  ) =>
    (args: A): Promise<O> =>
      /Update|Put|Transact|BatchWrite|Delete|Copy/.test(commandName)
        ? writing(crash, { command: commandName, input: args.input }, () => next(args))
        : next(args);
}
