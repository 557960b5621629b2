/** The command and environment of an image, as far as a Node process can provide them. */
export interface ImageProgram {
  entryPoint: string[];
  command: string[];
  /** From `ENV`. */
  environment: Record<string, string>;
}

/** A sentence that says why a task cannot run the image here. */
export class UnsupportedImage extends Error {
  constructor(what: string) {
    super(`The local cloud does not support ${what} in a Dockerfile (ecs).`);
    this.name = 'UnsupportedImage';
  }
}

/** The only folder that a program may write to. */
export const SCRATCH_FOLDER = '/tmp';

/**
 * Reads the Dockerfile of an image that is a build folder with a Node program. Instructions that need a real container
 * are rejected by name. Throws `UnsupportedImage`.
 */
export function readDockerfile(text: string): ImageProgram {
  const program: ImageProgram = { entryPoint: [], command: [], environment: {} };
  let stages = 0;
  for (const { keyword, rest } of instructions(text)) {
    switch (keyword) {
      case 'FROM':
        checkBase(rest, ++stages);
        break;
      case 'WORKDIR':
      case 'LABEL':
      case 'EXPOSE':
      case 'USER':
        // File locations and users are up to this machine.
        break;
      case 'COPY':
        checkCopy(rest);
        break;
      case 'VOLUME':
        if (list(rest, keyword).some((path) => path !== SCRATCH_FOLDER)) throw new UnsupportedImage(`VOLUME ${rest}`);
        break;
      case 'ENV':
        Object.assign(program.environment, variables(rest));
        break;
      case 'ENTRYPOINT':
        program.entryPoint = list(rest, keyword);
        break;
      case 'CMD':
        program.command = list(rest, keyword);
        break;
      default:
        throw new UnsupportedImage(keyword);
    }
  }
  if (stages === 0) throw new UnsupportedImage('the absence of FROM');
  return program;
}

function* instructions(text: string): Iterable<{ keyword: string; rest: string }> {
  const lines = text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/);
  for (const line of lines.map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const [, keyword = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
    yield { keyword: keyword.toUpperCase(), rest: rest.trim() };
  }
}

function checkBase(base: string, stage: number): void {
  if (stage > 1 || /\s/.test(base)) throw new UnsupportedImage(`several stages (FROM ${base})`);
  const [, major] = /(?:^|\/)node:(\d+)\b/.exec(base) ?? [];
  if (major !== process.versions.node.split('.')[0]) {
    throw new UnsupportedImage(`FROM ${base} (only node:${process.versions.node.split('.')[0]})`);
  }
}

/** The build folder becomes the working folder, so files must keep their places. */
function checkCopy(rest: string): void {
  const parts = rest.split(/\s+/);
  const target = parts.at(-1) as string;
  const sources = parts.slice(0, -1);
  const keepsPlaces = ['.', './'].includes(target) && sources.length > 0;
  if (!keepsPlaces || sources.some((source) => source.startsWith('-') || /^\/|\.\.|[^/.]\//.test(source))) {
    throw new UnsupportedImage(`COPY ${rest}`);
  }
}

function variables(rest: string): Record<string, string> {
  const pairs = [...rest.matchAll(/(\w+)=("([^"\\]*)"|[^\s"'\\$]+)(?:\s+|$)/g)];
  if (pairs.map(([whole]) => whole).join('') !== rest) throw new UnsupportedImage(`ENV ${rest}`);
  return Object.fromEntries(pairs.map(([, name = '', plain = '', quoted]) => [name, quoted ?? plain]));
}

/** Only the JSON form, because the other form runs a shell. */
function list(rest: string, keyword: string): string[] {
  try {
    const value: unknown = JSON.parse(rest);
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  } catch {
    // Handled below.
  }
  throw new UnsupportedImage(`${keyword} in another form than a JSON list`);
}
