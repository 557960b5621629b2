import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Principal, sessionOf } from '../../core/access/principal.ts';
import { toTheSecond } from '../../core/clock.ts';
import { inTransaction } from '../../core/database.ts';
import type { CloudContext } from '../../core/service.ts';
import type { Courier } from './delivery/courier.ts';
import type { Delivery, Journal } from './delivery/journal.ts';
import type { EventDocument } from './event.ts';
import { makeInput } from './input.ts';
import type { Rule, Rules, RuleTarget } from './rules.ts';

const DEFAULT_RETRY = { attempts: 185, ageSeconds: 86_400 };

interface Deps {
  context: CloudContext;
  database: DatabaseSync;
  rules: Rules;
  journal: Journal;
  courier: Courier;
}

/** The default bus: accepted events are in the journal, one delivery per target, before the caller gets an answer. */
export class Bus {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  ruleArn(name: string): string {
    const { region, accountId } = this.#deps.context;
    return `arn:aws:events:${region}:${accountId}:rule/${name}`;
  }

  /** Journals events for the targets of every rule that they match. */
  accept(events: EventDocument[]): void {
    const { rules } = this.#deps;
    this.#journal(events.flatMap((event) => rules.matching(event).flatMap((rule) => this.#deliveries(rule, event))));
  }

  /** Journals an event for the targets of one rule. */
  acceptFor(rule: Rule, event: EventDocument): void {
    this.#journal(this.#deliveries(rule, event));
  }

  #journal(deliveries: Delivery[]): void {
    // Most events match no rule: every written object and started execution publishes one.
    if (deliveries.length === 0) return;
    const { context, database, journal, courier } = this.#deps;
    const now = context.clock.now();
    inTransaction(database, () => {
      for (const delivery of deliveries) journal.add(delivery, now, now);
    });
    courier.wake();
  }

  #deliveries(rule: Rule, event: EventDocument): Delivery[] {
    return rule.targets.map((target) => this.#delivery(rule, target, event));
  }

  #delivery(rule: Rule, target: RuleTarget, event: EventDocument): Delivery {
    const ruleArn = this.ruleArn(rule.name);
    const ingestionTime = toTheSecond(this.#deps.context.clock.now());
    const { RetryPolicy, DeadLetterConfig } = target;
    return {
      id: randomUUID(),
      targetArn: target.Arn,
      caller: callerOf(target, ruleArn),
      payload: makeInput(target, { event, ruleArn, ruleName: rule.name, ingestionTime }),
      messageGroupId: target.SqsParameters?.MessageGroupId,
      retry: {
        attempts: RetryPolicy?.MaximumRetryAttempts ?? DEFAULT_RETRY.attempts,
        ageSeconds: RetryPolicy?.MaximumEventAgeInSeconds ?? DEFAULT_RETRY.ageSeconds,
      },
      ...(DeadLetterConfig?.Arn !== undefined && {
        deadLetter: {
          queueArn: DeadLetterConfig.Arn,
          body: JSON.stringify(event),
          attributes: { RULE_ARN: ruleArn },
        },
      }),
    };
  }
}

function callerOf({ RoleArn }: RuleTarget, ruleArn: string): Principal {
  if (RoleArn === undefined) return { type: 'service', service: 'events.amazonaws.com', sourceArn: ruleArn };
  return sessionOf(RoleArn, nameIn(ruleArn));
}

function nameIn(ruleArn: string): string {
  return ruleArn.slice(ruleArn.lastIndexOf('/') + 1);
}
