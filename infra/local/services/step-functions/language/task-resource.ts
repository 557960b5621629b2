/** What a Task state calls. `resourceType` and `resource` are the names under which history events report it. */
export interface TaskResource {
  readonly kind: 'lambda:invoke' | 'lambda:function' | 'sqs:sendMessage' | 'states:startExecution';
  readonly resourceType: 'lambda' | 'sqs' | 'states';
  readonly resource: string;
  readonly waitForTaskToken: boolean;
  /** The function of a plain Lambda ARN. */
  readonly functionArn?: string;
}

const INTEGRATIONS: Record<string, Omit<TaskResource, 'resource' | 'waitForTaskToken'> & { callback: boolean }> = {
  'lambda:invoke': { kind: 'lambda:invoke', resourceType: 'lambda', callback: true },
  'sqs:sendMessage': { kind: 'sqs:sendMessage', resourceType: 'sqs', callback: true },
  'states:startExecution': { kind: 'states:startExecution', resourceType: 'states', callback: false },
};

const FUNCTION_ARN = /^arn:aws[\w-]*:lambda:[\w-]+:\d{12}:function:[\w-]+(:[\w$-]+)?$/;

/** Reads a Task's `Resource`; `undefined` when the local cloud cannot run it. */
export function parseTaskResource(arn: string): TaskResource | undefined {
  if (FUNCTION_ARN.test(arn)) {
    return {
      kind: 'lambda:function',
      resourceType: 'lambda',
      resource: arn,
      functionArn: arn,
      waitForTaskToken: false,
    };
  }
  const [, name = '', pattern] = /^arn:aws[\w-]*:states:::([\w-]+:\w+)(?:\.(\w+))?$/.exec(arn) ?? [];
  if (!Object.hasOwn(INTEGRATIONS, name)) return undefined;
  const { kind, resourceType, callback } = INTEGRATIONS[name]!;
  if (pattern !== undefined && !(pattern === 'waitForTaskToken' && callback)) return undefined;
  const operation = name.slice(name.indexOf(':') + 1);
  return {
    kind,
    resourceType,
    resource: pattern ? `${operation}.${pattern}` : operation,
    waitForTaskToken: pattern !== undefined,
  };
}
