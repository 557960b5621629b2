import { AwsError } from '../../core/aws-error.ts';
import type { Clock } from '../../core/clock.ts';
import { badRequest, conflict, notFound } from './errors.ts';
import type {
  ApiDefinition,
  Deployment,
  GatewayResponse,
  Method,
  Resource,
  RestApi,
  Snapshot,
  Stage,
} from './model.ts';
import type { GatewayStore } from './store.ts';

const MAX_RESOURCES = 300;
const PATH_PART = /^(\{[A-Za-z0-9._:-]+\+?\}|[A-Za-z0-9._:~@!$&'()*+,;=%-]+)$/;

/**
 * The control plane of the gateway, for deployments and the management API alike. Each `put` creates or changes a part.
 * Input that AWS would reject is an `AwsError` with AWS's code and message. Requests see changes after the next
 * deployment.
 */
export class ApiGatewayControl {
  readonly #store: GatewayStore;
  readonly #clock: Clock;
  /** Called after a stage has changed. */
  readonly #onStages: () => void;

  constructor(store: GatewayStore, clock: Clock, onStages: () => void) {
    this.#store = store;
    this.#clock = clock;
    this.#onStages = onStages;
  }

  putRestApi(api: RestApi): void {
    const createdAt = this.#store.get(api.id, 'api', api.id)?.createdAt ?? this.#clock.now();
    this.#store.put(api.id, 'api', api.id, { ...api, createdAt });
  }

  apis(): RestApi[] {
    return this.#store.apis();
  }

  deleteRestApi(apiId: string): void {
    this.#store.deleteApi(apiId);
    this.#onStages();
  }

  /**
   * Replaces resources, methods and gateway responses by those of a definition, or keeps all if one of them is
   * invalid. `idOf` answers the id of the resource at a path.
   */
  replaceDefinition(apiId: string, definition: ApiDefinition, idOf: (path: string) => string): void {
    const { rootResourceId } = this.api(apiId);
    this.#store.transaction(() => {
      for (const kind of ['resource', 'method', 'response'] as const) this.#store.deleteKind(apiId, kind);
      const ids = new Map([['', rootResourceId]]);
      const resourceAt = (path: string): string => {
        const known = ids.get(path);
        if (known !== undefined) return known;
        const slash = path.lastIndexOf('/');
        const id = idOf(path);
        this.putResource(apiId, { id, parentId: resourceAt(path.slice(0, slash)), pathPart: path.slice(slash + 1) });
        ids.set(path, id);
        return id;
      };
      for (const { path, httpMethod, integration } of definition.methods) {
        this.putMethod(apiId, { resourceId: resourceAt(path === '/' ? '' : path), httpMethod, integration });
      }
      for (const response of definition.responses) this.putGatewayResponse(apiId, response);
    });
  }

  putResource(apiId: string, resource: Resource): void {
    const api = this.api(apiId);
    const { id, parentId, pathPart } = resource;
    const resources = this.#store.list(apiId, 'resource').filter((other) => other.id !== id);
    const parent = resources.find((other) => other.id === parentId);
    if (!parent && parentId !== api.rootResourceId) throw notFound('Invalid Resource identifier specified');
    if (!PATH_PART.test(pathPart)) {
      throw badRequest(
        "Resource's path part only allow a-zA-Z0-9._-: or a valid greedy path variable and curly braces at the beginning and the end.",
      );
    }
    if (parent && isGreedy(parent.pathPart)) {
      throw badRequest(`Cannot create a child of a resource with a greedy path variable: ${parent.pathPart}`);
    }
    const siblings = resources.filter((other) => other.parentId === parentId);
    if (siblings.some((other) => other.pathPart === pathPart)) {
      throw conflict(`Another resource with the same parent already has this name: ${pathPart}`);
    }
    const variable = siblings.find((other) => isVariable(other.pathPart));
    if (variable && isVariable(pathPart)) {
      throw badRequest(
        `A sibling (${variable.pathPart}) of this resource already has a variable path part -- only one is allowed`,
      );
    }
    if (resources.length >= MAX_RESOURCES) {
      throw new AwsError('LimitExceededException', `Maximum number of Resources for this API has been reached.`, {
        status: 429,
      });
    }
    this.#store.put(apiId, 'resource', id, resource);
  }

  resources(apiId: string): Resource[] {
    return this.#store.list(apiId, 'resource');
  }

  deleteResource(apiId: string, id: string): void {
    this.#store.delete(apiId, 'resource', id);
  }

  /** Deletes the resource with its descendants and all their methods. */
  deleteResourceTree(apiId: string, id: string): void {
    this.#store.transaction(() => this.#prune(apiId, id));
  }

  #prune(apiId: string, id: string): void {
    for (const child of this.resources(apiId)) if (child.parentId === id) this.#prune(apiId, child.id);
    for (const method of this.methods(apiId)) if (method.resourceId === id) this.deleteMethod(apiId, method);
    this.deleteResource(apiId, id);
  }

  putMethod(apiId: string, method: Method): void {
    const api = this.api(apiId);
    if (method.resourceId !== api.rootResourceId && !this.#store.get(apiId, 'resource', method.resourceId)) {
      throw notFound('Invalid Resource identifier specified');
    }
    this.#store.put(apiId, 'method', methodId(method), method);
  }

  methods(apiId: string): Method[] {
    return this.#store.list(apiId, 'method');
  }

  deleteMethod(apiId: string, method: { resourceId: string; httpMethod: string }): void {
    this.#store.delete(apiId, 'method', methodId(method));
  }

  putGatewayResponse(apiId: string, response: GatewayResponse): void {
    this.api(apiId);
    this.#store.put(apiId, 'response', response.responseType, response);
  }

  deleteGatewayResponse(apiId: string, responseType: string): void {
    this.#store.delete(apiId, 'response', responseType);
  }

  /** Freezes the API as it is now. */
  putDeployment(apiId: string, { id, description }: { id: string; description?: string | undefined }): void {
    const api = this.api(apiId);
    const methods = this.methods(apiId).map((method) => {
      const { integration } = method;
      if (!integration) throw badRequest('No integration defined for method');
      return { ...method, integration };
    });
    if (methods.length === 0) throw badRequest("The REST API doesn't contain any methods");
    const responses = this.#store.list(apiId, 'response');
    const snapshot: Snapshot = { api, resources: this.resources(apiId), methods, responses };
    this.#store.put(apiId, 'deployment', id, {
      ...{ id, snapshot, createdAt: this.#clock.now() },
      ...(description !== undefined && { description }),
    });
    this.#onStages();
  }

  deployments(apiId: string): Deployment[] {
    return this.#store.list(apiId, 'deployment');
  }

  deleteDeployment(apiId: string, id: string): void {
    if (this.#store.list(apiId, 'stage').some((stage) => stage.deploymentId === id)) {
      throw badRequest('Active stages pointing to this deployment must be moved or deleted');
    }
    this.#store.delete(apiId, 'deployment', id);
  }

  putStage(apiId: string, stage: Stage): void {
    this.api(apiId);
    if (!this.#store.get(apiId, 'deployment', stage.deploymentId)) throw badRequest('Deployment id does not exist');
    // On AWS each API has its own address; here they share one, and the stage is the first segment of the path.
    const other = this.#store.apis().find(({ id }) => id !== apiId && this.#store.get(id, 'stage', stage.name));
    if (other)
      throw conflict(`The API ${other.name} has a stage ${stage.name} already, and both would be /${stage.name}`);
    const now = this.#clock.now();
    const createdAt = this.#store.get(apiId, 'stage', stage.name)?.createdAt ?? now;
    this.#store.put(apiId, 'stage', stage.name, { ...stage, createdAt, updatedAt: now });
    this.#onStages();
  }

  stages(apiId: string): Stage[] {
    return this.#store.list(apiId, 'stage');
  }

  deleteStage(apiId: string, name: string): void {
    this.#store.delete(apiId, 'stage', name);
    this.#onStages();
  }

  /** Throws `NotFoundException`. */
  api(apiId: string): RestApi {
    const api = this.#store.get(apiId, 'api', apiId);
    if (!api) throw notFound('Invalid API identifier specified');
    return api;
  }
}

export function isVariable(pathPart: string): boolean {
  return pathPart.startsWith('{');
}

export function isGreedy(pathPart: string): boolean {
  return pathPart.endsWith('+}');
}

function methodId(method: { resourceId: string; httpMethod: string }): string {
  return `${method.resourceId} ${method.httpMethod}`;
}
