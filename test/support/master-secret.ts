import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { operatorClients } from '../../infra/operator.ts';
import { settings } from '../../infra/settings.ts';

/** The deployment's own secret, for tests that forge what only it could have issued. */
export async function readMasterSecret(endpoint: string): Promise<{ version: number; secret: Buffer }> {
  const { Parameter } = await operatorClients(endpoint).ssm.send(
    new GetParameterCommand({ Name: settings({}).masterSecretParameter, WithDecryption: true }),
  );
  return { version: Parameter!.Version!, secret: Buffer.from(Parameter!.Value!, 'base64') };
}
