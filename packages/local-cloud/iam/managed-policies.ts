interface ManagedStatement {
  Effect: 'Allow';
  Action: readonly string[];
  Resource: string;
}

const WRITE_LOGS = ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'];

/** Policies of AWS that templates refer to, by the part of their ARN after `arn:aws:iam::aws:policy/`. */
const MANAGED_POLICIES: Readonly<Record<string, readonly ManagedStatement[]>> = {
  'service-role/AmazonAPIGatewayPushToCloudWatchLogs': [
    allow([
      'logs:CreateLogGroup',
      'logs:CreateLogStream',
      'logs:DescribeLogGroups',
      'logs:DescribeLogStreams',
      'logs:PutLogEvents',
      'logs:GetLogEvents',
      'logs:FilterLogEvents',
    ]),
  ],
  'service-role/AmazonECSTaskExecutionRolePolicy': [
    allow([
      'ecr:GetAuthorizationToken',
      'ecr:BatchCheckLayerAvailability',
      'ecr:GetDownloadUrlForLayer',
      'ecr:BatchGetImage',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]),
  ],
  'service-role/AWSLambdaBasicExecutionRole': [allow(WRITE_LOGS)],
  'service-role/AWSLambdaDynamoDBExecutionRole': [
    allow([
      'dynamodb:DescribeStream',
      'dynamodb:GetRecords',
      'dynamodb:GetShardIterator',
      'dynamodb:ListStreams',
      ...WRITE_LOGS,
    ]),
  ],
  'service-role/AWSLambdaSQSQueueExecutionRole': [
    allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', ...WRITE_LOGS]),
  ],
  AWSXRayDaemonWriteAccess: [
    allow([
      'xray:PutTraceSegments',
      'xray:PutTelemetryRecords',
      'xray:GetSamplingRules',
      'xray:GetSamplingTargets',
      'xray:GetSamplingStatisticSummaries',
    ]),
  ],
};

/** The document of a policy of AWS, or undefined if the local cloud does not know it. */
export function managedPolicy(arn: string): object | undefined {
  const name = /^arn:aws:iam::aws:policy\/(.+)$/.exec(arn)?.[1] ?? '';
  const statements = Object.hasOwn(MANAGED_POLICIES, name) ? MANAGED_POLICIES[name] : undefined;
  return statements && { Version: '2012-10-17', Statement: statements };
}

function allow(Action: readonly string[]): ManagedStatement {
  return { Effect: 'Allow', Action, Resource: '*' };
}
