import { join } from 'node:path';
import { App, CfnOutput, CrossStackReferences, Duration, ReferenceStrength, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  Cors,
  LambdaIntegration,
  LogGroupLogDestination,
  ResponseTransferMode,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Alarm, AlarmRule, AlarmState, CompositeAlarm, Dashboard, GraphWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  FilterCriteria,
  FilterRule,
  Function as LambdaFunction,
  Runtime,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { DynamoEventSource, SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket, HttpMethods } from 'aws-cdk-lib/aws-s3';
import { Schedule, ScheduleExpression, ScheduleGroup, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';

export interface MiniAppOptions {
  /** Value of the function's environment variable `VERSION`. */
  version: string;
  /** Whether there is a stage with the route `/extra`. */
  extraRoute?: boolean;
}

/** Writes the cloud assembly of a small app with every construct that the local cloud supports. */
export function synthesizeMiniApp(outdir: string, bundles: string, options: MiniAppOptions): void {
  for (const [name, file] of Object.entries({ handler: 'handler.ts', streamer: 'streamer.mjs' })) {
    buildSync({
      entryPoints: [join(import.meta.dirname, file)],
      outfile: join(bundles, name, 'index.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      logLevel: 'error',
    });
  }
  const app = new App({ outdir, analyticsReporting: false, context: { '@aws-cdk/core:newStyleStackSynthesis': true } });
  CrossStackReferences.of(app).consume(ReferenceStrength.WEAK);
  const data = new DataStack(app, 'MiniData');
  const runtime = new RuntimeStack(app, 'MiniRuntime', data, bundles, options);
  runtime.addStackDependency(data);
  const observability = new ObservabilityStack(app, 'MiniObservability', runtime);
  observability.addStackDependency(runtime);
  app.synth();
}

class DataStack extends Stack {
  readonly table: TableV2;
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: 'expiresAt',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      globalSecondaryIndexes: ['byText', 'byOwner'].map((indexName) => ({
        indexName,
        partitionKey: { name: indexName, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      })),
    });
    this.bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [{ id: 'tidy', prefix: 'tmp/', expiration: Duration.days(1) }],
      cors: [{ allowedMethods: [HttpMethods.PUT], allowedOrigins: ['*'], exposedHeaders: ['ETag'] }],
    });
    (this.bucket.node.defaultChild as CfnBucket).addPropertyOverride(
      'NotificationConfiguration.EventBridgeConfiguration.EventBridgeEnabled',
      true,
    );
  }
}

class RuntimeStack extends Stack {
  readonly worker: LambdaFunction;

  constructor(scope: Construct, id: string, data: DataStack, bundles: string, options: MiniAppOptions) {
    super(scope, id);
    const { table, bucket } = data;
    this.worker = this.#function('Worker', join(bundles, 'handler'), { VERSION: options.version });
    const streamer = this.#function('Streamer', join(bundles, 'streamer'));
    const { queue, deadLetters } = this.#queues();
    const machine = this.#machine();

    table.grantReadWriteData(this.worker);
    bucket.grantPut(this.worker);
    queue.grantSendMessages(this.worker);
    const machineArn = `arn:aws:states:${this.region}:${this.account}:stateMachine:mini-machine`;
    // The machine calls the worker, so a grant of the machine would be a circle.
    this.worker.addToRolePolicy(new PolicyStatement({ actions: ['states:StartExecution'], resources: [machineArn] }));
    for (const [name, value] of Object.entries({
      TABLE: table.tableName,
      BUCKET: bucket.bucketName,
      QUEUE_URL: queue.queueUrl,
      MACHINE_ARN: machineArn,
    })) {
      this.worker.addEnvironment(name, value);
    }
    machine.grantStartExecution(streamer);
    this.worker.configureAsyncInvoke({ retryAttempts: 1, onFailure: new SqsDestination(deadLetters) });
    this.worker.addEventSource(new SqsEventSource(queue, { reportBatchItemFailures: true, maxConcurrency: 2 }));
    this.worker.addEventSource(
      new DynamoEventSource(table, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        bisectBatchOnError: true,
        retryAttempts: 2,
        reportBatchItemFailures: true,
        onFailure: new SqsDlq(deadLetters),
        filters: [FilterCriteria.filter({ dynamodb: { NewImage: { pk: { S: FilterRule.beginsWith('watched') } } } })],
      }),
    );
    new Rule(this, 'Uploads', {
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [bucket.bucketName] } },
      },
      targets: [new SqsQueue(queue)],
    });
    new Schedule(this, 'Soon', {
      schedule: ScheduleExpression.rate(Duration.minutes(1)),
      scheduleGroup: new ScheduleGroup(this, 'Group', {}),
      target: new LambdaInvoke(this.worker, {
        input: ScheduleTargetInput.fromObject({ fromSchedule: { id: 'tick', text: 'tock' } }),
      }),
    });
    new StringParameter(this, 'Parameter', { parameterName: '/mini/parameter', stringValue: options.version });
    this.#api(streamer, options);
  }

  #function(id: string, folder: string, environment: Record<string, string> = {}): LambdaFunction {
    return new LambdaFunction(this, id, {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(folder),
      memorySize: 256,
      timeout: Duration.seconds(10),
      logGroup: new LogGroup(this, `${id}Logs`, { retention: RetentionDays.ONE_WEEK }),
      environment,
    });
  }

  #queues(): { queue: Queue; deadLetters: Queue } {
    const options = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    const deadLetters = new Queue(this, 'DeadLetters', { ...options, retentionPeriod: Duration.days(14) });
    const queue = new Queue(this, 'Queue', {
      ...options,
      visibilityTimeout: Duration.seconds(60),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 3 },
    });
    return { queue, deadLetters };
  }

  #machine(): StateMachine {
    const definition = {
      QueryLanguage: 'JSONata',
      StartAt: 'Work',
      States: {
        Work: {
          Type: 'Task',
          Resource: 'arn:aws:states:::lambda:invoke',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is Step Functions'
          Arguments: { FunctionName: '${Worker}', Payload: { fromMachine: '{% $states.input %}' } },
          End: true,
        },
      },
    };
    const machine = new StateMachine(this, 'Machine', {
      stateMachineName: 'mini-machine',
      definitionBody: DefinitionBody.fromString(JSON.stringify(definition)),
      definitionSubstitutions: { Worker: this.worker.functionArn },
      logs: { level: LogLevel.ERROR, destination: new LogGroup(this, 'MachineLogs') },
      tracingEnabled: true,
    });
    this.worker.grantInvoke(machine);
    return machine;
  }

  #api(streamer: LambdaFunction, options: MiniAppOptions): void {
    const logs = new LogGroup(this, 'AccessLogs', { logGroupName: 'mini-access' });
    const api = new RestApi(this, 'Api', {
      cloudWatchRole: true,
      deployOptions: {
        stageName: 'api',
        tracingEnabled: true,
        throttlingRateLimit: 100,
        accessLogDestination: new LogGroupLogDestination(logs),
        accessLogFormat: AccessLogFormat.custom('$context.requestId $context.httpMethod $context.path $context.status'),
      },
    });
    api.addGatewayResponse('NotFound', {
      type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
      statusCode: '404',
      responseHeaders: { 'Content-Type': "'application/problem+json'" },
      templates: { 'application/json': '{"instance":"$context.path"}' },
    });
    const worker = new LambdaIntegration(this.worker, { scopePermissionToMethod: false });
    const notes = api.root.addResource('notes', {
      defaultCorsPreflightOptions: { allowOrigins: Cors.ALL_ORIGINS, allowMethods: ['GET'] },
    });
    notes.addMethod('POST', worker);
    notes.addProxy({ defaultIntegration: worker });
    api.root.addResource('stream').addMethod(
      'GET',
      new LambdaIntegration(streamer, {
        responseTransferMode: ResponseTransferMode.STREAM,
        timeout: Duration.minutes(15),
      }),
    );
    if (options.extraRoute) api.root.addResource('extra').addMethod('ANY', worker);
    new CfnOutput(this, 'Url', { value: api.url, exportName: 'mini-url' });
  }
}

class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, runtime: RuntimeStack) {
    super(scope, id);
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    const metric = runtime.worker.metricErrors();
    const alarm = new Alarm(this, 'Errors', { metric, threshold: 1, evaluationPeriods: 1 });
    alarm.addAlarmAction(new SnsAction(topic));
    new CompositeAlarm(this, 'Any', { alarmRule: AlarmRule.fromAlarm(alarm, AlarmState.ALARM) });
    new Dashboard(this, 'Dashboard', { widgets: [[new GraphWidget({ left: [metric] })]] });
  }
}
