/** A function as it is stored: one document per function. */

export interface FunctionCode {
  /** Folder of the unpacked bundle. */
  folder: string;
  sha256: string;
  sizeBytes: number;
}

export type LogLevel = 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'FATAL';

export interface LoggingConfig {
  LogFormat: 'Text' | 'JSON';
  LogGroup: string;
  ApplicationLogLevel?: LogLevel;
  SystemLogLevel?: LogLevel;
}

/** One version of a function: `$LATEST`, which changes, or a published one, which does not. */
export interface FunctionVersion {
  version: string;
  runtime: string;
  role: string;
  handler: string;
  description: string;
  timeoutSeconds: number;
  memorySizeMb: number;
  variables: Record<string, string>;
  architecture: 'arm64' | 'x86_64';
  tracingMode: 'PassThrough' | 'Active';
  ephemeralStorageMb: number;
  logging: LoggingConfig;
  code: FunctionCode;
  lastModified: string;
  /** Changes with every change of this version. */
  revisionId: string;
}

export interface FunctionAlias {
  name: string;
  functionVersion: string;
  description: string;
  revisionId: string;
}

export interface DestinationConfig {
  OnSuccess?: { Destination?: string };
  OnFailure?: { Destination?: string };
}

export interface EventInvokeConfig {
  MaximumRetryAttempts?: number;
  MaximumEventAgeInSeconds?: number;
  DestinationConfig: DestinationConfig;
  /** Epoch milliseconds. */
  lastModified: number;
}

export interface PolicyStatement {
  Sid: string;
  Effect: 'Allow';
  Principal: unknown;
  Action: string;
  Resource: string;
  Condition?: Record<string, Record<string, string>>;
}

export interface FunctionRecord {
  name: string;
  latest: FunctionVersion;
  versions: FunctionVersion[];
  /** Number of the newest version ever published; numbers are not reused. */
  lastVersion: number;
  aliases: Record<string, FunctionAlias>;
  tags: Record<string, string>;
  reservedConcurrency?: number;
  /** By qualifier; the function itself is `$LATEST`. */
  eventInvokeConfigs: Record<string, EventInvokeConfig>;
  policies: Record<string, PolicyStatement[]>;
}

/** The version that a call refers to, with the caller's ARN. */
export interface Target {
  record: FunctionRecord;
  version: FunctionVersion;
  /** `$LATEST`, a version number or an alias name, if the caller gave one. */
  qualifier?: string;
  /** The ARN with the caller's qualifier. */
  invokedArn: string;
}
