import { ACCOUNT, type Provisioner, REGION } from '../kernel/types.ts';
import { INTRINSICS } from './intrinsics.ts';
import { mentionsOf } from './references.ts';
import { ATTRIBUTES, constructPath, INERT_TYPES, SECTIONS, type Template, type TemplateResource } from './template.ts';

export const PSEUDO_PARAMETERS = (stackName: string): Readonly<Record<string, string>> => ({
  'AWS::AccountId': ACCOUNT,
  'AWS::Region': REGION,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': stackName,
  'AWS::StackId': `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${stackName}/local`,
});

/** Finds everything in the template that would not behave here as it does on AWS. One sentence a problem; none means it can boot. */
export function problemsOf(template: Template, resources: ReadonlyMap<string, TemplateResource>, provisioners: readonly Provisioner[]): string[] {
  const sections = Object.keys(template)
    .filter((section) => !SECTIONS[section])
    .map((section) => `Template section ${section} is not supported (supported: ${Object.keys(SECTIONS).join(', ')}).`);
  const outputs = mentionProblems(
    Object.values(template.Outputs ?? {}).map((output) => output.Value),
    template,
    resources,
  ).map((problem) => `Outputs: ${problem}.`);
  return [...sections, ...[...resources].flatMap(([logicalId, resource]) => resourceProblems({ logicalId, resource, template, resources, provisioners })), ...outputs];
}

type Check = { logicalId: string; resource: TemplateResource; template: Template; resources: ReadonlyMap<string, TemplateResource>; provisioners: readonly Provisioner[] };

function resourceProblems(check: Check): string[] {
  const { logicalId, resource, template, resources } = check;
  if (INERT_TYPES[resource.Type]) return [];
  const attributes = Object.keys(resource)
    .filter((attribute) => !ATTRIBUTES[attribute])
    .map((attribute) => `attribute ${attribute} is not supported (supported: ${Object.keys(ATTRIBUTES).join(', ')})`);
  const problems = [...attributes, ...typeProblems(check), ...mentionProblems([resource.Properties, resource.DependsOn], template, resources)];
  return problems.map((problem) => `${logicalId} (${constructPath(logicalId, resource)}): ${problem}.`);
}

function typeProblems({ resource, provisioners }: Check): string[] {
  const known = provisioners.find((provisioner) => provisioner.properties[resource.Type])?.properties[resource.Type];
  if (!known) return [`type ${resource.Type} is not supported (supported: ${supportedTypes(provisioners).join(', ')})`];
  return unknownProperties(resource.Properties ?? {}, known, '').map(
    (name) => `property ${name} of ${resource.Type} is not supported (supported: ${Object.keys(known).join(', ')})`,
  );
}

function supportedTypes(provisioners: readonly Provisioner[]): string[] {
  return [...new Set(provisioners.flatMap((provisioner) => Object.keys(provisioner.properties)).concat(Object.keys(INERT_TYPES)))].sort();
}

/** Names of properties that `known` does not list. A listed `A.B` means that the properties inside `A` are listed too. */
function unknownProperties(properties: object, known: Readonly<Record<string, string>>, prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, value]): string[] => {
    const path = `${prefix}${name}`;
    if (!Object.hasOwn(known, path)) return [path];
    const listedInside = Object.keys(known).some((each) => each.startsWith(`${path}.`));
    if (!listedInside) return [];
    const inside: unknown[] = Array.isArray(value) ? value : [value];
    return [...new Set(inside.flatMap((entry) => (isPlain(entry) ? unknownProperties(entry, known, `${path}.`) : [])))];
  });
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.keys(value).some((key) => key === 'Ref' || key.startsWith('Fn::'));

function mentionProblems(value: unknown, template: Template, resources: ReadonlyMap<string, TemplateResource>): string[] {
  const mentions = mentionsOf(value);
  const pseudo = PSEUDO_PARAMETERS('');
  const isKnown = (name: string) => resources.has(name) || Object.hasOwn(template.Parameters ?? {}, name) || Object.hasOwn(pseudo, name) || name === 'AWS::NoValue';
  return [
    ...[...mentions.unknown].map((name) => `${name} is not supported (supported: ${Object.keys(INTRINSICS).join(', ')})`),
    ...[...mentions.names].filter((name) => !isKnown(name)).map((name) => `refers to ${name}, which the template does not hold under its conditions`),
    ...[...mentions.conditions].filter((name) => !Object.hasOwn(template.Conditions ?? {}, name)).map((name) => `condition ${name} is not in the template`),
  ];
}
