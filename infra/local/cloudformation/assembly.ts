import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Template } from './template.ts';

/** One synthesized stack: its template, and where each asset of it lies on disk, by the object key it would have in S3. */
export type Assembly = { stackName: string; template: Template; assets: ReadonlyMap<string, string> };

type Artifact = { type: string; dependencies?: string[]; displayName?: string; properties?: { templateFile?: string; stackName?: string; file?: string } };
type AssetsFile = {
  files?: Record<string, { source: { path?: string; packaging?: string }; destinations: Record<string, { objectKey: string }> }>;
  dockerImages?: Record<string, unknown>;
};

/** Reads the cloud assembly that `cdk synth` wrote. Throws one sentence when there is not exactly one stack to run. */
export function readAssembly(directory: string, stackName?: string): Assembly {
  const artifacts = Object.entries(readJson<{ artifacts?: Record<string, Artifact> }>(join(directory, 'manifest.json'), 'it is what a synthesis writes first').artifacts ?? {});
  const stacks = artifacts
    .filter(([, artifact]) => artifact.type === 'aws:cloudformation:stack')
    .map(([id, artifact]) => ({ id, artifact, name: artifact.properties?.stackName ?? id }));
  const wanted = stacks.filter((stack) => stackName === undefined || stack.name === stackName || stack.id === stackName);
  const [stack, another] = wanted;
  if (!stack || another)
    throw new Error(
      `${directory} holds ${stacks.length} stacks (${stacks.map((each) => each.name).join(', ')}); the local runtime runs exactly one${stackName ? `, and "${stackName}" is not it` : ''}.`,
    );
  const template = readJson<Template>(join(directory, stack.artifact.properties?.templateFile ?? `${stack.id}.template.json`), 'the stack has its template there');
  const manifests = artifacts.filter(([, artifact]) => artifact.type === 'cdk:asset-manifest').map(([, artifact]) => artifact.properties?.file ?? '');
  return { stackName: stack.name, template, assets: new Map(manifests.flatMap((file) => assetPaths(directory, file))) };
}

function assetPaths(directory: string, file: string): [string, string][] {
  const manifest = readJson<AssetsFile>(join(directory, file), 'the assets of the stack are listed there');
  if (Object.keys(manifest.dockerImages ?? {}).length > 0) throw new Error(`${file} lists container images; the local runtime runs functions from zip assets only.`);
  return Object.values(manifest.files ?? {}).flatMap((asset) => {
    const path = resolve(directory, asset.source.path ?? '');
    return Object.values(asset.destinations).map((destination): [string, string] => [destination.objectKey, path]);
  });
}

function readJson<T>(file: string, meaning: string): T {
  const again = 'Synthesize again (cdk synth), or name the folder it wrote.';
  if (!existsSync(file)) throw new Error(`There is no ${file}, and ${meaning}. ${again}`);
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null) return value as T;
  } catch (fault) {
    throw new Error(`${file} is not JSON: it was cut off, or written by something else. ${again}`, { cause: fault });
  }
  throw new Error(`${file} holds no JSON object. ${again}`);
}
