import { unsupported } from '../../../core/aws-error.ts';
import { functionArn, type Place } from '../arns.ts';
import { RESERVED_VARIABLES } from '../execution/variables.ts';
import type { FunctionRecord, FunctionVersion, LoggingConfig } from '../model.ts';
import { checkEnum, checkRange, invalidParameter } from './checks.ts';

/** Common members of CreateFunction and UpdateFunctionConfiguration. */
export interface ConfigurationInput {
  Runtime?: string;
  Role?: string;
  Handler?: string;
  Description?: string;
  Timeout?: number;
  MemorySize?: number;
  Environment?: { Variables?: Record<string, string> };
  TracingConfig?: { Mode?: FunctionVersion['tracingMode'] };
  EphemeralStorage?: { Size?: number };
  SnapStart?: { ApplyOn?: string };
  LoggingConfig?: Partial<LoggingConfig>;
}

export const CONFIGURATION_MEMBERS = [
  'Runtime',
  'Role',
  'Handler',
  'Description',
  'Timeout',
  'MemorySize',
  'Environment',
  'TracingConfig',
  'EphemeralStorage',
  'SnapStart',
  'LoggingConfig',
];

export const CONFIGURATION_STRUCTURES = {
  Environment: ['Variables'],
  TracingConfig: ['Mode'],
  EphemeralStorage: ['Size'],
  SnapStart: ['ApplyOn'],
  LoggingConfig: ['LogFormat', 'LogGroup', 'ApplicationLogLevel', 'SystemLogLevel'],
};

const RUNTIMES = ['nodejs24.x', 'nodejs22.x'];
const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];
const VARIABLES_LIMIT_BYTES = 4096;

/** Rejects settings that Lambda rejects, and settings that only AWS supports. */
export function checkConfiguration(input: ConfigurationInput): void {
  if (input.Runtime !== undefined && !RUNTIMES.includes(input.Runtime)) {
    throw unsupported('lambda', `the runtime ${input.Runtime}`);
  }
  if (input.Role !== undefined && !/^arn:aws:iam::\d{12}:role\/.+$/.test(input.Role)) {
    throw invalidParameter(`The role defined for the function is not a role ARN: ${input.Role}`);
  }
  checkRange('Timeout', input.Timeout, 1, 900);
  checkRange('MemorySize', input.MemorySize, 128, 10_240);
  checkRange('EphemeralStorage.Size', input.EphemeralStorage?.Size, 512, 10_240);
  checkEnum('TracingConfig.Mode', input.TracingConfig?.Mode, ['Active', 'PassThrough']);
  checkEnum('LoggingConfig.LogFormat', input.LoggingConfig?.LogFormat, ['JSON', 'Text']);
  checkEnum('LoggingConfig.ApplicationLogLevel', input.LoggingConfig?.ApplicationLogLevel, LEVELS);
  checkEnum('LoggingConfig.SystemLogLevel', input.LoggingConfig?.SystemLogLevel, ['DEBUG', 'INFO', 'WARN']);
  if ((input.SnapStart?.ApplyOn ?? 'None') !== 'None') throw unsupported('lambda', 'SnapStart');
  checkVariables(input.Environment?.Variables ?? {});
}

function checkVariables(variables: Record<string, string>): void {
  const rejection =
    'Lambda was unable to configure your environment variables because the environment variables you have provided';
  const reserved = Object.keys(variables).filter((name) => RESERVED_VARIABLES.has(name));
  if (reserved.length > 0) {
    throw invalidParameter(
      `${rejection} contains reserved keys that are currently not supported for modification. Reserved keys used in this request: ${reserved.join(', ')}`,
    );
  }
  const bad = Object.keys(variables).filter((name) => !/^[a-zA-Z][a-zA-Z0-9_]+$/.test(name));
  if (bad.length > 0) {
    throw invalidParameter(`${rejection} have invalid names: ${bad.join(', ')}`);
  }
  const measured = JSON.stringify(variables);
  if (Buffer.byteLength(measured) > VARIABLES_LIMIT_BYTES) {
    throw invalidParameter(`${rejection} exceeded the 4KB limit. String measured: ${measured}`);
  }
}

/** The settings of a version after a change: given members replace current ones. */
export function withConfiguration(
  current: FunctionVersion,
  input: ConfigurationInput,
  functionName: string,
): FunctionVersion {
  const variables = input.Environment === undefined ? current.variables : (input.Environment.Variables ?? {});
  return {
    ...current,
    runtime: input.Runtime ?? current.runtime,
    role: input.Role ?? current.role,
    handler: input.Handler ?? current.handler,
    description: input.Description ?? current.description,
    timeoutSeconds: input.Timeout ?? current.timeoutSeconds,
    memorySizeMb: input.MemorySize ?? current.memorySizeMb,
    variables,
    tracingMode: input.TracingConfig?.Mode ?? current.tracingMode,
    ephemeralStorageMb: input.EphemeralStorage?.Size ?? current.ephemeralStorageMb,
    logging: input.LoggingConfig ? loggingConfig(input.LoggingConfig, functionName) : current.logging,
  };
}

export function loggingConfig(input: Partial<LoggingConfig>, functionName: string): LoggingConfig {
  const format = input.LogFormat ?? 'Text';
  if (format === 'Text' && (input.ApplicationLogLevel ?? input.SystemLogLevel) !== undefined) {
    throw invalidParameter('To use ApplicationLogLevel or SystemLogLevel, you must set LogFormat to JSON.');
  }
  return {
    LogFormat: format,
    LogGroup: input.LogGroup ?? `/aws/lambda/${functionName}`,
    ...(format === 'JSON' && {
      ApplicationLogLevel: input.ApplicationLogLevel ?? 'INFO',
      SystemLogLevel: input.SystemLogLevel ?? 'INFO',
    }),
  };
}

/** A version in the API's form. */
export function describe(place: Place, record: FunctionRecord, version: FunctionVersion, qualifier?: string): object {
  return {
    FunctionName: record.name,
    FunctionArn: functionArn(place, record.name, qualifier),
    Runtime: version.runtime,
    Role: version.role,
    Handler: version.handler,
    CodeSize: version.code.sizeBytes,
    Description: version.description,
    Timeout: version.timeoutSeconds,
    MemorySize: version.memorySizeMb,
    LastModified: version.lastModified,
    CodeSha256: version.code.sha256,
    Version: version.version,
    ...(Object.keys(version.variables).length > 0 && { Environment: { Variables: version.variables } }),
    TracingConfig: { Mode: version.tracingMode },
    RevisionId: version.revisionId,
    State: 'Active',
    LastUpdateStatus: 'Successful',
    PackageType: 'Zip',
    Architectures: [version.architecture],
    EphemeralStorage: { Size: version.ephemeralStorageMb },
    SnapStart: { ApplyOn: 'None', OptimizationStatus: 'Off' },
    LoggingConfig: version.logging,
  };
}
