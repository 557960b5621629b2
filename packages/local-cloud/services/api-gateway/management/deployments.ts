import type { RestRoute } from '../../../core/rest-json.ts';
import type { ApiGatewayControl } from '../control.ts';
import { notFound } from '../errors.ts';
import type { Deployment } from '../model.ts';
import { type ManagementDeps, type PageInput, pageReply, wireTime } from './deps.ts';

interface Address {
  restApiId: string;
  deploymentId: string;
}

interface CreateInput {
  restApiId: string;
  description?: string;
  stageName?: string;
  variables?: Record<string, string>;
}

const ALL = '/restapis/{restApiId}/deployments';
const ONE = `${ALL}/{deploymentId}`;

/** CreateDeployment, GetDeployments, GetDeployment and DeleteDeployment. */
export function deploymentRoutes({ control, newId }: ManagementDeps): RestRoute[] {
  const find = ({ restApiId, deploymentId }: Address) => findDeployment(control, restApiId, deploymentId);
  const resource = ({ restApiId }: { restApiId: string }) => restApiId;
  return [
    {
      operation: 'CreateDeployment',
      method: 'POST',
      path: ALL,
      status: 201,
      members: ['restApiId', 'description', 'stageName', 'variables'],
      resource,
      run({ restApiId, description, stageName: name, variables }: CreateInput) {
        const id = newId(6);
        control.putDeployment(restApiId, { id, description });
        if (name !== undefined) {
          const current = control.stages(restApiId).find((stage) => stage.name === name);
          const stage = current ?? { name, variables: {} };
          control.putStage(restApiId, { ...stage, deploymentId: id, ...(variables && { variables }) });
        }
        return describeDeployment(find({ restApiId, deploymentId: id }));
      },
    },
    {
      operation: 'GetDeployments',
      method: 'GET',
      path: ALL,
      members: ['restApiId', 'position', 'limit'],
      resource,
      run: ({ restApiId, ...page }: PageInput & { restApiId: string }) =>
        pageReply(control.deployments(control.api(restApiId).id).map(describeDeployment), ({ id }) => id, page),
    },
    {
      operation: 'GetDeployment',
      method: 'GET',
      path: ONE,
      members: ['restApiId', 'deploymentId'],
      resource,
      run: (input: Address) => describeDeployment(find(input)),
    },
    {
      operation: 'DeleteDeployment',
      method: 'DELETE',
      path: ONE,
      status: 202,
      members: ['restApiId', 'deploymentId'],
      resource,
      run: (input: Address) => control.deleteDeployment(input.restApiId, find(input).id),
    },
  ];
}

function findDeployment(control: ApiGatewayControl, apiId: string, id: string): Deployment {
  const found = control.deployments(control.api(apiId).id).find((deployment) => deployment.id === id);
  if (!found) throw notFound('Invalid Deployment identifier specified');
  return found;
}

function describeDeployment({ id, description, createdAt }: Deployment) {
  return { id, description, createdDate: wireTime(createdAt) };
}
