// The template as the tests see it: the real stack, with a line of code for each function instead of a bundle.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { batonApp } from '../../infra/app.ts';

export const FUNCTION_NAMES = [
  'advance-clock',
  'answer-offer',
  'await-next-step',
  'carry-out-order',
  'note-delivery',
  'notify',
  'open-handoff',
  'publish-receipts',
  'raise-exception',
  'receive-webhook',
  'reconcile',
  'report-orphans',
  'request-acceptance',
  'resolve-candidates',
  'suppress-contact',
  'wake-workflow',
] as const;

export type TemplateResource = { Type: string; Properties: Record<string, unknown>; DeletionPolicy?: string; UpdateReplacePolicy?: string };
export type Template = { Resources: Record<string, TemplateResource>; Outputs: Record<string, unknown>; Parameters: Record<string, { Default?: string }> };

/**
 * Synthesizes the stack, cdk-nag included, into a folder that is gone afterwards. `thorough` also checks it against
 * CloudFormation's schemas and rules, which takes seconds: once in the suite is enough.
 */
export function synthesizedTemplate({ thorough = false } = {}): Template {
  process.env.CDK_VALIDATION = String(thorough);
  const folder = mkdtempSync(path.join(tmpdir(), 'baton-stack-'));
  try {
    for (const name of FUNCTION_NAMES) {
      mkdirSync(path.join(folder, 'bundles', name), { recursive: true });
      writeFileSync(path.join(folder, 'bundles', name, 'index.mjs'), 'export const handler = async () => undefined;\n');
    }
    const assembly = batonApp({ outdir: path.join(folder, 'out'), bundles: path.join(folder, 'bundles') }).synth();
    return assembly.getStackByName('Baton').template as Template;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// The template is JSON of CloudFormation's making; tests look into it by name.
// biome-ignore lint/suspicious/noExplicitAny: typing every resource type would test CDK's types, not the template
export type Properties = any;

export type Statement = { Effect: string; Action: string | string[]; Resource: unknown; Condition?: unknown; policy: string };
export const listed = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** Ways to look into a template. */
export function lookInto(template: Template) {
  const ofType = (type: string): [string, TemplateResource][] => Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
  const properties = (type: string): Properties[] => ofType(type).map(([, resource]) => resource.Properties);
  const statements: Statement[] = properties('AWS::IAM::Policy').flatMap(({ PolicyDocument, PolicyName }) =>
    PolicyDocument.Statement.map((statement: Statement) => ({ ...statement, policy: PolicyName })),
  );
  return {
    ofType,
    properties,
    /** Every Allow of every role, with the name of its policy, which begins like its function. */
    statements,
    holders: (action: string) => statements.filter((statement) => listed(statement.Action).includes(action)),
  };
}
