import { join } from 'node:path';
import { allowEverything } from '../../../core/access/authorizer.ts';
import { systemClock } from '../../../core/clock.ts';
import { Faults } from '../../../core/faults.ts';
import { Front } from '../../../core/front.ts';
import { createLambda } from '../../../services/lambda/lambda.ts';
import { MemoryQueues } from './memory-queues.ts';
import { MemoryStreams } from './memory-streams.ts';

/**
 * A Lambda service in its own process, for tests that kill it. Arguments: data folder, number of records in its table
 * stream. Prints the port, then the stream's ARN.
 */
const [dataDir, records] = process.argv.slice(2) as [string, string];
const streams = new MemoryStreams();
const streamArn = streams.create('killed');
streams.insert(streamArn, ...Array.from({ length: Number(records) }, (_, index) => `record-${index}`));
const front = new Front();
const port = await front.listen(0);
front.add(
  createLambda(
    {
      region: 'us-east-1',
      accountId: '000000000000',
      dataDir,
      clock: systemClock,
      faults: new Faults(),
      authorizer: allowEverything,
      random: Math.random,
      endpoint: () => `http://127.0.0.1:${port}`,
      log: () => {},
    },
    {
      sqs: new MemoryQueues(),
      streams,
      logs: { append: () => {} },
      credentials: front.credentials,
      codeSource: async ({ S3Key }) => join(dataDir, S3Key),
    },
  ),
);
process.stdout.write(`${port} ${streamArn}\n`);
