/** Every option of a deployment at once. */
export const EVERY_OPTION: NodeJS.ProcessEnv = {
  LAMBDA_ARCHITECTURE: 'x86_64',
  MAIL_FROM: 'Analytics <no-reply@example.com>',
  APP_URL: 'https://app.example.com',
  AI_PROVIDER: 'amazon-bedrock',
  AI_MODEL: 'eu.maker.model-v1:0',
  AI_EMBEDDING_MODEL: 'maker.embed-v2:0',
  STREAMING_CAPTURE: 'on',
  STEP_CONTAINERS: 'on',
  ATHENA: 'on',
  ATHENA_FROM_MB: '512',
};
