import { systemClock } from '../../core/clock.ts';
import { Faults } from '../../core/faults.ts';
import { Front } from '../../core/front.ts';
import { createS3 } from '../../services/s3/s3.ts';

/**
 * The service in a process of its own, so that it can be killed and its memory measured. Tells its parent the port, every
 * published event, and on request the most memory it ever had.
 */
const [dataDir = ''] = process.argv.slice(2);
const tell = (message: object) =>
  new Promise<void>((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error ? reject(error) : resolve()));
  });

const front = new Front();
front.add(
  createS3(
    {
      ...{ region: 'us-east-1', accountId: '000000000000', dataDir, clock: systemClock, faults: new Faults() },
      ...{ random: Math.random, endpoint: () => '', log: (line) => console.error(line) },
    },
    { events: { publish: (events) => tell({ events }) } },
  ),
);
await tell({ port: await front.listen(0) });
process.on('message', () => tell({ peakBytes: process.resourceUsage().maxRSS * 1024 }));
process.on('disconnect', () => process.exit());
