import { isDeepStrictEqual } from 'node:util';
import { type Assembly, readAssembly } from './cloudformation/assembly.ts';
import { provisionAgain, type Stack } from './cloudformation/provision.ts';
import { mentionsOf } from './cloudformation/references.ts';
import { constructPath, INERT_TYPES, type Template, type TemplateResource } from './cloudformation/template.ts';
import type { Provisioner } from './kernel/types.ts';

/** What a changed assembly did to a running stack. */
export type Reloaded = {
  /** Construct paths of functions that run new code or settings from their next invocation on. */
  functions: string[];
  /** Construct paths of state machines whose next executions follow the new definition; those under way keep theirs. */
  machines: string[];
  /** What else differs, by logical id with its path, or by section: it takes a restart. */
  restart: string[];
};

/** Properties that may change under a running stack, by type. */
const SWAPPED: Readonly<Record<string, readonly string[]>> = {
  'AWS::Lambda::Function': ['Code', 'Description', 'Environment', 'Handler', 'MemorySize', 'ReservedConcurrentExecutions', 'Runtime', 'Timeout'],
  'AWS::StepFunctions::StateMachine': ['Definition', 'DefinitionString', 'DefinitionS3Location', 'DefinitionSubstitutions'],
};
const SECTIONS = ['Parameters', 'Mappings', 'Conditions', 'Outputs'] as const;

export type ReloadPlan = { swap: ReadonlySet<string>; restart: string[] };

/** Compares two templates: what can be swapped while the stack runs, and what needs a restart. */
export function planReload(before: Template, after: Template): ReloadPlan {
  const [old, present] = [before.Resources ?? {}, after.Resources ?? {}];
  const ids = [...new Set([...Object.keys(old), ...Object.keys(present)])].filter((id) => !isInert(present[id] ?? old[id]));
  const changed = ids.filter((id) => !isDeepStrictEqual(meaning(old[id]), meaning(present[id])));
  const swap = new Set(changed.filter((id) => isSwapped(old[id], present[id])));
  const sections = SECTIONS.filter((section) => !isDeepStrictEqual(before[section] ?? {}, after[section] ?? {}));
  return { swap, restart: [...changed.filter((id) => !swap.has(id)).map((id) => nameOf(id, present[id] ?? old[id])), ...sections] };
}

const isInert = (resource: TemplateResource | undefined): boolean => INERT_TYPES[resource?.Type ?? ''] !== undefined;
const nameOf = (id: string, resource: TemplateResource | undefined): string => (resource ? `${id} (${constructPath(id, resource)})` : id);

/** The part of a resource that decides what it does. */
function meaning(resource: TemplateResource | undefined): unknown {
  return resource && { type: resource.Type, condition: resource.Condition, properties: resource.Properties ?? {} };
}

function isSwapped(before: TemplateResource | undefined, after: TemplateResource | undefined): boolean {
  const swapped = SWAPPED[after?.Type ?? ''];
  if (!before || !after || !swapped || before.Type !== after.Type || before.Condition !== after.Condition) return false;
  const rest = (resource: TemplateResource) => Object.fromEntries(Object.entries(resource.Properties ?? {}).filter(([name]) => !swapped.includes(name)));
  return isDeepStrictEqual(rest(before), rest(after));
}

export type ReloaderParts = {
  assembly: Assembly;
  stack: Stack;
  provisioners: readonly Provisioner[];
  parameters?: Readonly<Record<string, string>> | undefined;
  assets: Map<string, string>;
};

/** Brings changed assemblies into a running stack, one after the other. */
export class Reloader {
  readonly #parts: ReloaderParts;
  /** What runs: each resource as it was last provisioned. */
  #running: Template;
  #stack: Stack;

  constructor(parts: ReloaderParts) {
    this.#parts = parts;
    this.#running = parts.assembly.template;
    this.#stack = parts.stack;
  }

  /** Swaps what can be swapped. Throws before the first swap when the assembly cannot be read or holds something that is not supported. */
  async reload(cdkOut: string): Promise<Reloaded> {
    const assembly = readAssembly(cdkOut, this.#parts.assembly.stackName);
    const { swap, restart } = planReload(this.#running, assembly.template);
    const mentionsNew = [...swap].filter((id) => dependsOnUnknown(assembly.template.Resources?.[id], this.#stack, assembly.template));
    const now = new Set([...swap].filter((id) => !mentionsNew.includes(id)));
    for (const [key, path] of assembly.assets) this.#parts.assets.set(key, path);
    const { provisioners, parameters } = this.#parts;
    this.#stack = await provisionAgain({ assembly, provisioners, parameters }, this.#stack, now);
    const resources = Object.entries(assembly.template.Resources ?? {}).filter(([id]) => now.has(id));
    this.#running = { ...this.#running, Resources: { ...this.#running.Resources, ...Object.fromEntries(resources) } };
    const pathsOf = (type: string) => resources.filter(([, resource]) => resource.Type === type).map(([id, resource]) => constructPath(id, resource));
    return {
      functions: pathsOf('AWS::Lambda::Function'),
      machines: pathsOf('AWS::StepFunctions::StateMachine'),
      restart: [...restart, ...mentionsNew.map((id) => nameOf(id, assembly.template.Resources?.[id]))],
    };
  }
}

/** Whether a resource refers to one that does not exist yet, so that it has to wait for the restart as well. */
function dependsOnUnknown(resource: TemplateResource | undefined, stack: Stack, template: Template): boolean {
  const names = [...mentionsOf(resource?.Properties).names];
  return names.some((name) => Object.hasOwn(template.Resources ?? {}, name) && !stack.resources.has(name));
}
