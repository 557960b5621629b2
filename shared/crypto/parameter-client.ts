/** What is used of the SSM client, by name: a dynamic import of the package itself would bundle all of it. */
export { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
