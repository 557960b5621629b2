import { Aws } from 'aws-cdk-lib';
import type { ExtraEngine } from '../../shared/domains/pipelines/definition/index.ts';
import { senderDomain } from '../../shared/platform/mail/mailer.ts';
import type { Deployment } from '../constructs/access.ts';
import type { Settings } from '../settings.ts';
import type { DataStore } from './data-stack.ts';

/** The settings for stacks with functions or containers. */
export interface DeploymentSettings
  extends Pick<
    Settings,
    | 'ai'
    | 'aiKeyParameter'
    | 'allowedPrivateCidrs'
    | 'mailFrom'
    | 'masterSecretParameter'
    | 'deletionGraceDays'
    | 'licencePublicKeys'
    | 'passkeys'
    | 'passwordCost'
    | 'publicUrl'
    | 'ssoDnsServer'
    | 'ssoReturnUrls'
    | 'startLimits'
    | 'stepContainers'
    | 'webhookBackoffSeconds'
  > {
  data: DataStore;
}

/** The part of the deployment that every stack has. */
export function deploymentOf({ data, ai, startLimits, ...chosen }: DeploymentSettings): Deployment {
  return {
    table: data.table,
    bucket: data.bucket,
    secrets: { 'master-secret': chosen.masterSecretParameter, 'ai-key': chosen.aiKeyParameter },
    mailDomain: chosen.mailFrom === null ? undefined : senderDomain(chosen.mailFrom),
    settings: {
      AI_PROVIDER: ai?.provider ?? '',
      AI_MODEL: ai?.model ?? '',
      AI_EMBEDDING_MODEL: ai?.embeddingModel ?? '',
      AI_BASE_URL: ai?.baseUrl ?? '',
      ...(chosen.mailFrom === null ? {} : { MAIL_FROM: chosen.mailFrom }),
      ALLOWED_PRIVATE_CIDRS: chosen.allowedPrivateCidrs,
      DELETION_GRACE_DAYS: String(chosen.deletionGraceDays),
      ...(chosen.stepContainers ? { EXTRA_ENGINES: 'container' satisfies ExtraEngine } : {}),
      ...(chosen.licencePublicKeys.length > 0 ? { LICENCE_PUBLIC_KEYS: chosen.licencePublicKeys.join(',') } : {}),
      PASSKEY_ORIGINS: chosen.passkeys.origins.join(','),
      PASSKEY_RP_ID: chosen.passkeys.rpId,
      PUBLIC_URL: chosen.publicUrl,
      SSO_DNS_SERVER: chosen.ssoDnsServer,
      SSO_RETURN_URLS: chosen.ssoReturnUrls.join(','),
      PASSWORD_COST: String(chosen.passwordCost),
      PIPELINE_STARTS_PER_MINUTE: String(startLimits.perPipeline),
      UPLOAD_ORIGIN: `https://${data.bucket.bucketName}.s3.${Aws.REGION}.${Aws.URL_SUFFIX}`,
      WEBHOOK_BACKOFF_SECONDS: chosen.webhookBackoffSeconds.join(','),
      WORKSPACE_STARTS_PER_MINUTE: String(startLimits.perWorkspace),
    },
  };
}
