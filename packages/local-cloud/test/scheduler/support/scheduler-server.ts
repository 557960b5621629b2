import { createScheduler } from '../../../services/scheduler/scheduler.ts';
import { createSqs } from '../../../services/sqs/sqs.ts';
import { RecordingTargets } from '../../events/support/recording-targets.ts';
import { TestFront } from '../../sqs/support/test-front.ts';

/** A process with the Scheduler and SQS on the given folder, for tests that kill it. */
const front = await new TestFront(undefined, process.argv[2]).listen();
const sqs = front.add(createSqs(front.context('sqs')));
const { lambda, states } = new RecordingTargets();
front.add(createScheduler(front.context('scheduler'), { lambda, states, sqs }));
console.log(front.endpoint);
