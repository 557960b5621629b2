import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImageProgram, readDockerfile, UnsupportedImage } from './dockerfile.ts';

/** The build folder of an image; undefined if there is no such image. */
export type ImageSource = (image: string) => string | undefined;

export interface Image {
  folder: string;
  program: ImageProgram;
}

/** Reads an image, if it exists. Throws `UnsupportedImage` if a Node process cannot run it. */
export function findImage(source: ImageSource, image: string): Image | undefined {
  const folder = source(image);
  if (folder === undefined) return undefined;
  return { folder, program: readDockerfile(readFileSync(join(folder, 'Dockerfile'), 'utf8')) };
}

/** The parts of the command line; throws `UnsupportedImage` for a program other than Node. */
export function commandLine(
  { entryPoint, command }: ImageProgram,
  own: { entryPoint?: readonly string[] | undefined; command?: readonly string[] | undefined },
): string[] {
  // As in Docker, overriding the entry point drops the image's command.
  const words = own.entryPoint
    ? [...own.entryPoint, ...(own.command ?? [])]
    : [...entryPoint, ...(own.command ?? command)];
  if (words[0] !== 'node') throw new UnsupportedImage(`the program ${words[0] ?? '(none)'}`);
  return words;
}
