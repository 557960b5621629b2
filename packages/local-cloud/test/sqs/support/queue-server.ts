import { createSqs } from '../../../services/sqs/sqs.ts';
import { TestFront } from './test-front.ts';

/** A process with SQS on the given folder, for tests that kill it. Prints its endpoint. */
const front = await new TestFront(undefined, process.argv[2]).listen();
front.add(createSqs(front.context('sqs')));
console.log(front.endpoint);
