import type { SqsPort } from '../../../core/ports.ts';
import type { CloudContext } from '../../../core/service.ts';
import type { Journal, JournaledDelivery } from './journal.ts';
import { isRetryable, type Targets } from './targets.ts';

const MAX_AT_ONCE = 32;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 600_000;

interface Deps {
  service: 'events' | 'scheduler';
  context: CloudContext;
  journal: Journal;
  targets: Targets;
  sqs: SqsPort;
  /** Fills in values that are only known at the attempt. */
  payloadOf?(delivery: JournaledDelivery): string;
}

/**
 * Delivers journaled events at least once: a delivery leaves the journal when its target, or its dead-letter queue, has
 * accepted it. A crash repeats work but loses none.
 */
export class Courier {
  readonly #deps: Deps;
  readonly #underWay = new Map<string, Promise<void>>();
  #cancelTimer: () => void = () => {};
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Starts the deliveries in the journal. Call after committing new ones. */
  wake(): void {
    if (this.#closed) return;
    this.#cancelTimer();
    const { context, journal } = this.#deps;
    const now = context.clock.now();
    for (const delivery of journal.due(now, MAX_AT_ONCE)) {
      if (this.#underWay.has(delivery.id)) continue;
      const run = this.#carry(delivery).finally(() => {
        this.#underWay.delete(delivery.id);
        this.wake();
      });
      this.#underWay.set(delivery.id, run);
    }
    const nextDueAt = journal.nextDueAt(now);
    if (nextDueAt !== undefined) this.#cancelTimer = context.clock.schedule(nextDueAt, () => this.wake());
  }

  /** Starts no more deliveries and waits for running ones. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer();
    await Promise.all(this.#underWay.values());
  }

  async #carry(delivery: JournaledDelivery): Promise<void> {
    const { journal } = this.#deps;
    try {
      await this.#send(delivery);
      journal.remove(delivery.id);
    } catch (error) {
      await this.#failed(delivery, error);
    }
  }

  async #send(delivery: JournaledDelivery): Promise<void> {
    const { service, context, targets, payloadOf } = this.#deps;
    const payload = payloadOf?.(delivery) ?? delivery.payload;
    const place = { service, operation: 'Deliver', resource: delivery.targetArn };
    const fault = context.faults.strike({ ...place, effects: ['delay', 'duplicate'] });
    if (fault?.effect === 'delay') {
      await new Promise<void>((resolve) => context.clock.schedule(context.clock.now() + (fault.delayMs ?? 0), resolve));
    }
    await targets.send({ ...delivery, payload });
    if (fault?.effect === 'duplicate') await targets.send({ ...delivery, payload });
  }

  async #failed(delivery: JournaledDelivery, error: unknown): Promise<void> {
    const { context, journal } = this.#deps;
    const now = context.clock.now();
    const failed = { ...delivery, attempts: delivery.attempts + 1 };
    const dueAt = now + backoffMs(delivery.attempts, context.random());
    const tooOld = dueAt - delivery.acceptedAt > delivery.retry.ageSeconds * 1000;
    const tooOften = failed.attempts > delivery.retry.attempts;
    if (isRetryable(error) && !tooOld && !tooOften) {
      journal.retryLater(delivery.id, failed.attempts, dueAt);
      return;
    }
    const condition = tooOften ? 'MaximumRetryAttempts' : 'MaximumEventAgeInSeconds';
    await this.#giveUp(failed, error, isRetryable(error) ? condition : undefined);
  }

  async #giveUp(delivery: JournaledDelivery, error: unknown, exhausted: string | undefined): Promise<void> {
    const { service, context, journal, sqs } = this.#deps;
    const cause = error instanceof Error ? error : new Error(String(error));
    context.log(`${service}: dropped the delivery to ${delivery.targetArn}: ${cause.name}: ${cause.message}`);
    const { deadLetter } = delivery;
    if (deadLetter) {
      try {
        await sqs.send({
          queueArn: deadLetter.queueArn,
          caller: delivery.caller,
          body: deadLetter.body,
          attributes: {
            ...deadLetter.attributes,
            TARGET_ARN: delivery.targetArn,
            ERROR_CODE: cause.name,
            ERROR_MESSAGE: cause.message || cause.name,
            RETRY_ATTEMPTS: String(delivery.attempts - 1),
            ...(exhausted !== undefined && { EXHAUSTED_RETRY_CONDITION: exhausted }),
          },
        });
      } catch (rejection) {
        if (isRetryable(rejection)) {
          journal.retryLater(delivery.id, delivery.attempts, context.clock.now() + MAX_RETRY_MS);
          return;
        }
        context.log(`${service}: the dead-letter queue ${deadLetter.queueArn} rejected it: ${String(rejection)}`);
      }
    }
    journal.remove(delivery.id);
  }
}

function backoffMs(attempts: number, jitter: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** attempts, MAX_RETRY_MS) * (0.5 + jitter / 2);
}
