import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FunctionConfiguration, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import type { RunWithSteps } from '../../shared/pipelines/records.ts';
import type { Deployment } from './deployment.ts';
import { HttpClient } from './http-client.ts';

/** Rare, so that watching a run takes nothing from it; durations come from the run's own record. */
const WATCH_EVERY_MS = 250;

/** The API and the services of a started deployment, as a client sees them. */
export class Platform {
  readonly endpoint: string;
  readonly workspaceId: string;
  readonly http: HttpClient;
  readonly #lambda: LambdaClient;

  constructor(deployment: Deployment) {
    const { baseUrl, apiKey, workspaceId } = deployment.credentials;
    this.endpoint = baseUrl;
    this.workspaceId = workspaceId;
    this.http = new HttpClient({ authorization: `Bearer ${apiKey}` });
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

  /** A data source that holds these files by name. */
  async fileSource(name: string, files: Record<string, Buffer | string>): Promise<string> {
    const source = await this.call<{ id: string }>('POST', '/api/data-sources', { name, type: 'file' });
    for (const [path, file] of Object.entries(files)) {
      const content = typeof file === 'string' ? await readFile(file) : file;
      const upload = await this.call<{ method: string; url: string; headers: Record<string, string> }>(
        'POST',
        `/api/data-sources/${source.id}/uploads`,
        { path, size: content.length },
      );
      const reply = await fetch(upload.url, {
        method: upload.method,
        headers: upload.headers,
        body: new Uint8Array(content),
      });
      if (!reply.ok) throw new Error(`the upload of ${path} answered ${reply.status}`);
    }
    return source.id;
  }

  /** Starts a run and waits for its end. Throws when it does not succeed. */
  async run(pipelineId: string): Promise<RunWithSteps> {
    const { id } = await this.call<{ id: string }>('POST', `/api/pipelines/${pipelineId}/run`);
    for (;;) {
      await sleep(WATCH_EVERY_MS);
      const run = await this.call<RunWithSteps>('GET', `/api/pipelines/runs/${id}`);
      if (run.status === 'queued' || run.status === 'running') continue;
      if (run.status !== 'succeeded') throw new Error(`the run ${run.status}: ${JSON.stringify(run.error)}`);
      return run;
    }
  }

  async functions(): Promise<FunctionConfiguration[]> {
    const { Functions = [] } = await this.#lambda.send(new ListFunctionsCommand({}));
    return Functions;
  }

  /** The environment variables of a function, by the name of its folder. */
  async variablesOf(name: string): Promise<Record<string, string>> {
    const found = (await this.functions()).find(({ FunctionName }) => FunctionName?.endsWith(`-${name}`));
    if (!found) throw new Error(`${name} is not deployed`);
    return found.Environment?.Variables ?? {};
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
