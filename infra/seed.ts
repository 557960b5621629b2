import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOwner, operatorClients, randomPassword } from './operator.ts';

/** Credentials that `npm start` writes to the data directory for the user of this machine and for scripts. */
export interface Credentials {
  baseUrl: string;
  workspaceId: string;
  email: string;
  password: string;
  apiKey: string;
  /** The addresses of the local cloud's AWS services. */
  endpoints: Record<string, string>;
}

const SERVICES = ['dynamodb', 'sqs', 's3', 'stepfunctions', 'events', 'scheduler', 'lambda', 'ssm', 'logs'];

/**
 * Creates the first company of a fresh deployment on this machine, and writes `credentials.json`. Later starts keep the
 * credentials and update only the addresses.
 */
export async function seed(cloud: { endpoint: string; dataDir: string; ownerFunction: string }): Promise<Credentials> {
  const path = join(cloud.dataDir, 'credentials.json');
  const addresses = {
    baseUrl: cloud.endpoint,
    endpoints: Object.fromEntries(SERVICES.map((service) => [service, cloud.endpoint])),
  };
  const earlier = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Credentials,
    () => undefined,
  );
  const credentials = earlier ? { ...earlier, ...addresses } : { ...addresses, ...(await firstCompany(cloud)) };
  // Writes to another file first and renames it, so that a kill leaves either the old or the new one.
  await writeFile(`${path}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return credentials;
}

async function firstCompany(cloud: { endpoint: string; ownerFunction: string }) {
  const password = randomPassword();
  // A kill between creating the owner and writing the file loses the owner's password; a new email is not taken.
  const email = `owner-${Date.now().toString(36)}@example.com`;
  const owner = await createOwner(operatorClients(cloud.endpoint), cloud.ownerFunction, {
    company: 'Example company',
    workspace: 'Main',
    name: 'Owner',
    email,
    password,
  });
  const { accessToken } = await post<{ accessToken: string }>(cloud.endpoint, '/api/auth/login', { email, password });
  const { key } = await post<{ key: string }>(
    cloud.endpoint,
    '/api/api-keys',
    { name: 'First key', scope: 'admin' },
    accessToken,
  );
  return { workspaceId: owner.workspaceId, email, password, apiKey: key };
}

async function post<T>(endpoint: string, path: string, body: unknown, token?: string): Promise<T> {
  const reply = await fetch(endpoint + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as T;
}
