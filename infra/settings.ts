import type { StartLimits } from '../shared/domains/pipelines/store/index.ts';
import { AI_PROVIDERS, type AiSettings, aiSettings } from '../shared/platform/ai/settings.ts';
import { PASSWORD_COST } from '../shared/platform/auth/password.ts';
import { senderDomain } from '../shared/platform/mail/mailer.ts';
import { type SignInSettings, signInSettings } from './sign-in-settings.ts';

/** The console below the origin of a deployment. */
const CONSOLE_PATH = '/api/console';

/** The console of one machine. Passkeys need the name of a host. */
export const localConsole = (port: number | string): string => `http://localhost:${port}${CONSOLE_PATH}`;

export const LAMBDA_ARCHITECTURES = ['arm64', 'x86_64'] as const;
export type LambdaArchitecture = (typeof LAMBDA_ARCHITECTURES)[number];

export interface Settings extends SignInSettings {
  /** Prefix of the stack names, which distinguishes deployments in one account. */
  name: string;
  masterSecretParameter: string;
  allowedPrivateCidrs: string;
  webhookBackoffSeconds: readonly number[];
  /** The base-2 logarithm of the memory in KiB that hashing a new password takes. */
  passwordCost: number;
  /** The public keys that licence files are verified with; without one, none is accepted. */
  licencePublicKeys: readonly string[];
  /** How many days deleted workspaces and companies can be restored. */
  deletionGraceDays: number;
  /** How many runs of a pipeline, and how many runs of a workspace started by users, may start per minute. */
  startLimits: StartLimits;
  /** The processor of the functions; on one machine, that machine's. */
  lambdaArchitecture: LambdaArchitecture;
  /** Whether a container streams changes of sources; otherwise they are polled. */
  streamingCapture: boolean;
  /**
   * Whether containers run steps that are too long or too large for functions. Otherwise such steps are rejected, or
   * spill to disk.
   */
  stepContainers: boolean;
  /** Steps whose input exceeds this many megabytes move to Athena; null disables Athena. */
  athenaFromMb: number | null;
  /** The sender of mails, such as `Analytics <no-reply@example.com>`; null if the deployment sends none. */
  mailFrom: string | null;
  /** The address of the web app that mails link to; null for the console of the deployment. */
  appUrl: string | null;
  /** The AI provider; null if there is none. */
  ai: AiSettings | null;
  /** The SSM parameter (SecureString) with the key of the AI provider, if it needs one. */
  aiKeyParameter: string;
  /** The ARN of the stream of a restored table, used instead of the deployment's own table; null for its own. */
  restoredTableStream: string | null;
  /** The name of a restored bucket, used instead of the deployment's own; null for its own. */
  restoredBucket: string | null;
}

/**
 * Defaults for one machine, which serves at the port: its own networks are allowed, retries take seconds instead of
 * hours, and images need no Docker.
 */
export const localDefaults = (port = 3000) => ({
  ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8,::1/128',
  WEBHOOK_BACKOFF_SECONDS: '1,2,4,8',
  STEP_CONTAINERS: 'on',
  SSO_RETURN_URLS: `http://localhost:${port}/signed-in`,
  PASSKEY_RP_ID: 'localhost',
  PASSKEY_ORIGINS: `http://localhost:${port}`,
  MAIL_FROM: 'Analytics <no-reply@example.com>',
  APP_URL: localConsole(port),
});

const TABLE_STREAM = /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}\/stream\/[\w:.-]+$/;

const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

const licenceKeyIssue = (keys: readonly string[]): string | false =>
  !keys.every((key) => /^[A-Za-z0-9_-]{43}$/.test(key)) &&
  `LICENCE_PUBLIC_KEYS must be public keys as \`npm run licence -- new-key\` prints them, separated by commas, not "${keys.join(',')}".`;

const graceIssue = (days: string): string | false =>
  !/^([1-9]|[1-9]\d|[12]\d\d|3[0-5]\d|36[0-5])$/.test(days) &&
  `DELETION_GRACE_DAYS must be a whole number of days from 1 to 365, not "${days}".`;

/** The console at the public address of the deployment; empty if that is the address of the API. */
const consoleOf = ({ PUBLIC_URL: origin = '' }: NodeJS.ProcessEnv): string =>
  origin === '' ? '' : `${origin}${CONSOLE_PATH}`;

/**
 * Reads settings from the environment, with defaults for most deployments. Throws an error that lists every invalid
 * variable.
 */
export function settings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const {
    DEPLOYMENT_NAME: name = 'Analytics',
    ALLOWED_PRIVATE_CIDRS: allowedPrivateCidrs = '',
    // Five seconds, five minutes, half an hour, two hours.
    WEBHOOK_BACKOFF_SECONDS: backoff = '5,300,1800,7200',
    PASSWORD_COST: passwordCost = String(PASSWORD_COST),
    DELETION_GRACE_DAYS: deletionGraceDays = '30',
    LICENCE_PUBLIC_KEYS: licenceKeys = '',
    // Not taken from the domain of pipelines, which takes every command two seconds to load.
    PIPELINE_STARTS_PER_MINUTE: pipelineStarts = '60',
    WORKSPACE_STARTS_PER_MINUTE: workspaceStarts = '600',
    LAMBDA_ARCHITECTURE: architecture = 'arm64',
    STREAMING_CAPTURE: streamingCapture = 'off',
    STEP_CONTAINERS: stepContainers = 'off',
    ATHENA: athena = 'off',
    // Fits on the disk of a container several times, as sorts and joins require.
    ATHENA_FROM_MB: athenaFromMb = '20480',
    MAIL_FROM: mailFrom = '',
    APP_URL: appUrl = consoleOf(environment),
    AI_PROVIDER: aiProvider = '',
    AI_MODEL: aiModel = '',
    AI_EMBEDDING_MODEL: aiEmbeddingModel = '',
    AI_BASE_URL: aiBaseUrl = '',
    RESTORED_TABLE_STREAM: restoredTableStream = '',
    RESTORED_BUCKET: restoredBucket = '',
  } = environment;
  const webhookBackoffSeconds = backoff.split(',').map(Number);
  const licencePublicKeys = commaSeparated(licenceKeys);
  const signIn = signInSettings(environment);
  const lambdaArchitecture = LAMBDA_ARCHITECTURES.find((each) => each === architecture);
  const issues = [
    !/^[A-Za-z][A-Za-z0-9]{0,31}$/.test(name) &&
      `DEPLOYMENT_NAME must be a letter and up to 31 letters and digits, not "${name}".`,
    (webhookBackoffSeconds.length !== 4 || !webhookBackoffSeconds.every((gap) => Number.isInteger(gap) && gap >= 0)) &&
      `WEBHOOK_BACKOFF_SECONDS must be four whole numbers of seconds, separated by commas, not "${backoff}".`,
    ...signIn.issues,
    !/^1[0-7]$/.test(passwordCost) && `PASSWORD_COST must be a whole number from 10 to 17, not "${passwordCost}".`,
    licenceKeyIssue(licencePublicKeys),
    graceIssue(deletionGraceDays),
    ...Object.entries({
      PIPELINE_STARTS_PER_MINUTE: pipelineStarts,
      WORKSPACE_STARTS_PER_MINUTE: workspaceStarts,
    }).map(
      ([variable, starts]) =>
        !/^[1-9]\d{0,4}$/.test(starts) && `${variable} must be a whole number from 1 to 99999, not "${starts}".`,
    ),
    !lambdaArchitecture && `LAMBDA_ARCHITECTURE must be ${LAMBDA_ARCHITECTURES.join(' or ')}, not "${architecture}".`,
    !['on', 'off'].includes(streamingCapture) && `STREAMING_CAPTURE must be on or off, not "${streamingCapture}".`,
    !['on', 'off'].includes(stepContainers) && `STEP_CONTAINERS must be on or off, not "${stepContainers}".`,
    !['on', 'off'].includes(athena) && `ATHENA must be on or off, not "${athena}".`,
    !/^[1-9]\d{0,8}$/.test(athenaFromMb) &&
      `ATHENA_FROM_MB must be a whole number of megabytes, not "${athenaFromMb}".`,
    ...mailIssues({ mailFrom, appUrl }),
    ...aiIssues({ aiProvider, aiModel, aiEmbeddingModel, aiBaseUrl }),
    restoredTableStream !== '' &&
      !TABLE_STREAM.test(restoredTableStream) &&
      `RESTORED_TABLE_STREAM must be the ARN of a table's stream, as \`npm run restore -- table\` prints it, not "${restoredTableStream}".`,
    restoredBucket !== '' &&
      !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(restoredBucket) &&
      `RESTORED_BUCKET must be the name of a bucket, not "${restoredBucket}".`,
  ].filter((issue) => issue !== false);
  if (!lambdaArchitecture || issues.length > 0) throw new Error(issues.join('\n'));
  return {
    name,
    masterSecretParameter: `/${name.toLowerCase()}/master-secret`,
    allowedPrivateCidrs,
    webhookBackoffSeconds,
    ...signIn.settings,
    passwordCost: Number(passwordCost),
    licencePublicKeys,
    deletionGraceDays: Number(deletionGraceDays),
    startLimits: { perPipeline: Number(pipelineStarts), perWorkspace: Number(workspaceStarts) },
    lambdaArchitecture,
    streamingCapture: streamingCapture === 'on',
    stepContainers: stepContainers === 'on',
    athenaFromMb: athena === 'on' ? Number(athenaFromMb) : null,
    ...mailSettings({ mailFrom, appUrl }),
    ai: aiSettings(environment) ?? null,
    aiKeyParameter: `/${name.toLowerCase()}/ai-key`,
    restoredTableStream: restoredTableStream || null,
    restoredBucket: restoredBucket || null,
  };
}

interface AiVariables {
  aiProvider: string;
  aiModel: string;
  aiEmbeddingModel: string;
  aiBaseUrl: string;
}

function aiIssues({ aiProvider, aiModel, aiEmbeddingModel, aiBaseUrl }: AiVariables): (string | false)[] {
  return [
    aiProvider !== '' &&
      !AI_PROVIDERS.some((each) => each === aiProvider) &&
      `AI_PROVIDER must be ${AI_PROVIDERS.join(', ')} or empty, not "${aiProvider}".`,
    (aiProvider !== '') !== (aiModel !== '') && 'AI_PROVIDER and AI_MODEL must be set together.',
    aiEmbeddingModel !== '' &&
      !['openai-compatible', 'amazon-bedrock'].includes(aiProvider) &&
      'AI_EMBEDDING_MODEL needs the AI_PROVIDER openai-compatible or amazon-bedrock.',
    aiBaseUrl !== '' && !URL.canParse(aiBaseUrl) && `AI_BASE_URL must be a URL, not "${aiBaseUrl}".`,
  ];
}

interface MailVariables {
  mailFrom: string;
  appUrl: string;
}

function mailIssues({ mailFrom, appUrl }: MailVariables): (string | false)[] {
  return [
    mailFrom !== '' &&
      !senderDomain(mailFrom) &&
      `MAIL_FROM must be an address such as "Analytics <no-reply@example.com>", in ASCII, not "${mailFrom}".`,
    appUrl !== '' &&
      !/^https?:$/.test(URL.parse(appUrl)?.protocol ?? '') &&
      `APP_URL must be the address of a web app, such as https://analytics.example.com, not "${appUrl}".`,
  ];
}

const mailSettings = ({ mailFrom, appUrl }: MailVariables): Pick<Settings, 'mailFrom' | 'appUrl'> => ({
  mailFrom: mailFrom || null,
  appUrl: appUrl.replace(/\/+$/, '') || null,
});
