import { AwsError, unsupported } from '../../core/aws-error.ts';
import type { Operation } from '../../core/operations.ts';
import { pageOf } from '../../core/paging.ts';
import type { CloudContext } from '../../core/service.ts';
import type { Bus } from './bus.ts';
import { checkBus } from './default-bus.ts';
import { InvalidPattern } from './pattern/conditions.ts';
import { EventPattern } from './pattern/pattern.ts';
import type { Rule, Rules } from './rules.ts';
import { readSchedule, type ScheduledRules } from './scheduled-rules.ts';

const RULE_NAME = /^[.\-_A-Za-z0-9]{1,64}$/;
const MAX_LISTED = 100;

interface PutRuleInput {
  Name: string;
  EventBusName?: string;
  EventPattern?: string;
  ScheduleExpression?: string;
  State?: Rule['state'];
  Description?: string;
  RoleArn?: string;
}

export interface Named {
  Name: string;
  EventBusName?: string;
}

export interface Page {
  Limit?: number;
  NextToken?: string;
}

/** Throws `InvalidEventPatternException`. */
export function compilePattern(text: string): EventPattern {
  try {
    return new EventPattern(text);
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
    throw new AwsError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${error.message}`);
  }
}

/** Operations on rules. */
export class RuleOperations {
  readonly #context: CloudContext;
  readonly #rules: Rules;
  readonly #bus: Bus;
  readonly #scheduled: ScheduledRules;

  constructor(context: CloudContext, rules: Rules, bus: Bus, scheduled: ScheduledRules) {
    this.#context = context;
    this.#rules = rules;
    this.#bus = bus;
    this.#scheduled = scheduled;
  }

  table(): Record<string, Operation> {
    const byName = { resource: ({ Name }: Named) => Name };
    return {
      PutRule: {
        members: ['Name', 'EventBusName', 'EventPattern', 'ScheduleExpression', 'State', 'Description', 'RoleArn'],
        ...byName,
        run: (input: PutRuleInput) => this.#put(input),
      },
      DescribeRule: {
        members: ['Name', 'EventBusName'],
        ...byName,
        run: ({ Name, EventBusName }: Named) => {
          checkBus(this.#context, EventBusName);
          return { ...this.#show(this.#rules.get(Name)), CreatedBy: this.#context.accountId };
        },
      },
      ListRules: {
        members: ['NamePrefix', 'EventBusName', 'Limit', 'NextToken'],
        run: ({ NamePrefix = '', EventBusName, ...page }: Page & { NamePrefix?: string; EventBusName?: string }) => {
          checkBus(this.#context, EventBusName);
          const rules = this.#rules.all().filter(({ name }) => name.startsWith(NamePrefix));
          const { items, next } = pageOf(rules, ({ name }) => name, sizeAndToken(page));
          return { Rules: items.map((rule) => this.#show(rule)), ...next };
        },
      },
      DeleteRule: {
        members: ['Name', 'EventBusName', 'Force'],
        ...byName,
        run: ({ Name, EventBusName }: Named) => this.#delete(Name, EventBusName),
      },
      EnableRule: {
        members: ['Name', 'EventBusName'],
        ...byName,
        run: (input: Named) => this.#setState(input, 'ENABLED'),
      },
      DisableRule: {
        members: ['Name', 'EventBusName'],
        ...byName,
        run: (input: Named) => this.#setState(input, 'DISABLED'),
      },
    };
  }

  #put(input: PutRuleInput) {
    const { Name: name, EventPattern: eventPattern, ScheduleExpression: scheduleExpression, State = 'ENABLED' } = input;
    checkBus(this.#context, input.EventBusName);
    if (!RULE_NAME.test(name ?? '')) {
      throw new AwsError(
        'ValidationException',
        `1 validation error detected: Value '${name}' at 'name' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+`,
      );
    }
    if (eventPattern === undefined && scheduleExpression === undefined) {
      throw new AwsError('ValidationException', 'Parameter(s) EventPattern or ScheduleExpression must be specified.');
    }
    if (State !== 'ENABLED' && State !== 'DISABLED') throw unsupported('events', `the rule state ${State}`);
    if (eventPattern !== undefined) compilePattern(eventPattern);
    if (scheduleExpression !== undefined) checkSchedule(scheduleExpression);
    const current = this.#rules.find(name);
    // An unchanged rate keeps its starting point.
    const sameSchedule = current?.scheduleExpression === scheduleExpression;
    const rule: Rule = {
      name,
      ...(eventPattern !== undefined && { eventPattern }),
      ...(scheduleExpression !== undefined && { scheduleExpression }),
      scheduledFrom: current && sameSchedule ? current.scheduledFrom : this.#context.clock.now(),
      state: State,
      ...(input.Description !== undefined && { description: input.Description }),
      ...(input.RoleArn !== undefined && { roleArn: input.RoleArn }),
      targets: current?.targets ?? [],
    };
    this.#change(rule);
    return { RuleArn: this.#bus.ruleArn(name) };
  }

  /** Deleting a missing rule succeeds, as on AWS. */
  #delete(name: string, bus: string | undefined): void {
    checkBus(this.#context, bus);
    if (this.#rules.find(name)?.targets.length) {
      throw new AwsError('ValidationException', "Rule can't be deleted since it has targets.");
    }
    this.#rules.delete(name);
    this.#scheduled.disarm(name);
  }

  #setState({ Name, EventBusName }: Named, state: Rule['state']): void {
    checkBus(this.#context, EventBusName);
    this.#change({ ...this.#rules.get(Name), state });
  }

  #change(rule: Rule): void {
    this.#rules.save(rule);
    this.#scheduled.arm(rule);
  }

  #show(rule: Rule): object {
    return {
      Name: rule.name,
      Arn: this.#bus.ruleArn(rule.name),
      ...(rule.eventPattern !== undefined && { EventPattern: rule.eventPattern }),
      ...(rule.scheduleExpression !== undefined && { ScheduleExpression: rule.scheduleExpression }),
      State: rule.state,
      ...(rule.description !== undefined && { Description: rule.description }),
      ...(rule.roleArn !== undefined && { RoleArn: rule.roleArn }),
      EventBusName: 'default',
    };
  }
}

export function sizeAndToken({ Limit = MAX_LISTED, NextToken }: Page) {
  return { size: Limit, token: NextToken };
}

function checkSchedule(expression: string): void {
  try {
    readSchedule(expression, 0);
  } catch {
    throw new AwsError('ValidationException', 'Parameter ScheduleExpression is not valid.');
  }
}
