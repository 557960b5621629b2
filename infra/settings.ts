export interface Settings {
  /** Prefix of the stack names; two deployments in one account differ by it. */
  name: string;
  masterSecretParameter: string;
  allowedPrivateCidrs: string;
  webhookBackoffSeconds: readonly number[];
}

/** Settings from the environment, with what suits most deployments as defaults. */
export function settings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const name = environment.DEPLOYMENT_NAME ?? 'Analytics';
  return {
    name,
    masterSecretParameter: `/${name.toLowerCase()}/master-secret`,
    allowedPrivateCidrs: environment.ALLOWED_PRIVATE_CIDRS ?? '',
    // Five seconds, five minutes, half an hour, two hours.
    webhookBackoffSeconds: (environment.WEBHOOK_BACKOFF_SECONDS ?? '5,300,1800,7200').split(',').map(Number),
  };
}
