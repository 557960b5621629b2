import type { Principal } from '../../../core/access/principal.ts';
import type { Clock } from '../../../core/clock.ts';
import type { CloudEvent, EventsPort } from '../../../core/ports.ts';
import type { OpenExecution } from '../frame.ts';
import type { ExecutionStatus } from '../storage/execution-store.ts';
import type { Ending, Journal } from '../storage/journal.ts';

/** EventBridge's limit is 256 KB; AWS omits input and output above this size. */
const INCLUDED_BYTES = 248 * 1024;
const REPEAT_AFTER_MS = 1000;
/** Services publish their own events without permission. */
const CALLER: Principal = { type: 'service', service: 'states.amazonaws.com', sourceArn: '' };

/** The event "Step Functions Execution Status Change". */
export function statusEvent(
  execution: OpenExecution,
  status: ExecutionStatus,
  ending?: Ending & { stoppedAt: number },
): CloudEvent {
  const size = Buffer.byteLength(execution.inputText) + Buffer.byteLength(ending?.output ?? '');
  const included = size <= INCLUDED_BYTES;
  const hasOutput = ending?.output !== undefined;
  return {
    source: 'aws.states',
    detailType: 'Step Functions Execution Status Change',
    resources: [execution.arn],
    detail: {
      executionArn: execution.arn,
      stateMachineArn: execution.machineArn,
      name: execution.name,
      status,
      startDate: execution.startedAt,
      stopDate: ending?.stoppedAt ?? null,
      input: included ? execution.inputText : null,
      output: included && hasOutput ? ending.output : null,
      stateMachineVersionArn: null,
      stateMachineAliasArn: null,
      redriveCount: 0,
      redriveDate: null,
      redriveStatus: 'NOT_REDRIVABLE',
      inputDetails: { included },
      outputDetails: hasOutput ? { included } : null,
      error: ending?.error ?? null,
      cause: ending?.cause ?? null,
    },
  };
}

/** Publishes stored status changes in order until EventBridge has accepted each: at least once. */
export class StatusEvents {
  readonly #journal: Journal;
  readonly #events: EventsPort;
  readonly #clock: Clock;
  #delivering = false;
  #closed = false;
  #cancelRepeat: () => void = () => undefined;

  constructor(journal: Journal, events: EventsPort, clock: Clock) {
    this.#journal = journal;
    this.#events = events;
    this.#clock = clock;
  }

  /** Call inside the step that changes the status. */
  store(event: CloudEvent): void {
    this.#journal.queueStatusEvent(JSON.stringify({ ...event, time: this.#clock.now() }));
    queueMicrotask(() => void this.deliver());
  }

  async deliver(): Promise<void> {
    if (this.#delivering || this.#closed) return;
    this.#delivering = true;
    try {
      for (
        let batch = this.#journal.queuedStatusEvents();
        batch.length > 0;
        batch = this.#journal.queuedStatusEvents()
      ) {
        await this.#events.publish(
          batch.map(({ body }) => parsed(body)),
          CALLER,
        );
        if (this.#closed) return;
        this.#journal.dropStatusEvents(batch.at(-1)!.id);
      }
    } catch {
      if (!this.#closed) {
        this.#cancelRepeat = this.#clock.schedule(this.#clock.now() + REPEAT_AFTER_MS, () => void this.deliver());
      }
    } finally {
      this.#delivering = false;
    }
  }

  close(): void {
    this.#closed = true;
    this.#cancelRepeat();
  }
}

function parsed(body: string): CloudEvent {
  const { time, ...event } = JSON.parse(body) as Omit<CloudEvent, 'time'> & { time: number };
  return { ...event, time: new Date(time) };
}
