import { allowEverything } from '../../core/access/authorizer.ts';
import { systemClock } from '../../core/clock.ts';
import { Faults } from '../../core/faults.ts';
import { Front } from '../../core/front.ts';
import { createDynamoDb } from '../../services/dynamodb/dynamodb.ts';

/** A process with DynamoDB alone, on the given data folder; prints its port and runs until it is killed. */
const front = new Front();
front.add(
  createDynamoDb({
    region: 'us-east-1',
    accountId: '000000000000',
    dataDir: process.argv[2] as string,
    clock: systemClock,
    faults: new Faults(),
    authorizer: allowEverything,
    random: Math.random,
    endpoint: () => '',
    log: () => {},
  }),
);
process.send?.(await front.listen(0));
