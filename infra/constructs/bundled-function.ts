import { type App, Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { FunctionSize } from '../../functions/resources.ts';
import { ENGINE_BUNDLE } from '../build/bundles.ts';
import type { LambdaArchitecture } from '../settings.ts';
import { bundleFolder } from './bundle-folder.ts';
import { FunctionRole } from './function-role.ts';
import { allow } from './grants.ts';

export interface BundledFunctionProps extends FunctionSize {
  /** Name of the function's folder. */
  name: string;
  /** Distinguishes functions with the same code. */
  variant?: string;
  description: string;
  /** Whether it uses the bundle with DuckDB. */
  hasDuckDb?: boolean;
  environment?: Record<string, string>;
  /** What bounds the chains of messages through the function; without it Lambda stops them. */
  chainsEnd?: string;
}

/** A function from its bundle in `dist/`, with a role and a log group of its own and no further permissions. */
export class BundledFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: BundledFunctionProps) {
    const { name, variant, hasDuckDb, scratchMb } = props;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new FunctionRole(scope, `${id}Role`);
    allow(role, ['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]);
    super(scope, id, {
      functionName: functionName(scope, variant ? `${name}-${variant}` : name),
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: ARCHITECTURES[lambdaArchitecture(scope)],
      handler: `${hasDuckDb ? name : 'index'}.handler`,
      code: codeOf(scope, hasDuckDb ? ENGINE_BUNDLE : name),
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      // Traced as part of a sampled call of the API; Lambda has no sampling rules for calls of its own.
      tracing: Tracing.PASS_THROUGH,
      recursiveLoop: props.chainsEnd ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
      role,
      logGroup,
      ...(scratchMb ? { ephemeralStorageSize: Size.mebibytes(scratchMb) } : {}),
      environment: {
        NODE_OPTIONS: '--enable-source-maps',
        POWERTOOLS_LOG_LEVEL: 'INFO',
        ...(hasDuckDb ? { UV_THREADPOOL_SIZE: '16' } : {}),
        ...(scratchMb && hasDuckDb ? { SCRATCH_MB: String(scratchMb) } : {}),
        ...props.environment,
      },
    });
  }
}

function codeOf(scope: Construct, bundle: string): Code {
  const folder = bundleFolder(scope, bundle);
  return folder ? Code.fromAsset(folder) : Code.fromInline('// not built');
}

const ARCHITECTURES: Record<LambdaArchitecture, Architecture> = {
  arm64: Architecture.ARM_64,
  x86_64: Architecture.X86_64,
};

/** Sets the processor of all functions; must precede their creation. */
export function chooseArchitecture(app: App, architecture: LambdaArchitecture): void {
  app.node.setContext('lambdaArchitecture', architecture);
}

/** The processor of all functions and containers. */
export function lambdaArchitecture(scope: Construct): LambdaArchitecture {
  return scope.node.getContext('lambdaArchitecture') as LambdaArchitecture;
}

/** Names are derived from stack and function, so that operators and tests can refer to a function. */
function functionName(scope: Construct, name: string): string {
  return `${Stack.of(scope).stackName}-${name}`;
}
