/**
 * The resources that functions need, as plain data. Each function declares them in `resources.ts` beside its handler.
 * The stacks grant exactly those, and derive the environment variables from them.
 */

/** Queues, and the variable that holds the URL for senders. */
export const QUEUES = {
  work: 'WORK_QUEUE_URL',
  jobs: 'JOB_QUEUE_URL',
  captures: 'CAPTURE_QUEUE_URL',
  deliveries: 'DELIVERY_QUEUE_URL',
  'slow-deliveries': 'SLOW_DELIVERY_QUEUE_URL',
  mails: 'MAIL_QUEUE_URL',
  reports: 'REPORT_QUEUE_URL',
  targets: 'TARGET_QUEUE_URL',
  alerts: 'ALERT_QUEUE_URL',
} as const;
export type QueueName = keyof typeof QUEUES;

/** Functions that other functions invoke, and the variable that holds their name. */
export const INVOKED_FUNCTIONS = {
  engine: 'ENGINE_FUNCTION',
  'ask-model': 'AI_FUNCTION',
  'join-sides': 'BLEND_FUNCTION',
  search: 'SEARCH_FUNCTION',
  catalog: 'CATALOG_FUNCTION',
  models: 'MODELS_FUNCTION',
  questions: 'QUESTIONS_FUNCTION',
  metrics: 'METRICS_FUNCTION',
  'saved-queries': 'SAVED_QUERIES_FUNCTION',
  dashboards: 'DASHBOARDS_FUNCTION',
  cards: 'CARDS_FUNCTION',
  exports: 'EXPORTS_FUNCTION',
  'data-sources': 'DATA_SOURCES_FUNCTION',
  datasets: 'DATASETS_FUNCTION',
  themes: 'THEMES_FUNCTION',
  'data-quality': 'DATA_QUALITY_FUNCTION',
  pipelines: 'PIPELINES_FUNCTION',
  'pipeline-authoring': 'PIPELINE_AUTHORING_FUNCTION',
  webhooks: 'WEBHOOKS_FUNCTION',
  groups: 'GROUPS_FUNCTION',
  alerts: 'ALERTS_FUNCTION',
  blends: 'BLENDS_FUNCTION',
  reports: 'REPORTS_FUNCTION',
} as const;
export type InvokedFunction = keyof typeof INVOKED_FUNCTIONS;

/** State machines, and the variable that holds their ARN. */
export const MACHINES = { run: 'RUN_MACHINE_ARN', step: 'STEP_MACHINE_ARN' } as const;
export type MachineName = keyof typeof MACHINES;

/** SSM parameters with secrets, and the variable that holds the name of the parameter. */
export const SECRETS = { 'master-secret': 'MASTER_SECRET_PARAMETER', 'ai-key': 'AI_KEY_PARAMETER' } as const;
export type SecretName = keyof typeof SECRETS;

/** Prefixes in the data bucket by content; the first `*` is a workspace. */
export const OBJECT_AREAS = {
  uploads: 'W/*/uploads/*',
  catalogues: 'W/*/catalogues/*',
  datasets: 'W/*/datasets/*',
  quality: 'W/*/quality/*',
  definitions: 'W/*/dags/*',
  watermarks: 'W/*/watermarks/*',
  vectors: 'W/*/search/*',
  changes: 'W/*/cdc/*',
  staging: 'staging/*',
  results: 'results/*',
} as const;
export type ObjectArea = keyof typeof OBJECT_AREAS;

/** Settings of the deployment that functions read, by their variable. A setting without a value is omitted. */
export const SETTINGS = [
  'AI_BASE_URL',
  'AI_EMBEDDING_MODEL',
  'AI_MODEL',
  'AI_PROVIDER',
  'ALLOWED_PRIVATE_CIDRS',
  'APP_URL',
  'ATHENA_DATABASE',
  'ATHENA_FROM_MB',
  'DELETION_GRACE_DAYS',
  'EXTRA_ENGINES',
  'LICENCE_PUBLIC_KEYS',
  'PASSKEY_ORIGINS',
  'PASSKEY_RP_ID',
  'MAIL_FROM',
  'PASSWORD_COST',
  'PIPELINE_STARTS_PER_MINUTE',
  'PUBLIC_URL',
  'SSO_DNS_SERVER',
  'SSO_RETURN_URLS',
  'UPLOAD_ORIGIN',
  'WEBHOOK_BACKOFF_SECONDS',
  'WORKSPACE_STARTS_PER_MINUTE',
] as const;
export type SettingName = (typeof SETTINGS)[number];

/** The indexes of the table, which are queried for lists and for work by due time. */
export type TableIndex = 'byCollection' | 'byDue';

export type ObjectRight = 'read' | 'readVersions' | 'write' | 'abortUploads' | 'remove';

/** How a function may complete a task that waits for its token. */
export type TaskResult = 'success' | 'failure';

/** What a function or container may use. Everything that is absent is not granted. */
export interface Access {
  table?: 'read' | 'write' | 'readWrite';
  /** Whether it reads the whole table; for erasing alone. */
  scansTable?: true;
  /** Indexes of the table that it queries. */
  indexes?: readonly TableIndex[];
  secrets?: readonly SecretName[];
  /** Objects of the data bucket. */
  objects?: Partial<Record<ObjectRight, readonly ObjectArea[]>>;
  sendsTo?: readonly QueueName[];
  invokes?: readonly InvokedFunction[];
  startsMachines?: readonly MachineName[];
  describesMachines?: readonly MachineName[];
  /** How it may complete the tasks that state machines wait for. */
  returnsTaskTokens?: readonly TaskResult[];
  /** Whether it calls the deployment's language model. */
  callsLanguageModel?: true;
  /** Whether it sends mails from the deployment's sender. */
  sendsMail?: true;
  settings?: readonly SettingName[];
  /** Variables with a fixed value. */
  variables?: Readonly<Record<string, string>>;
}

export interface FunctionSize {
  memoryMb: number;
  timeoutSeconds: number;
  /** Size of `/tmp`, which functions with DuckDB read from `SCRATCH_MB`; 512 MB when absent. */
  scratchMb?: number;
}

/** The function of an endpoint group; see `ENDPOINT_GROUP_SIZE` for the default size. */
export interface GroupResources extends Access, Partial<FunctionSize> {
  /** Whether the function streams its replies. */
  streams?: true;
}

export const ENDPOINT_GROUP_SIZE: FunctionSize = { memoryMb: 512, timeoutSeconds: 29 };

/** A queue, which its consumer owns. */
export interface ConsumedQueue {
  name: QueueName;
  batchSize: number;
  /** Maximum number of concurrent consumers. */
  maxConcurrency: number;
  /**
   * The visibility timeout; six timeouts of the consumer when absent, as AWS advises. A shorter one is safe only if two
   * consumers may work on the same message.
   */
  visibilitySeconds?: number;
  /** The queue whose dead letters it shares; its own when absent. */
  sharesDeadLettersOf?: QueueName;
}

/** A function without HTTP. */
export interface WorkerResources extends Access, FunctionSize {
  /** The folder of the function below `functions/<area>/workers/`, and its name on AWS. */
  name: string;
  description: string;
  /**
   * One function of the same code for each size, in MB of memory; the function of the usual size has no suffix in its
   * name.
   */
  sizes?: { memoryMb: Readonly<Record<string, number>>; usual: string; variable: string };
  /** Whether it runs DuckDB, and so shares the bundle that contains DuckDB's 70 MB. */
  hasDuckDb?: true;
  consumes?: readonly ConsumedQueue[];
  /** Whether it decides itself when a message that it has received becomes visible again. */
  returnsMessages?: true;
  /**
   * What ends a chain of messages in which the function, directly or through others, sends to a queue that it consumes.
   * Lambda would otherwise stop such a chain after some 16 hops as an endless loop.
   */
  chainsEnd?: string;
  /** Whether it receives the outbox items of the table's stream. */
  consumesOutbox?: true;
  /** The description of its schedule, which runs every minute. */
  everyMinute?: string;
  /** Whether an alarm reports that it crashes; errors of a caller are replies or records and not crashes. */
  alarmsOnErrors?: true;
}

/** A program in a container. */
export interface ContainerResources extends Access {
  name: string;
  cpu: number;
  memoryMb: number;
  /** Size of `/tmp`, which the program reads from `SCRATCH_MB`; without it the program cannot write. */
  scratchGb?: number;
}

export const defineResources = (resources: GroupResources): GroupResources => resources;
export const defineWorker = (worker: WorkerResources): WorkerResources => worker;
export const defineContainer = (container: ContainerResources): ContainerResources => container;
