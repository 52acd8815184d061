import { ACCOUNT, AwsError, type AwsRequest, type Kernel, REGION } from '../../kernel/types.ts';
import { type Input, numberOr, optionalText, requiredText, textsOf } from '../protocol/input.ts';
import { type Operation, operation } from '../protocol/json-operations.ts';
import { type NewValue, newVersionId, type Secret, type SecretStore, type Version } from './secret-store.ts';

export type Secrets = { kernel: Kernel; store: SecretStore };

const valueIn = (input: Input): Pick<NewValue, 'text' | 'binary'> | undefined => {
  const value = { text: optionalText(input, 'SecretString'), binary: optionalText(input, 'SecretBinary') };
  if (value.text !== undefined && value.binary !== undefined) throw new AwsError('InvalidParameterException', "You can't specify both SecretString and SecretBinary.");
  return value.text === undefined && value.binary === undefined ? undefined : value;
};

const authorized = ({ kernel, store }: Secrets, { caller }: AwsRequest, input: Input, action: string): Secret => {
  const id = requiredText(input, 'SecretId');
  const secret = store.find(id);
  kernel.iam.authorize(caller, `secretsmanager:${action}`, secret?.arn ?? wouldBe(id));
  return secret ?? store.need(id);
};

/** What AWS checks the right on when no such secret exists, so that who may read it hears that it is not there. */
const wouldBe = (id: string): string => (id.startsWith('arn:') ? id : `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${id}`);

const wantedVersion = (store: SecretStore, secret: Secret, input: Input): Version => {
  const id = optionalText(input, 'VersionId');
  const stage = optionalText(input, 'VersionStage') ?? (id === undefined ? 'AWSCURRENT' : undefined);
  const found = store.versions(secret).find((version) => (id === undefined || version.id === id) && (stage === undefined || version.stages.includes(stage)));
  if (found !== undefined) return found;
  throw new AwsError('ResourceNotFoundException', `Secrets Manager can't find the specified secret value for ${id === undefined ? `staging label: ${stage}` : `VersionId: ${id}`}`);
};

const putValue = ({ kernel, store }: Secrets, secret: Secret, input: Input): { id: string; stages: string[] } => {
  const value = valueIn(input);
  if (value === undefined) throw new AwsError('InvalidParameterException', 'You must provide either SecretString or SecretBinary.');
  const given = textsOf(input, 'VersionStages');
  const stages = given.length === 0 ? ['AWSCURRENT'] : given;
  const id = store.put(secret, { id: optionalText(input, 'ClientRequestToken') ?? newVersionId(), ...value, stages }, kernel.time.now());
  return { id, stages };
};

const describe = ({ store }: Secrets, secret: Secret) => ({
  ARN: secret.arn,
  Name: secret.name,
  Description: secret.description,
  CreatedDate: secret.createdAt / 1000,
  LastChangedDate: secret.changedAt / 1000,
  VersionIdsToStages: Object.fromEntries(store.versions(secret).map((version) => [version.id, version.stages])),
});

const create = (secrets: Secrets, input: Input, { caller }: AwsRequest) => {
  const name = requiredText(input, 'Name');
  secrets.kernel.iam.authorize(caller, 'secretsmanager:CreateSecret', name);
  if (secrets.store.find(name) !== undefined) throw new AwsError('ResourceExistsException', `The operation failed because the secret ${name} already exists.`);
  const secret = secrets.store.create({ name, description: optionalText(input, 'Description') ?? '', origin: 'request', settings: '' }, secrets.kernel.time.now());
  const version = valueIn(input) === undefined ? undefined : putValue(secrets, secret, input);
  return { ARN: secret.arn, Name: name, VersionId: version?.id };
};

const update = (secrets: Secrets, input: Input, request: AwsRequest) => {
  const secret = authorized(secrets, request, input, 'UpdateSecret');
  const description = optionalText(input, 'Description');
  if (description !== undefined) secrets.store.describe(secret, description, secret.settings, secrets.kernel.time.now());
  const version = valueIn(input) === undefined ? undefined : putValue(secrets, secret, input);
  return { ARN: secret.arn, Name: secret.name, VersionId: version?.id };
};

/** What Secrets Manager answers. */
export const secretOperations = (secrets: Secrets): Record<string, Operation> => ({
  GetSecretValue: operation(['SecretId', 'VersionId', 'VersionStage'], (input, request) => {
    const secret = authorized(secrets, request, input, 'GetSecretValue');
    const version = wantedVersion(secrets.store, secret, input);
    return {
      ARN: secret.arn,
      Name: secret.name,
      VersionId: version.id,
      SecretString: version.text,
      SecretBinary: version.binary,
      VersionStages: version.stages,
      CreatedDate: version.createdAt / 1000,
    };
  }),
  PutSecretValue: operation(['SecretId', 'ClientRequestToken', 'SecretString', 'SecretBinary', 'VersionStages'], (input, request) => {
    const secret = authorized(secrets, request, input, 'PutSecretValue');
    const { id, stages } = putValue(secrets, secret, input);
    return { ARN: secret.arn, Name: secret.name, VersionId: id, VersionStages: stages };
  }),
  CreateSecret: operation(['Name', 'ClientRequestToken', 'Description', 'SecretString', 'SecretBinary'], (input, request) => create(secrets, input, request)),
  UpdateSecret: operation(['SecretId', 'ClientRequestToken', 'Description', 'SecretString', 'SecretBinary'], (input, request) => update(secrets, input, request)),
  DescribeSecret: operation(['SecretId'], (input, request) => describe(secrets, authorized(secrets, request, input, 'DescribeSecret'))),
  ListSecrets: operation(['MaxResults'], (input, { caller }) => {
    secrets.kernel.iam.authorize(caller, 'secretsmanager:ListSecrets', '*');
    const all = secrets.store.all().slice(0, numberOr(input, 'MaxResults', 100));
    return {
      SecretList: all.map((secret) => {
        const { VersionIdsToStages, ...shown } = describe(secrets, secret);
        return { ...shown, SecretVersionsToStages: VersionIdsToStages };
      }),
    };
  }),
});
