import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { LocalCloud } from '../../../packages/local-cloud/index.ts';
import type { SourceObject } from '../../../shared/data/connectors/extract-source.ts';
import type { HttpPagination } from '../../../shared/data/connectors/http/config.ts';
import type { SourceSettings } from '../../../shared/data/connectors/source-types.ts';
import { jsonText, type Scenario } from './files.ts';
import type { Choices } from './random.ts';

/** What to read, and from where. */
export interface WebSource {
  settings: SourceSettings;
  object: SourceObject;
}

const ACCESS = { accessKeyId: 'local', secretAccessKey: 'local' };
const BUCKET = 'soak-values';

/** A bucket and a web service on loopback that have one file after the other. */
export class WebSources {
  readonly #cloud: LocalCloud;
  readonly #s3: S3Client;
  readonly #service = createServer((request, response) => this.#answer(request, response));
  #answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => void response.end();

  private constructor(cloud: LocalCloud) {
    this.#cloud = cloud;
    const { endpoint } = cloud;
    this.#s3 = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials: ACCESS });
  }

  static async start(dataDir: string): Promise<WebSources> {
    const sources = new WebSources(await LocalCloud.open({ dataDir, port: 0 }));
    await sources.#s3.send(new CreateBucketCommand({ Bucket: BUCKET }));
    await new Promise<void>((resolve) => sources.#service.listen(0, '127.0.0.1', resolve));
    return sources;
  }

  async stop(): Promise<void> {
    this.#s3.destroy();
    this.#service.closeAllConnections();
    this.#service.close();
    await this.#cloud.close();
  }

  /** The file in the bucket, compressed or not. */
  async inBucket({ format, content, options }: Scenario, choices: Choices): Promise<WebSource> {
    const isCompressed = format !== 'xlsx' && choices.chance(0.3);
    const path = `${choices.of(['', 'a b/', 'über/x+y=1/'])}values.${format}${isCompressed ? '.gz' : ''}`;
    const prefix = choices.of(['', 'all/']);
    const Body = isCompressed ? gzipSync(content) : content;
    await this.#s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: `${prefix}${path}`, Body }));
    const { endpoint } = this.#cloud;
    const config = { bucket: BUCKET, region: 'us-east-1', endpoint, ...(prefix ? { prefix } : {}) };
    return { settings: { type: 's3', config, secrets: ACCESS }, object: { path, options } };
  }

  /** The records as the answers of a web service: as they are, or page by page. */
  overHttp(scenario: Scenario, choices: Choices): WebSource {
    const isCompressed = choices.chance(0.3);
    const send = (response: ServerResponse, body: string | Buffer, headers: Record<string, string> = {}) => {
      const encoding: Record<string, string> = isCompressed ? { 'content-encoding': 'gzip' } : {};
      response.writeHead(200, { 'content-type': 'application/json', ...headers, ...encoding });
      response.end(isCompressed ? gzipSync(body) : body);
    };
    const pages = choices.chance(0.3) ? undefined : pagesOf(scenario, choices);
    this.#answer = (request, response) => {
      if (!pages) return send(response, scenario.content);
      const { body, headers } = pages.answer(new URL(request.url!, 'http://service'));
      send(response, body, headers);
    };
    const { port } = this.#service.address() as AddressInfo;
    const format = pages || scenario.format === 'json' ? 'json' : 'ndjson';
    const endpoint = { name: 'values', path: '/values?kind=all', format, ...pages?.endpoint } as const;
    const config = { baseUrl: `http://127.0.0.1:${port}`, auth: 'none', endpoints: [endpoint] } as const;
    return {
      settings: { type: 'http', config: { ...config, endpoints: [endpoint] }, secrets: {} },
      object: { table: 'values' },
    };
  }
}

interface Pages {
  endpoint: { records?: string; pagination: HttpPagination };
  answer(url: URL): { body: string; headers?: Record<string, string> };
}

/** The records in pages, which lead to each other in one of the ways that endpoints declare. */
function pagesOf({ names, rows }: Scenario, choices: Choices): Pages {
  const records = rows.map(
    (row) => `{${row.map((value, i) => `${JSON.stringify(names[i])}:${jsonText(value)}`).join(',')}}`,
  );
  const size = 1 + choices.upTo(Math.max(1, Math.floor(records.length / 2)));
  const of = (page: number) => records.slice(page * size, (page + 1) * size);
  const isLast = (page: number) => (page + 1) * size >= records.length;
  const isNested = choices.chance(0.5);
  const array = (page: number) => `[${of(page).join(',')}]`;
  const pointer = isNested ? { records: '/data/it~1ems' } : {};
  const body = (page: number, more = '') => {
    const data = `{"total": ${records.length}, "it/ems": ${array(page)}}`;
    return isNested ? `{"data": ${data}${more}}` : array(page);
  };
  const kind = choices.of(isNested ? (['link', 'page', 'cursor'] as const) : (['link', 'page'] as const));
  const parameter = 'from';
  const pageOf = (url: URL) => Number(url.searchParams.get(parameter) ?? 0);
  if (kind === 'page')
    return {
      endpoint: { ...pointer, pagination: { kind, parameter, first: 0 } },
      answer: (url) => ({ body: body(pageOf(url)) }),
    };
  if (kind === 'cursor')
    return {
      endpoint: { ...pointer, pagination: { kind, parameter, cursor: '/next' } },
      answer: (url) => {
        const page = pageOf(url);
        return { body: body(page, `, "next": ${isLast(page) ? 'null' : JSON.stringify(String(page + 1))}`) };
      },
    };
  return {
    endpoint: { ...pointer, pagination: { kind } },
    answer: (url) => {
      const page = pageOf(url);
      const link = `<${url.pathname}?${parameter}=${page + 1}>; rel="next"`;
      return { body: body(page), ...(isLast(page) ? {} : { headers: { link } }) };
    },
  };
}
