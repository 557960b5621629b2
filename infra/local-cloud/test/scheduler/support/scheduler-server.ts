import { createScheduler } from '../../../services/scheduler/scheduler.ts';
import { createSqs } from '../../../services/sqs/sqs.ts';
import { RecordingTargets } from '../../events/support/recording-targets.ts';
import { TestFront } from '../../sqs/support/test-front.ts';

/** A process of its own that serves the Scheduler and SQS from the folder given, for tests that kill it. */
const front = await new TestFront(undefined, process.argv[2]).listen();
const sqs = front.add(createSqs(front.context('sqs')));
const { lambda, states } = new RecordingTargets();
front.add(createScheduler(front.context('scheduler'), { lambda, states, sqs }));
console.log(front.endpoint);
