import { join } from 'node:path';
import { type App, type Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ENGINE_BUNDLE, ENGINE_FUNCTIONS } from '../build/bundles.ts';
import type { LambdaArchitecture } from '../settings.ts';

export interface BundledFunctionProps {
  /** Name of the function's folder under `functions/` or `functions/workers/`. */
  name: string;
  /** Sets one of several functions of the same code apart. */
  variant?: string;
  description: string;
  memoryMb: number;
  timeout: Duration;
  environment?: Record<string, string>;
  /** Size of /tmp; 512 MB are free. */
  scratchMb?: number;
  /** At most this many at once; the account's share when absent. */
  concurrency?: number;
}

/** A function from its bundle in `dist/`, with a role and a log group of its own and nothing else to its name. */
export class BundledFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: BundledFunctionProps) {
    const engine = ENGINE_FUNCTIONS.has(props.name);
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    role.addToPolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logGroup.logGroupArn],
      }),
    );
    super(scope, id, {
      functionName: functionName(scope, props.variant ? `${props.name}-${props.variant}` : props.name),
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: ARCHITECTURES[lambdaArchitecture(scope)],
      handler: `${engine ? props.name : 'index'}.handler`,
      code: Code.fromAsset(join(import.meta.dirname, '../../dist', engine ? ENGINE_BUNDLE : props.name)),
      memorySize: props.memoryMb,
      timeout: props.timeout,
      tracing: Tracing.ACTIVE,
      role,
      logGroup,
      ...(props.scratchMb ? { ephemeralStorageSize: Size.mebibytes(props.scratchMb) } : {}),
      ...(props.concurrency ? { reservedConcurrentExecutions: props.concurrency } : {}),
      environment: {
        NODE_OPTIONS: '--enable-source-maps',
        POWERTOOLS_LOG_LEVEL: 'INFO',
        ...(engine ? { UV_THREADPOOL_SIZE: '16' } : {}),
        ...props.environment,
      },
    });
  }

  /** Sets a variable after creation, for what is only known later. */
  expect(name: string, value: string): this {
    this.addEnvironment(name, value);
    return this;
  }
}

const ARCHITECTURES: Record<LambdaArchitecture, Architecture> = {
  arm64: Architecture.ARM_64,
  x86_64: Architecture.X86_64,
};

/** One for all functions, told to the app before it has any. */
export function chooseArchitecture(app: App, architecture: LambdaArchitecture): void {
  app.node.setContext('lambdaArchitecture', architecture);
}

/** The processor of everything that runs. */
export function lambdaArchitecture(scope: Construct): LambdaArchitecture {
  return scope.node.getContext('lambdaArchitecture') as LambdaArchitecture;
}

/** Names are fixed by stack and function, so that grants and machines can name a function before it exists. */
export function functionName(scope: Construct, name: string): string {
  return `${Stack.of(scope).stackName}-${name}`;
}
