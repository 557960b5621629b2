/**
 * Step Functions in its own process, to be killed: `node machine-server.ts <data dir> <calls file>`. Prints its
 * endpoint. Records the start and the return of every Lambda call in the calls file before anything else happens; the
 * function `stuck` never returns.
 */
import { appendFileSync } from 'node:fs';
import { allowEverything } from '../../../core/access/authorizer.ts';
import { systemClock } from '../../../core/clock.ts';
import { Faults } from '../../../core/faults.ts';
import { Front } from '../../../core/front.ts';
import type { LambdaPort, SqsPort } from '../../../core/ports.ts';
import { createStepFunctions } from '../../../services/step-functions/step-functions.ts';
import { NoTasks } from '../../../testing/recording-ports.ts';

const [dataDir = '', callsFile = ''] = process.argv.slice(2);

const lambda: LambdaPort = {
  async invoke({ functionName, payload }) {
    const text = payload.toString();
    const note = (what: string) =>
      appendFileSync(callsFile, `${JSON.stringify([what, functionName, JSON.parse(text)])}\n`);
    note('begin');
    if (functionName === 'stuck') await new Promise(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 2));
    note('return');
    return { statusCode: 200, payload: Buffer.from(text) };
  },
  async invokeStreaming() {
    throw new Error('Step Functions does not stream.');
  },
};

const front = new Front();
const context = {
  region: 'us-east-1',
  accountId: '000000000000',
  dataDir,
  clock: systemClock,
  faults: new Faults(),
  authorizer: allowEverything,
  random: Math.random,
  endpoint: () => '',
  log: (message: string) => console.error(message),
};
front.add(
  createStepFunctions(context, {
    lambda,
    sqs: {} as SqsPort,
    events: { publish: async () => undefined },
    ecs: new NoTasks(),
  }),
);
console.log(`http://127.0.0.1:${await front.listen(0)}`);
