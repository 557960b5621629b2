import { setTimeout as sleep } from 'node:timers/promises';
import {
  type FunctionConfiguration,
  LambdaClient,
  paginateListFunctions,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import type { RunWithSteps } from '../../shared/domains/pipelines/store/run-with-steps.ts';
import type { Deployment } from './deployment.ts';
import { EventStream } from './event-stream.ts';
import { HttpClient } from './http-client.ts';
import { uploadFile } from './upload.ts';

/** Rare, so that watching a run takes nothing from it; durations come from the run's own record. */
const WATCH_EVERY_MS = 250;
/** More rarely the more steps it has, all of which are read each time. */
const WATCH_EVERY_MS_PER_STEP = 3;
/** Whatever a measurement runs is over by then, or will never be. */
const MAX_RUN_MS = 10 * 60_000;

/** The API and the services of a started deployment, as a client sees them. */
export class Platform {
  readonly endpoint: string;
  readonly workspaceId: string;
  readonly http: HttpClient;
  readonly #authorization: Record<string, string>;
  readonly #lambda: LambdaClient;

  constructor(deployment: Deployment) {
    const { baseUrl, apiKey, workspaceId } = deployment.credentials;
    this.endpoint = baseUrl;
    this.workspaceId = workspaceId;
    this.#authorization = { authorization: `Bearer ${apiKey}` };
    this.http = new HttpClient(this.#authorization);
    this.#lambda = new LambdaClient(this.awsClient);
  }

  /** Settings for any AWS client. */
  get awsClient() {
    return {
      endpoint: this.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      forcePathStyle: true,
    };
  }

  /** Throws with the problem when the answer is not a success. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, text } = await this.http.send(method, this.endpoint + path, body);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** A data source that holds these files by name: their content, or their path here. */
  async fileSource(name: string, files: Record<string, Buffer | string>): Promise<string> {
    const source = await this.call<{ id: string }>('POST', '/api/data-sources', { name, type: 'file' });
    for (const [path, file] of Object.entries(files)) await uploadFile(this, source.id, path, file);
    return source.id;
  }

  async newPipeline(name: string, dag: object): Promise<string> {
    return (await this.call<{ id: string }>('POST', '/api/pipelines', { name, dag })).id;
  }

  /** Starts a run and waits for its end. Throws when it does not succeed. */
  async run(pipelineId: string): Promise<RunWithSteps> {
    const { id } = await this.call<{ id: string }>('POST', `/api/pipelines/${pipelineId}/run`);
    return this.endOf(id);
  }

  /** Waits for the end of a run. Throws when it does not succeed, or not in time. */
  async endOf(id: string): Promise<RunWithSteps> {
    const until = performance.now() + MAX_RUN_MS;
    for (let waitMs = WATCH_EVERY_MS; ; ) {
      await sleep(waitMs);
      const run = await this.call<RunWithSteps>('GET', `/api/pipelines/runs/${id}`);
      waitMs = WATCH_EVERY_MS + run.steps.length * WATCH_EVERY_MS_PER_STEP;
      if (run.status === 'queued' || run.status === 'running') {
        if (performance.now() > until) throw new Error(`the run ${id} is still ${run.status}`);
        continue;
      }
      if (run.status !== 'succeeded') throw new Error(`the run ${run.status}: ${JSON.stringify(run.error)}`);
      return run;
    }
  }

  /** Opens the event stream of a run. */
  watch(runId: string): EventStream {
    return new EventStream(`${this.endpoint}/api/pipelines/runs/${runId}/events`, this.#authorization);
  }

  async functions(): Promise<FunctionConfiguration[]> {
    const pages = paginateListFunctions({ client: this.#lambda }, {});
    return (await Array.fromAsync(pages)).flatMap(({ Functions = [] }) => Functions);
  }

  /** The environment variables of a function, by the name of its folder. */
  async variablesOf(name: string): Promise<Record<string, string>> {
    return (await this.functionOf(name)).Environment?.Variables ?? {};
  }

  /** A function by the name of its folder. */
  async functionOf(name: string): Promise<FunctionConfiguration> {
    // `AnalyticsRuntime-entitlements` is not `AnalyticsRuntime-change-entitlements`.
    const nameOf = ({ FunctionName = '' }: FunctionConfiguration) => FunctionName.slice(FunctionName.indexOf('-') + 1);
    const found = (await this.functions()).find((each) => nameOf(each) === name);
    if (!found) throw new Error(`${name} is not deployed`);
    return found;
  }

  /** The next call of the function finds no environment, as after any change of its configuration. */
  async replaceEnvironments(name: string, description: string): Promise<void> {
    const { FunctionName } = await this.functionOf(name);
    await this.#lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Description: description }));
  }

  close(): void {
    this.http.close();
    this.#lambda.destroy();
  }
}

/** Milliseconds from the request for a run to its end, by the run's record. */
export function runMs(run: RunWithSteps): number {
  return Date.parse(run.finishedAt!) - Date.parse(run.createdAt);
}

/** Milliseconds that each step took, in the order of the definition. */
export function stepMs(run: RunWithSteps): { stepId: string; ms: number }[] {
  return run.steps.map(({ stepId, startedAt, finishedAt }) => ({
    stepId,
    ms: Date.parse(finishedAt!) - Date.parse(startedAt!),
  }));
}
