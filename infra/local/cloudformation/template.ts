/** A CloudFormation template as synthesized; values may still hold intrinsics. */
export type Template = {
  Resources?: Record<string, TemplateResource>;
  Parameters?: Record<string, { Type: string; Default?: string }>;
  Conditions?: Record<string, unknown>;
  Mappings?: Record<string, Record<string, Record<string, unknown>>>;
  Outputs?: Record<string, { Value: unknown; Condition?: string; Export?: unknown; Description?: string }>;
  [section: string]: unknown;
};

export type TemplateResource = {
  Type: string;
  Properties?: Record<string, unknown>;
  DependsOn?: string | string[];
  Condition?: string;
  Metadata?: Record<string, unknown>;
  [attribute: string]: unknown;
};

/** Sections of a template and what happens to them here; any other stops the boot. */
export const SECTIONS: Readonly<Record<string, string>> = {
  AWSTemplateFormatVersion: 'read',
  Description: 'no effect',
  Metadata: 'no effect',
  Parameters: 'read',
  Rules: 'no effect: they check the deployment, e.g. the bootstrap version',
  Mappings: 'read',
  Conditions: 'read',
  Resources: 'read',
  Outputs: 'read',
};

/** Attributes of a resource and what happens to them here; any other stops the boot. */
export const ATTRIBUTES: Readonly<Record<string, string>> = {
  Type: 'read',
  Properties: 'read',
  DependsOn: 'read',
  Condition: 'read',
  Metadata: 'read: construct path',
  DeletionPolicy: 'no effect: nothing is deleted here',
  UpdateReplacePolicy: 'no effect: nothing is replaced here',
};

/** Types that are part of a deployment and do nothing once it runs. */
export const INERT_TYPES: Readonly<Record<string, string>> = {
  'AWS::CDK::Metadata': 'usage statistics of the CDK',
};

/** The construct path a developer knows a resource by; its logical id when the template does not say. */
export function constructPath(logicalId: string, resource: TemplateResource): string {
  const path = resource.Metadata?.['aws:cdk:path'];
  return typeof path === 'string' ? path : logicalId;
}

/** A construct path as people say it: without the stack and without what the CDK appends (`Baton/AnswerOffer/Function/Resource` is AnswerOffer). */
export function spokenPath(path: string): string {
  return path.replace(/^[^/]+\/(?=.)/, '').replace(/(\/Function)?\/Resource$/, '');
}
