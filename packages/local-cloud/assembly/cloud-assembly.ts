import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { imageKey } from './assets.ts';
import type { Template } from './template.ts';

export interface StackArtifact {
  name: string;
  template: Template;
}

export interface CloudAssembly {
  /** In deployment order. */
  stacks: StackArtifact[];
  /**
   * Folders of the file assets, by the object key that templates name (`<hash>.zip`), and build folders by `imageKey`.
   */
  assets: Map<string, string>;
}

interface Manifest {
  artifacts?: Record<
    string,
    {
      type: string;
      dependencies?: string[];
      properties?: { templateFile?: string; stackName?: string; file?: string };
    }
  >;
}

interface AssetManifest {
  files: Record<
    string,
    { source: { path?: string; packaging?: string }; destinations: Record<string, { objectKey: string }> }
  >;
  dockerImages?: Record<
    string,
    { source: { directory?: string; [setting: string]: unknown }; destinations: Record<string, { imageTag: string }> }
  >;
}

/** Artifact types that have no effect on a deployment. */
const SILENT = ['cdk:tree', 'cdk:feature-flag-report'];

/** Reads a synthesized assembly. Throws for unsupported artifacts and image settings. */
export function readCloudAssembly(directory: string): CloudAssembly {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(directory, file), 'utf8'));
  const { artifacts = {} } = read('manifest.json') as Manifest;
  const stacks = new Map<string, StackArtifact>();
  const assets = new Map<string, string>();
  for (const [id, { type, properties = {} }] of Object.entries(artifacts)) {
    if (type === 'aws:cloudformation:stack') {
      const template = read(properties.templateFile as string) as Template;
      stacks.set(id, { name: properties.stackName ?? id, template });
    } else if (type === 'cdk:asset-manifest') {
      for (const [key, folder] of folders(read(properties.file as string) as AssetManifest, directory, id)) {
        assets.set(key, folder);
      }
    } else if (!SILENT.includes(type)) {
      throw new Error(`The local cloud does not support artifacts of type ${type} (${id}).`);
    }
  }

  const ordered: StackArtifact[] = [];
  const visited = new Set<string>();
  const visit = (id: string): void => {
    if (visited.has(id)) return;
    visited.add(id);
    for (const dependency of artifacts[id]?.dependencies ?? []) visit(dependency);
    const stack = stacks.get(id);
    if (stack) ordered.push(stack);
  };
  for (const id of stacks.keys()) visit(id);
  return { stacks: ordered, assets };
}

function* folders(manifest: AssetManifest, directory: string, id: string): Iterable<[string, string]> {
  for (const [image, { source, destinations }] of Object.entries(manifest.dockerImages ?? {})) {
    const { directory: folder, platform: _platform, ...settings } = source;
    const [setting] = Object.keys(settings);
    if (folder === undefined || setting !== undefined) {
      throw new Error(
        `The local cloud does not support the setting ${setting ?? 'executable'} of the image ${image} (${id}).`,
      );
    }
    for (const { imageTag } of Object.values(destinations)) yield [imageKey(imageTag), resolve(directory, folder)];
  }
  for (const { source, destinations } of Object.values(manifest.files)) {
    if (source.packaging !== 'zip' || source.path === undefined) continue;
    for (const { objectKey } of Object.values(destinations)) yield [objectKey, resolve(directory, source.path)];
  }
}
