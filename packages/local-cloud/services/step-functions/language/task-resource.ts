/** What a Task state calls. `resourceType` and `resource` are its names in history events. */
export interface TaskResource {
  readonly kind: 'lambda:invoke' | 'lambda:function' | 'sqs:sendMessage' | 'states:startExecution' | 'ecs:runTask';
  readonly resourceType: 'lambda' | 'sqs' | 'states' | 'ecs';
  readonly resource: string;
  readonly waitForTaskToken: boolean;
  /** The state waits for the end of the started work. */
  readonly waitForEnd: boolean;
  /** The function of a plain Lambda ARN. */
  readonly functionArn?: string;
}

type Pattern = 'request' | 'waitForTaskToken' | 'sync';

const INTEGRATIONS: Record<string, Pick<TaskResource, 'kind' | 'resourceType'> & { patterns: readonly Pattern[] }> = {
  'lambda:invoke': { kind: 'lambda:invoke', resourceType: 'lambda', patterns: ['request', 'waitForTaskToken'] },
  'sqs:sendMessage': { kind: 'sqs:sendMessage', resourceType: 'sqs', patterns: ['request', 'waitForTaskToken'] },
  'states:startExecution': { kind: 'states:startExecution', resourceType: 'states', patterns: ['request'] },
  'ecs:runTask': { kind: 'ecs:runTask', resourceType: 'ecs', patterns: ['sync'] },
};

const FUNCTION_ARN = /^arn:aws[\w-]*:lambda:[\w-]+:\d{12}:function:[\w-]+(:[\w$-]+)?$/;

/** Parses a Task's `Resource`; `undefined` if the local cloud does not support it. */
export function parseTaskResource(arn: string): TaskResource | undefined {
  if (FUNCTION_ARN.test(arn)) {
    return {
      kind: 'lambda:function',
      resourceType: 'lambda',
      resource: arn,
      functionArn: arn,
      waitForTaskToken: false,
      waitForEnd: false,
    };
  }
  const [, name = '', pattern] = /^arn:aws[\w-]*:states:::([\w-]+:\w+)(?:\.(\w+))?$/.exec(arn) ?? [];
  if (!Object.hasOwn(INTEGRATIONS, name)) return undefined;
  const { kind, resourceType, patterns } = INTEGRATIONS[name]!;
  if (!patterns.some((known) => known === (pattern ?? 'request'))) return undefined;
  const operation = name.slice(name.indexOf(':') + 1);
  return {
    kind,
    resourceType,
    resource: pattern ? `${operation}.${pattern}` : operation,
    waitForTaskToken: pattern === 'waitForTaskToken',
    waitForEnd: pattern === 'sync',
  };
}
