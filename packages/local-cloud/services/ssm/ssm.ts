import { join } from 'node:path';
import { accessCheck } from '../../core/access/authorizer.ts';
import { AwsError } from '../../core/aws-error.ts';
import { inTransaction, openDatabase } from '../../core/database.ts';
import { answerJson, type JsonOperations, refuseJson } from '../../core/json-protocol.ts';
import { type FaultErrors, type Operation, rejectUnknownMembers, withFaults } from '../../core/operations.ts';
import type { CloudContext, LocalService } from '../../core/service.ts';
import { ssmRequests } from '../../iam/requests/ssm.ts';
import { ParameterStore } from './parameter-store.ts';
import { PARAMETERS_SCHEMA, Parameters } from './parameters.ts';
import { Sealing } from './sealing.ts';

export type Ssm = LocalService;

const faultErrors: FaultErrors = {
  throttled: () => new AwsError('ThrottlingException', 'Rate exceeded'),
  internal: () => new AwsError('InternalServerError', 'An error occurred on the server side.', { status: 500 }),
};

/** The Parameter Store of AWS Systems Manager on this machine; secure strings are encrypted on disk. */
export function createSsm(context: CloudContext): Ssm {
  const database = openDatabase(join(context.dataDir, 'ssm.sqlite'), PARAMETERS_SCHEMA);
  const sealing = new Sealing(join(context.dataDir, 'secure-string.key'));
  const store = new ParameterStore(context, new Parameters(database), sealing);
  const table: Record<string, Operation> = { ...store.operations(), ...store.tagOperations() };

  const operations: JsonOperations = Object.fromEntries(
    Object.entries(table).map(([name, operation]) => [
      name,
      (input: object) => {
        rejectUnknownMembers('ssm', name, input, operation.members, operation.structures);
        const place = { service: 'ssm', operation: name, resource: operation.resource?.(input) };
        // Each operation writes in one transaction: a crash leaves all of it or none.
        return withFaults(context, place, faultErrors, () => inTransaction(database, () => operation.run(input)));
      },
    ]),
  );

  const checkAccess = accessCheck(context, ssmRequests);

  return {
    signingName: 'ssm',
    refuse: refuseJson('1.1'),
    handle: (request, response) =>
      answerJson({ name: 'ssm', version: '1.1', operations, checkAccess }, request, response),
    async close() {
      database.close();
    },
  };
}
