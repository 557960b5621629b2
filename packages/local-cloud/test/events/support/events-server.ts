import { createEvents } from '../../../services/events/events.ts';
import { createSqs } from '../../../services/sqs/sqs.ts';
import { TestFront } from '../../sqs/support/test-front.ts';
import { RecordingTargets } from './recording-targets.ts';

/** A process with EventBridge and SQS on the given folder, for tests that kill it. */
const front = await new TestFront(undefined, process.argv[2]).listen();
const sqs = front.add(createSqs(front.context('sqs')));
const { lambda, states } = new RecordingTargets();
front.add(createEvents(front.context('events'), { lambda, states, sqs }));
console.log(front.endpoint);
