import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { S3Client } from '@aws-sdk/client-s3';
import type { CloudEvent } from '../../core/ports.ts';

interface Message {
  port?: number;
  events?: CloudEvent[];
  peakBytes?: number;
}

export interface SpawnedS3 {
  readonly client: S3Client;
  /** Peak memory of its process. */
  peakBytes(): Promise<number>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Starts the service in a child process on a folder, and reports its published events. */
export async function spawnS3(dataDir: string, onEvent: (event: CloudEvent) => void = () => {}): Promise<SpawnedS3> {
  const child = fork(fileURLToPath(new URL('serve-s3.ts', import.meta.url)), [dataDir], { execArgv: [] });
  child.on('message', (message: Message) => message.events?.forEach(onEvent));
  const { port } = await reply(child, (message) => message.port !== undefined);
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return {
    client,
    async peakBytes() {
      child.send('memory');
      return (await reply(child, (message) => message.peakBytes !== undefined)).peakBytes ?? 0;
    },
    async kill() {
      client.destroy();
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

function reply(child: ChildProcess, isWanted: (message: Message) => boolean): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: Message) => {
      if (!isWanted(message)) return;
      child.off('message', onMessage);
      resolve(message);
    };
    child.on('message', onMessage);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
}
