import { AwsError, type AwsService, type Kernel, type Provisioned, type Provisioner, type Resource } from '../kernel/types.ts';
import { optionalText, recordOf } from './protocol/input.ts';
import { jsonService } from './protocol/json-operations.ts';
import { DESCRIPTION, ENCRYPTION, TAGS, used } from './protocol/reasons.ts';
import { generateSecretString } from './secrets/generate-password.ts';
import { type Secrets, secretOperations } from './secrets/operations.ts';
import { newVersionId, SecretStore } from './secrets/secret-store.ts';

const GENERATE = [
  'ExcludeCharacters',
  'ExcludeLowercase',
  'ExcludeNumbers',
  'ExcludePunctuation',
  'ExcludeUppercase',
  'GenerateStringKey',
  'IncludeSpace',
  'PasswordLength',
  'RequireEachIncludedType',
  'SecretStringTemplate',
];

const PROPERTIES = {
  'AWS::SecretsManager::Secret': {
    ...used('Name', 'SecretString', 'GenerateSecretString', ...GENERATE.map((option) => `GenerateSecretString.${option}`)),
    Description: DESCRIPTION,
    KmsKeyId: ENCRYPTION,
    Tags: TAGS,
  },
  'AWS::SecretsManager::ResourcePolicy': {
    SecretId: 'no effect: there is one account here',
    ResourcePolicy: 'no effect: there is one account here',
    BlockPublicPolicy: 'no effect: there is one account here',
  },
};

/** The value the template wants; made only when the secret is new or the template asks for another one. */
const templateValue = (properties: Resource['properties']): string => {
  const fixed = optionalText(properties, 'SecretString');
  if (fixed !== undefined && properties.GenerateSecretString !== undefined) throw new Error('SecretString and GenerateSecretString exclude each other');
  return fixed ?? generateSecretString(recordOf(properties, 'GenerateSecretString'));
};

const provision = ({ kernel, store }: Secrets, { type, logicalId, properties }: Resource): Provisioned => {
  if (type === 'AWS::SecretsManager::ResourcePolicy') return { ref: logicalId, attributes: {} };
  const name = String(properties.Name ?? logicalId);
  const settings = JSON.stringify([properties.SecretString, properties.GenerateSecretString]);
  const description = String(properties.Description ?? '');
  const now = kernel.time.now();
  const before = store.find(name);
  if (before?.origin === 'request') throw new AwsError('ResourceExistsException', `The secret ${name} was created by a request and cannot belong to the template too.`);
  const secret = before ?? store.create({ name, description, origin: 'template', settings: '' }, now);
  if (secret.settings !== settings) {
    store.put(secret, { id: newVersionId(), text: templateValue(properties), binary: undefined, stages: ['AWSCURRENT'] }, now);
    store.describe(secret, description, settings, now);
  }
  return { ref: secret.arn, attributes: { Id: secret.arn } };
};

/** Secrets Manager: values that are generated once and kept in the journal. */
export const secrets = (kernel: Kernel): AwsService & Provisioner => {
  const all: Secrets = { kernel, store: new SecretStore(kernel.db) };
  return { ...jsonService('secretsmanager', 'json-1.1', secretOperations(all)), properties: PROPERTIES, provision: async (resource) => provision(all, resource) };
};
