import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImageProgram, readDockerfile, UnsupportedImage } from './dockerfile.ts';

/** Where the build folder of an image lies; undefined when there is no such image. */
export type ImageSource = (image: string) => string | undefined;

export interface Image {
  folder: string;
  program: ImageProgram;
}

/** The image as it is run here, if there is one. Throws `UnsupportedImage` where a process cannot do the same. */
export function findImage(source: ImageSource, image: string): Image | undefined {
  const folder = source(image);
  if (folder === undefined) return undefined;
  return { folder, program: readDockerfile(readFileSync(join(folder, 'Dockerfile'), 'utf8')) };
}

/** The words of the command line; throws `UnsupportedImage` for another program than Node. */
export function commandLine(
  { entryPoint, command }: ImageProgram,
  own: { entryPoint?: readonly string[] | undefined; command?: readonly string[] | undefined },
): string[] {
  // An entry point given from outside takes the image's command away, as Docker does it.
  const words = own.entryPoint
    ? [...own.entryPoint, ...(own.command ?? [])]
    : [...entryPoint, ...(own.command ?? command)];
  if (words[0] !== 'node') throw new UnsupportedImage(`the program ${words[0] ?? '(none)'}`);
  return words;
}
