import { mentionsOf } from './references.ts';
import type { TemplateResource } from './template.ts';

/** Puts resources behind everything they refer to. Throws, naming the ring, when some refer to each other in circles. */
export function inDependencyOrder(resources: ReadonlyMap<string, TemplateResource>): string[] {
  const ordered: string[] = [];
  const settled = new Set<string>();
  const visit = (logicalId: string, trail: readonly string[]): void => {
    const resource = resources.get(logicalId);
    if (!resource || settled.has(logicalId)) return;
    if (trail.includes(logicalId)) throw new Error(`Circular dependency between resources: ${[...trail.slice(trail.indexOf(logicalId)), logicalId].join(' → ')}.`);
    for (const dependency of dependenciesOf(resource)) visit(dependency, [...trail, logicalId]);
    settled.add(logicalId);
    ordered.push(logicalId);
  };
  for (const logicalId of resources.keys()) visit(logicalId, []);
  return ordered;
}

function dependenciesOf(resource: TemplateResource): string[] {
  const declared = resource.DependsOn ?? [];
  return [...mentionsOf(resource.Properties).names, ...(typeof declared === 'string' ? [declared] : declared)];
}
