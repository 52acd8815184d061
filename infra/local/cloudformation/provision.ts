import type { Provisioned, Provisioner } from '../kernel/types.ts';
import type { Assembly } from './assembly.ts';
import { PSEUDO_PARAMETERS, problemsOf } from './check.ts';
import { NO_VALUE, resolve, type Scope } from './intrinsics.ts';
import { inDependencyOrder } from './order.ts';
import { constructPath, INERT_TYPES, type Template, type TemplateResource } from './template.ts';

/** Why a template cannot run here: every reason at once. */
export class TemplateNotSupported extends Error {
  readonly problems: readonly string[];
  constructor(stackName: string, problems: readonly string[]) {
    super(`The local runtime cannot run stack ${stackName}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'TemplateNotSupported';
    this.problems = problems;
  }
}

type Made = Provisioned & { type: string; path: string };
export type Stack = { outputs: Record<string, string>; resources: ReadonlyMap<string, Made> };

/** What is provisioned: a template with values for its parameters, by these provisioners. */
export type Provisioning = { assembly: Pick<Assembly, 'stackName' | 'template'>; provisioners: readonly Provisioner[]; parameters?: Readonly<Record<string, string>> | undefined };

/** Makes every resource of the stack real, each after what it refers to. Throws before the first one when anything is not supported. */
export async function provisionStack(assembly: Assembly, provisioners: readonly Provisioner[], parameters: Readonly<Record<string, string>> = {}): Promise<Stack> {
  const made = new Map<string, Made>();
  const { resources, scope } = checked({ assembly, provisioners, parameters }, made);
  await provisionEach(resources, inDependencyOrder(resources), { made, provisioners, scope });
  return { outputs: outputsOf(assembly.template, scope), resources: made };
}

/** Makes some resources of a changed template real again, over the stack that stands. Throws before the first one when anything in the template is not supported. */
export async function provisionAgain(provisioning: Provisioning, stack: Stack, logicalIds: ReadonlySet<string>): Promise<Stack> {
  const made = new Map(stack.resources);
  const { resources, scope } = checked(provisioning, made);
  const chosen = inDependencyOrder(resources).filter((logicalId) => logicalIds.has(logicalId));
  await provisionEach(resources, chosen, { made, provisioners: provisioning.provisioners, scope });
  return { ...stack, resources: made };
}

function checked({ assembly, provisioners, parameters = {} }: Provisioning, made: ReadonlyMap<string, Made>): { resources: Map<string, TemplateResource>; scope: Scope } {
  const { template, stackName } = assembly;
  const scope = scopeOf(template, made, { ...PSEUDO_PARAMETERS(stackName), ...parameterValues(template, parameters) });
  const resources = activeResources(template, scope);
  const problems = problemsOf(template, resources, provisioners);
  if (problems.length > 0) throw new TemplateNotSupported(stackName, problems);
  return { resources, scope };
}

type Making = { made: Map<string, Made>; provisioners: readonly Provisioner[]; scope: Scope };

async function provisionEach(resources: ReadonlyMap<string, TemplateResource>, order: readonly string[], { made, provisioners, scope }: Making): Promise<void> {
  for (const logicalId of order) {
    const resource = resources.get(logicalId);
    if (!resource || INERT_TYPES[resource.Type]) continue;
    const path = constructPath(logicalId, resource);
    made.set(logicalId, { ...(await provisionOne(logicalId, resource, provisioners, scope)), type: resource.Type, path });
  }
}

async function provisionOne(logicalId: string, resource: TemplateResource, provisioners: readonly Provisioner[], scope: Scope): Promise<Provisioned> {
  const path = constructPath(logicalId, resource);
  try {
    const provisioner = provisioners.find((each) => each.properties[resource.Type]);
    if (!provisioner) throw new Error(`no provisioner for ${resource.Type}`);
    const properties = resolve(resource.Properties ?? {}, scope) as Record<string, unknown>;
    return await provisioner.provision({ logicalId, type: resource.Type, properties, path });
  } catch (fault) {
    throw new Error(`${logicalId} (${path}, ${resource.Type}): ${fault instanceof Error ? fault.message : String(fault)}`, { cause: fault });
  }
}

function activeResources(template: Template, scope: Scope): Map<string, TemplateResource> {
  const all = Object.entries(template.Resources ?? {});
  return new Map(all.filter(([, resource]) => resource.Condition === undefined || scope.condition(resource.Condition)));
}

function parameterValues(template: Template, given: Readonly<Record<string, string>>): Record<string, unknown> {
  const declared = template.Parameters ?? {};
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(declared, name));
  if (unknown.length > 0) throw new Error(`The template has no parameter ${unknown.join(', ')} (it has: ${Object.keys(declared).join(', ') || 'none'}).`);
  const missing = Object.keys(declared).filter((name) => given[name] === undefined && declared[name]?.Default === undefined);
  if (missing.length > 0) throw new Error(`Parameters without a value: ${missing.join(', ')}.`);
  return Object.fromEntries(
    Object.entries(declared).map(([name, parameter]): [string, unknown] => {
      const value = String(given[name] ?? parameter.Default);
      return [name, /List/.test(parameter.Type) ? value.split(',').map((entry) => entry.trim()) : value];
    }),
  );
}

function scopeOf(template: Template, made: ReadonlyMap<string, Provisioned & { type: string }>, values: Readonly<Record<string, unknown>>): Scope {
  const scope: Scope = {
    ref(name) {
      if (name === 'AWS::NoValue') return NO_VALUE;
      if (Object.hasOwn(values, name)) return values[name];
      const resource = made.get(name);
      if (!resource) throw new Error(`nothing is called ${name}`);
      return resource.ref;
    },
    attribute(logicalId, attribute) {
      const resource = made.get(logicalId);
      if (!resource) throw new Error(`nothing is called ${logicalId}`);
      const value = resource.attributes[attribute];
      if (value === undefined) throw new Error(`${resource.type} has no attribute ${attribute} here (it has: ${Object.keys(resource.attributes).join(', ') || 'none'})`);
      return value;
    },
    condition(name) {
      const expression = template.Conditions?.[name];
      if (expression === undefined) throw new Error(`condition ${name} is not in the template`);
      return resolve(expression, scope) === true;
    },
    mapping(map, first, second) {
      const value = template.Mappings?.[map]?.[first]?.[second];
      if (value === undefined) throw new Error(`mapping ${map} has no ${first}.${second}`);
      return value;
    },
  };
  return scope;
}

function outputsOf(template: Template, scope: Scope): Record<string, string> {
  const active = Object.entries(template.Outputs ?? {}).filter(([, output]) => output.Condition === undefined || scope.condition(output.Condition));
  return Object.fromEntries(active.map(([name, output]) => [name, String(resolve(output.Value, scope))]));
}
