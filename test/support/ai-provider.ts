import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { embedText } from './embedder.ts';

/** The key that only the AI provider may receive. */
export const AI_KEY = 'sk-never-shown-to-anybody';

/** How the provider answers once: with a text of the model, with vectors, with a status and any body, or not at all. */
export type AiAnswer =
  | { text: string }
  | { vectors: number[][] | 'of the texts' }
  | { status: number; body?: string; headers?: Record<string, string> }
  | 'nothing';

export interface AiQuestion {
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: bodies as each provider wants them
  body: any;
}

/**
 * An AI provider on loopback that speaks as OpenAI and Anthropic do. It answers as the script says whose key stands
 * anywhere in the question, so that tests of one deployment do not disturb each other; the last answer of a script
 * stays. Texts to embed need no script.
 */
export class AiProvider {
  readonly url: string;
  readonly close: () => void;
  readonly #scripts = new Map<string, { answers: AiAnswer[]; asked: AiQuestion[] }>();

  private constructor(url: string, close: () => void) {
    this.url = url;
    this.close = close;
  }

  static async open(): Promise<AiProvider> {
    let provider: AiProvider;
    const server = createServer((request, response) => void provider.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    provider = new AiProvider(`http://127.0.0.1:${port}/v1`, () => {
      server.closeAllConnections();
      server.close();
    });
    return provider;
  }

  script(key: string, answers: AiAnswer[]): void {
    this.#scripts.set(key, { answers: [...answers], asked: [] });
  }

  asked(key: string): AiQuestion[] {
    return this.#scripts.get(key)?.asked ?? [];
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const [, key] = /^\/v1\/scripts\/(.+)$/.exec(request.url!) ?? [];
    if (key && request.method === 'PUT') this.script(key, JSON.parse(text) as AiAnswer[]);
    if (key) return void response.end(JSON.stringify(this.asked(key)));
    const script = [...this.#scripts].find(([each]) => text.includes(each))?.[1];
    const body = JSON.parse(text);
    script?.asked.push({ headers: request.headers, body });
    const isEmbedding = request.url!.endsWith('/embeddings');
    const unscripted: AiAnswer | undefined = isEmbedding ? { vectors: 'of the texts' } : undefined;
    const answer = script ? (script.answers.length > 1 ? script.answers.shift() : script.answers[0]) : unscripted;
    if (answer === 'nothing') return;
    if (!answer) return void response.writeHead(404).end('nothing is scripted for this');
    const type = { 'content-type': 'application/json' };
    if ('status' in answer)
      return void response.writeHead(answer.status, { ...type, ...answer.headers }).end(answer.body);
    response.writeHead(200, type).end(JSON.stringify(contentOf(answer, request.url!, body)));
  }
}

function contentOf(answer: Extract<AiAnswer, object>, url: string, { input }: { input?: string[] }) {
  if ('text' in answer) return url.endsWith('/messages') ? asAnthropic(answer.text) : asOpenAi(answer.text);
  const { vectors } = answer as { vectors: number[][] | 'of the texts' };
  return asEmbeddings(vectors === 'of the texts' ? input!.map(embedText) : vectors);
}

const asEmbeddings = (vectors: number[][]) => ({
  object: 'list',
  model: 'scripted-vectors',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  usage: { prompt_tokens: 5 * vectors.length, total_tokens: 5 * vectors.length },
});

const asOpenAi = (content: string) => ({
  id: 'answer',
  object: 'chat.completion',
  created: 1,
  model: 'scripted',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
});

const asAnthropic = (text: string) => ({
  id: 'answer',
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 11, output_tokens: 7 },
});

/** The scripts of the deployment's provider, which runs in the process that has started the tests. */
export function aiScripts(url: string) {
  const at = (key: string) => `${url}/scripts/${key}`;
  return {
    put: async (key: string, answers: AiAnswer[]): Promise<void> => {
      await fetch(at(key), { method: 'PUT', body: JSON.stringify(answers) });
    },
    asked: async (key: string): Promise<AiQuestion[]> => (await (await fetch(at(key))).json()) as AiQuestion[],
  };
}
