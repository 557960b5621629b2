import { allowEverything } from '../../core/access/authorizer.ts';
import { systemClock } from '../../core/clock.ts';
import { Faults } from '../../core/faults.ts';
import { Front } from '../../core/front.ts';
import { createS3 } from '../../services/s3/s3.ts';

/**
 * The service in its own process, so that it can be killed and its memory measured. Sends its parent the port, every
 * published event, and on request its peak memory.
 */
const [dataDir = ''] = process.argv.slice(2);
const send = (message: object) =>
  new Promise<void>((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error ? reject(error) : resolve()));
  });

const front = new Front();
front.add(
  createS3(
    {
      ...{ region: 'us-east-1', accountId: '000000000000', dataDir, clock: systemClock, faults: new Faults() },
      authorizer: allowEverything,
      ...{ random: Math.random, endpoint: () => '', log: (line) => console.error(line) },
    },
    { events: { publish: (events) => send({ events }) } },
  ),
);
await send({ port: await front.listen(0) });
process.on('message', () => send({ peakBytes: process.resourceUsage().maxRSS * 1024 }));
process.on('disconnect', () => process.exit());
