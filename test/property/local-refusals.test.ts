// Whatever is put into the real template that the runtime does not know stops the boot, by name. Nothing is ever ignored silently.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provisionStack, TemplateNotSupported } from '../../infra/local/cloudformation/provision.ts';
import type { Template } from '../../infra/local/cloudformation/template.ts';
import { createKernel, type LocalKernel } from '../../infra/local/kernel/create-kernel.ts';
import type { Provisioner } from '../../infra/local/kernel/types.ts';
import { DynamoDb } from '../../infra/local/services/dynamodb.ts';
import { createServices } from '../../infra/local/services.ts';
import { synthesizedTemplate } from '../support/synthesized.ts';

let template: Template;
let provisioners: readonly Provisioner[];
let kernel: LocalKernel;
let folder: string;

beforeAll(() => {
  template = synthesizedTemplate() as unknown as Template;
  folder = mkdtempSync(join(tmpdir(), 'baton-refusals-'));
  kernel = createKernel({ dataDir: folder, assets: new Map() });
  const engine = { name: 'none', endpoint: 'http://127.0.0.1:1', stop: async () => {} };
  ({ provisioners } = createServices(kernel, { dataDir: folder, url: 'http://127.0.0.1:1', dynamo: new DynamoDb(kernel, engine) }));
});
afterAll(() => {
  kernel.close();
  rmSync(folder, { recursive: true, force: true });
});

type Plain = Record<string, unknown>;
const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);
const isIntrinsic = (value: Plain): boolean => Object.keys(value).some((key) => key === 'Ref' || key.startsWith('Fn::'));
const knownOf = (type: string): Readonly<Record<string, string>> => provisioners.find((each) => each.properties[type])?.properties[type] ?? {};

type Place = { holder: Plain; path: string };

/** Every object inside `value`, with the path of property names that leads to it. */
function objectsIn(value: unknown, path = ''): Place[] {
  if (Array.isArray(value)) return value.flatMap((entry) => objectsIn(entry, path));
  if (!isPlain(value) || isIntrinsic(value)) return [];
  return [{ holder: value, path }, ...Object.entries(value).flatMap(([name, inside]) => objectsIn(inside, path === '' ? name : `${path}.${name}`))];
}

/** Every list or object with entries that could be an intrinsic instead, once for each of them. */
function slotsIn(value: unknown): { holder: Plain; name: string }[] {
  if (!Array.isArray(value) && (!isPlain(value) || isIntrinsic(value))) return [];
  return Object.entries(value).flatMap(([name, inside]) => [{ holder: value as Plain, name }, ...slotsIn(inside)]);
}

/** Whether the runtime lists what may stand inside the property at `path`; elsewhere a document of its own begins. */
const isListed = (type: string, path: string): boolean => path === '' || Object.keys(knownOf(type)).some((name) => name.startsWith(`${path}.`));

async function refusalOf(change: (copy: Template) => void): Promise<string> {
  const copy = structuredClone(template);
  change(copy);
  const fault = await provisionStack({ stackName: 'Baton', template: copy, assets: new Map() }, provisioners).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(TemplateNotSupported);
  return (fault as Error).message;
}

/** A resource that is made: neither statistics of the CDK, nor under a condition that may be false. */
const anyResource = () =>
  fc.constantFrom(
    ...Object.entries(template.Resources ?? {})
      .filter(([, { Type, Condition }]) => Type !== 'AWS::CDK::Metadata' && Condition === undefined)
      .map(([id]) => id),
  );
const anyName = fc.stringMatching(/^[A-Z][a-z]{3,9}Unheard$/);
const resourceIn = (copy: Template, id: string) => {
  const resource = copy.Resources?.[id] as { Type: string; Properties: Plain; [attribute: string]: unknown };
  resource.Properties ??= {};
  return resource;
};
const holds = (property: fc.IAsyncPropertyWithHooks<never> | fc.IAsyncProperty<never>, numRuns = 150) => fc.assert(property as fc.IAsyncProperty<never>, { numRuns });

test('B-7: an unknown property anywhere is refused with its resource, its path and what is supported', async () => {
  await holds(
    fc.asyncProperty(anyResource(), anyName, fc.nat(), async (id, name, at) => {
      let path = '';
      const message = await refusalOf((copy) => {
        const { Type, Properties } = resourceIn(copy, id);
        const places = objectsIn(Properties).filter((place) => isListed(Type, place.path));
        const place = places[at % places.length] as Place;
        path = place.path === '' ? name : `${place.path}.${name}`;
        place.holder[name] = 1;
      });
      const { Type, Metadata } = template.Resources?.[id] ?? { Type: '' };
      expect(message).toContain(`${id} (${String(Metadata?.['aws:cdk:path'])}): property ${path} of ${Type} is not supported (supported: `);
    }) as never,
  );
});

test('B-7: an unknown type is refused with its resource and the types there are', async () => {
  await holds(
    fc.asyncProperty(anyResource(), anyName, async (id, name) => {
      const message = await refusalOf((copy) => {
        resourceIn(copy, id).Type = `AWS::${name}::Thing`;
      });
      expect(message).toContain(`${id} (`);
      expect(message).toContain(`type AWS::${name}::Thing is not supported (supported: AWS::ApiGatewayV2::Api, `);
    }) as never,
    40,
  );
});

test('B-7: an unknown intrinsic anywhere is refused with its resource and the intrinsics there are, also inside documents', async () => {
  await holds(
    fc.asyncProperty(anyResource(), fc.nat(), async (id, at) => {
      const message = await refusalOf((copy) => {
        const { Properties } = resourceIn(copy, id);
        const slots = slotsIn(Properties);
        const { holder, name } = slots[at % slots.length] ?? { holder: Properties, name: 'Name' };
        holder[name] = { 'Fn::Nonsense': [] };
      });
      expect(message).toMatch(new RegExp(`${id} \\([^)]+\\): Fn::Nonsense is not supported \\(supported: Ref, Condition, Fn::GetAtt, Fn::Sub`));
    }) as never,
  );
});

test('B-7: an unknown attribute, section, condition or reference is refused by name', async () => {
  await holds(
    fc.asyncProperty(anyResource(), anyName, async (id, name) => {
      const message = await refusalOf((copy) => {
        Object.assign(resourceIn(copy, id), { [name]: {}, DependsOn: [{ Ref: `${name}Thing` }] });
        copy[`${name}Section`] = {};
      });
      expect(message).toContain(`): attribute ${name} is not supported (supported: Type, Properties, `);
      expect(message).toContain(`refers to ${name}Thing, which the template does not hold`);
      expect(message).toContain(`Template section ${name}Section is not supported (supported: `);
    }) as never,
    40,
  );
});

/** Documents of other languages and maps with names of the app's own. Their readers refuse what they do not know. */
const DOCUMENTS = [
  'AWS::ApiGatewayV2::Stage RouteSettings',
  'AWS::Events::Rule EventPattern',
  'AWS::IAM::Policy PolicyDocument',
  'AWS::IAM::Role AssumeRolePolicyDocument',
  'AWS::Lambda::Function Environment.Variables',
  'AWS::SQS::QueuePolicy PolicyDocument',
  'AWS::StepFunctions::StateMachine DefinitionSubstitutions',
];

test('B-7: the only structures the list of properties does not look into are documents and maps whose readers refuse', () => {
  const found = Object.values(template.Resources ?? {}).flatMap(({ Type, Properties }) =>
    objectsIn(Properties ?? {})
      .filter(({ path }) => path !== '' && !isListed(Type, path) && (knownOf(Type)[path] ?? '').startsWith('used'))
      .map(({ path }) => `${Type} ${path}`),
  );
  expect([...new Set(found)].sort()).toEqual(DOCUMENTS);
});
