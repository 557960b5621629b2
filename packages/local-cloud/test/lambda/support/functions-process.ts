import { setTimeout } from 'node:timers/promises';
import { serveFunctions } from '../../../testing/forked-functions.ts';

/** Stands for the modules of handlers, each evaluated anew for an environment. */
async function importHandler(environment: number) {
  const name = process.env.AWS_LAMBDA_FUNCTION_NAME;
  if (name === 'broken') throw new SyntaxError('it cannot be loaded');
  return async (event: unknown, context: object) => {
    const { ms = 0, does } = event as { ms?: number; does?: 'fail' | 'end' };
    await setTimeout(ms);
    process.stdout.write(`${name} was called\n`);
    if (does === 'fail') throw new TypeError('it failed');
    if (does === 'end') process.exit(7);
    const { functionName, getRemainingTimeInMillis } = context as {
      functionName: string;
      getRemainingTimeInMillis(): number;
    };
    const now = process.env.AWS_LAMBDA_FUNCTION_NAME;
    return { environment, name, functionName, now, pid: process.pid, leftMs: getRemainingTimeInMillis() };
  };
}

serveFunctions(new Map(['one', 'other', 'broken'].map((name) => [name, importHandler])));
process.once('disconnect', () => process.exit(0));
