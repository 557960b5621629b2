import type { RestRoute } from '../../../core/rest-json.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import type { Stage } from '../model.ts';
import { type ManagementDeps, wireTime } from './deps.ts';
import { applyPatch, type PatchOperation, type PatchRules } from './patch.ts';

interface Address {
  restApiId: string;
  stageName: string;
}

interface CreateInput extends Address {
  deploymentId?: string;
  description?: string;
  variables?: Record<string, string>;
}

const ALL = '/restapis/{restApiId}/stages';
const ONE = `${ALL}/{stageName}`;
const NAME = /^[A-Za-z0-9_-]{1,128}$/;
const RULES: PatchRules<Stage> = {
  'replace /deploymentId': (stage, deploymentId) => ({ ...stage, deploymentId }),
  'replace /description': (stage, description) => ({ ...stage, description }),
  'replace /variables/*': (stage, value, name) => ({ ...stage, variables: { ...stage.variables, [name]: value } }),
  'remove /variables/*': ({ variables, ...stage }, _value, name) => {
    const { [name]: _gone, ...rest } = variables;
    return { ...stage, variables: rest };
  },
};

/** CreateStage, GetStages, GetStage, UpdateStage and DeleteStage. */
export function stageRoutes({ context, control }: ManagementDeps): RestRoute[] {
  const find = ({ restApiId, stageName }: Address): Stage => {
    const found = control.stages(control.api(restApiId).id).find(({ name }) => name === stageName);
    if (!found) throw notFound('Invalid stage identifier specified');
    return found;
  };
  const logGroupArn = (name: string) => `arn:aws:logs:${context.region}:${context.accountId}:log-group:${name}`;
  const describeStage = (stage: Stage) => describe(stage, logGroupArn);
  const resource = ({ restApiId }: { restApiId: string }) => restApiId;
  return [
    {
      operation: 'CreateStage',
      method: 'POST',
      path: ALL,
      status: 201,
      members: ['restApiId', 'stageName', 'deploymentId', 'description', 'variables'],
      resource,
      run(input: CreateInput) {
        const { restApiId, stageName: name, deploymentId = '', description, variables = {} } = input;
        if (!NAME.test(name ?? '')) throw badRequest('Stage name only allows a-zA-Z0-9_-');
        if (control.stages(restApiId).some((stage) => stage.name === name)) throw conflict('Stage already exists');
        control.putStage(restApiId, {
          ...{ name, deploymentId, variables },
          ...(description !== undefined && { description }),
        });
        return describeStage(find(input));
      },
    },
    {
      operation: 'GetStages',
      method: 'GET',
      path: ALL,
      members: ['restApiId', 'deploymentId'],
      resource,
      run({ restApiId, deploymentId }: { restApiId: string; deploymentId?: string }) {
        const stages = control.stages(control.api(restApiId).id);
        return {
          item: stages
            .filter((stage) => stage.deploymentId === (deploymentId ?? stage.deploymentId))
            .map(describeStage),
        };
      },
    },
    {
      operation: 'GetStage',
      method: 'GET',
      path: ONE,
      members: ['restApiId', 'stageName'],
      resource,
      run: (input: Address) => describeStage(find(input)),
    },
    {
      operation: 'UpdateStage',
      method: 'PATCH',
      path: ONE,
      members: ['restApiId', 'stageName', 'patchOperations'],
      resource,
      run({ patchOperations = [], ...address }: Address & { patchOperations?: PatchOperation[] }) {
        control.putStage(address.restApiId, applyPatch('UpdateStage', find(address), patchOperations, RULES));
        return describeStage(find(address));
      },
    },
    {
      operation: 'DeleteStage',
      method: 'DELETE',
      path: ONE,
      status: 202,
      members: ['restApiId', 'stageName'],
      resource,
      run: (input: Address) => control.deleteStage(input.restApiId, find(input).name),
    },
  ];
}

function describe(stage: Stage, logGroupArn: (name: string) => string): object {
  const { name, deploymentId, description, variables, accessLog, createdAt, updatedAt } = stage;
  return {
    stageName: name,
    deploymentId,
    description,
    variables: Object.keys(variables).length > 0 ? variables : undefined,
    accessLogSettings: accessLog && { format: accessLog.format, destinationArn: logGroupArn(accessLog.logGroup) },
    cacheClusterEnabled: false,
    cacheClusterStatus: 'NOT_AVAILABLE',
    methodSettings: {},
    tracingEnabled: false,
    createdDate: wireTime(createdAt),
    lastUpdatedDate: wireTime(updatedAt),
  };
}
