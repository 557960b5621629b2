import { AwsError } from '../../core/aws-error.ts';
import type { Operation } from '../../core/operations.ts';
import { pageOf } from '../../core/paging.ts';
import type { CloudContext } from '../../core/service.ts';
import { checkBus } from './default-bus.ts';
import type { Targets } from './delivery/targets.ts';
import { checkInput } from './input.ts';
import { type Page, sizeAndToken } from './rule-operations.ts';
import type { Rules, RuleTarget } from './rules.ts';

const TARGET_ID = /^[.\-_A-Za-z0-9]+$/;
const MAX_ID_LENGTH = 64;
const MAX_TARGETS = 5;
const TARGET_MEMBERS = [
  'Id',
  'Arn',
  'RoleArn',
  'Input',
  'InputPath',
  'InputTransformer',
  'SqsParameters',
  'DeadLetterConfig',
  'RetryPolicy',
];
const TARGET_STRUCTURES = {
  'Targets[]': TARGET_MEMBERS,
  'Targets[].InputTransformer': ['InputPathsMap', 'InputTemplate'],
  'Targets[].SqsParameters': ['MessageGroupId'],
  'Targets[].DeadLetterConfig': ['Arn'],
  'Targets[].RetryPolicy': ['MaximumRetryAttempts', 'MaximumEventAgeInSeconds'],
};

interface OfRule {
  Rule: string;
  EventBusName?: string;
}

/** Operations on the targets of rules. */
export function targetOperations(context: CloudContext, rules: Rules, targets: Targets): Record<string, Operation> {
  const resource = ({ Rule }: OfRule) => Rule;
  const ruleOf = ({ Rule, EventBusName }: OfRule) => {
    checkBus(context, EventBusName);
    return rules.get(Rule);
  };
  return {
    PutTargets: {
      members: ['Rule', 'EventBusName', 'Targets'],
      structures: TARGET_STRUCTURES,
      resource,
      run: ({ Targets = [], ...input }: OfRule & { Targets?: RuleTarget[] }) => {
        const rule = ruleOf(input);
        for (const [index, target] of Targets.entries()) checkTarget(target, index, targets);
        const given = new Set(Targets.map(({ Id }) => Id));
        const all = [...rule.targets.filter(({ Id }) => !given.has(Id)), ...Targets];
        if (all.length > MAX_TARGETS) {
          throw new AwsError('LimitExceededException', 'The requested resource exceeds the maximum number allowed.');
        }
        rules.save({ ...rule, targets: all });
        return { FailedEntryCount: 0, FailedEntries: [] };
      },
    },
    RemoveTargets: {
      members: ['Rule', 'EventBusName', 'Ids', 'Force'],
      resource,
      run: ({ Ids, ...input }: OfRule & { Ids: string[] }) => {
        const rule = ruleOf(input);
        rules.save({ ...rule, targets: rule.targets.filter(({ Id }) => !Ids.includes(Id)) });
        return { FailedEntryCount: 0, FailedEntries: [] };
      },
    },
    ListTargetsByRule: {
      members: ['Rule', 'EventBusName', 'Limit', 'NextToken'],
      resource,
      run: (input: OfRule & Page) => {
        const { items, next } = pageOf(ruleOf(input).targets, ({ Id }) => Id, sizeAndToken(input));
        return { Targets: items, ...next };
      },
    },
  };
}

function checkTarget(target: RuleTarget, index: number, targets: Targets): void {
  const { Id, Arn, RetryPolicy, DeadLetterConfig, SqsParameters } = target;
  const wrongId = (constraint: string) =>
    invalid(
      `1 validation error detected: Value '${Id}' at 'targets.${index + 1}.member.id' failed to satisfy constraint: ${constraint}`,
    );
  if (!TARGET_ID.test(Id)) throw wrongId('Member must satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+');
  if (Id.length > MAX_ID_LENGTH) throw wrongId(`Member must have length less than or equal to ${MAX_ID_LENGTH}`);
  targets.check(Arn);
  checkInput(Id, target);
  checkRetryPolicy(RetryPolicy);
  if (DeadLetterConfig?.Arn !== undefined && !/^arn:aws:sqs:/.test(DeadLetterConfig.Arn)) {
    throw invalid(`The dead-letter queue ${DeadLetterConfig.Arn} of target ${Id} is not an SQS queue.`);
  }
  if (Arn.endsWith('.fifo') && SqsParameters?.MessageGroupId === undefined) {
    throw invalid(`Parameter(s) SqsParameters must be specified for target: ${Id}.`);
  }
}

/** Throws `ValidationException` for a retry policy outside AWS's limits. */
export function checkRetryPolicy(policy: RuleTarget['RetryPolicy']): void {
  const { MaximumRetryAttempts = 0, MaximumEventAgeInSeconds = 86_400 } = policy ?? {};
  const wrong = (member: string, value: number, min: number, max: number) =>
    invalid(
      `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: Member must have value between ${min} and ${max}`,
    );
  if (MaximumRetryAttempts < 0 || MaximumRetryAttempts > 185) {
    throw wrong('maximumRetryAttempts', MaximumRetryAttempts, 0, 185);
  }
  if (MaximumEventAgeInSeconds < 60 || MaximumEventAgeInSeconds > 86_400) {
    throw wrong('maximumEventAgeInSeconds', MaximumEventAgeInSeconds, 60, 86_400);
  }
}

function invalid(message: string): AwsError {
  return new AwsError('ValidationException', message);
}
