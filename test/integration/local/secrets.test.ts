import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generatePassword, generateSecretString } from '../../../infra/local/services/secrets/generate-password.ts';
import { secrets } from '../../../infra/local/services/secrets.ts';
import { clientSettings, type ServedAws, serveAws } from '../../support/local-http.ts';
import { aKernel, aResource, type LocalKernel } from '../../support/local-kernel.ts';

let kernel: LocalKernel;
let served: ServedAws;
let client: SecretsManagerClient;

const boot = async (properties: Record<string, unknown> = { GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } }) => {
  const local = secrets(kernel);
  const { ref } = await local.provision(aResource('AWS::SecretsManager::Secret', 'BatonSecret', properties));
  served = await serveAws([local]);
  client = new SecretsManagerClient(clientSettings(served.endpoint));
  return ref;
};
const value = async (SecretId: string, over: object = {}) => (await client.send(new GetSecretValueCommand({ SecretId, ...over }))).SecretString;

beforeEach(() => {
  kernel = aKernel();
});
afterEach(() => served?.close());

describe('a secret of the template', () => {
  it('is generated once and is the same, under the same ARN, after a restart', async () => {
    const arn = await boot();
    const first = await value(arn);
    expect(first).toMatch(/^[A-Za-z0-9]{64}$/);
    await served.close();
    kernel = kernel.restarted();
    expect(await boot()).toBe(arn);
    expect(await value(arn)).toBe(first);
    expect(await value('BatonSecret')).toBe(first);
  });

  it('keeps a value that was put by hand, and takes a new one when the template changes', async () => {
    const arn = await boot();
    await client.send(new PutSecretValueCommand({ SecretId: arn, SecretString: 'by hand' }));
    await served.close();
    await boot();
    expect(await value(arn)).toBe('by hand');
    await served.close();
    await boot({ SecretString: 'from the template' });
    expect(await value(arn)).toBe('from the template');
  });
});

describe('versions', () => {
  it('current becomes previous, pending waits beside it', async () => {
    const SecretId = await boot({ SecretString: 'one' });
    const two = await client.send(new PutSecretValueCommand({ SecretId, SecretString: 'two' }));
    await client.send(new PutSecretValueCommand({ SecretId, SecretString: 'three', VersionStages: ['AWSPENDING'] }));
    expect(await value(SecretId)).toBe('two');
    expect(await value(SecretId, { VersionStage: 'AWSPREVIOUS' })).toBe('one');
    expect(await value(SecretId, { VersionStage: 'AWSPENDING' })).toBe('three');
    expect(await value(SecretId, { VersionId: two.VersionId })).toBe('two');
    const described = await client.send(new DescribeSecretCommand({ SecretId }));
    expect(
      Object.values(described.VersionIdsToStages ?? {})
        .flat()
        .sort(),
    ).toEqual(['AWSCURRENT', 'AWSPENDING', 'AWSPREVIOUS']);
  });

  it('the same request token is idempotent, but not with another value', async () => {
    const SecretId = await boot({ SecretString: 'one' });
    const put = (SecretString: string) => client.send(new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken: '00000000-0000-4000-8000-000000000001' }));
    expect((await put('two')).VersionId).toBe((await put('two')).VersionId);
    await expect(put('three')).rejects.toMatchObject({ name: 'ResourceExistsException' });
  });
});

describe('by request', () => {
  it('creates, updates, lists; refuses what exists or does not', async () => {
    await boot();
    await client.send(new CreateSecretCommand({ Name: 'typeform', SecretString: 'a' }));
    await expect(client.send(new CreateSecretCommand({ Name: 'typeform' }))).rejects.toMatchObject({ name: 'ResourceExistsException' });
    await client.send(new UpdateSecretCommand({ SecretId: 'typeform', SecretBinary: Buffer.from([1, 2]) }));
    expect([...((await client.send(new GetSecretValueCommand({ SecretId: 'typeform' }))).SecretBinary ?? [])]).toEqual([1, 2]);
    expect((await client.send(new ListSecretsCommand({}))).SecretList?.map((secret) => secret.Name)).toEqual(['BatonSecret', 'typeform']);
    await expect(value('nope')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(value('typeform', { VersionStage: 'AWSPENDING' })).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

describe('generated values', () => {
  it.each([
    [{}, /^[\x21-\x7e]{32}$/],
    [{ PasswordLength: 8, ExcludeUppercase: true, ExcludeLowercase: true, ExcludePunctuation: true }, /^\d{8}$/],
    [{ PasswordLength: 400, ExcludeCharacters: '"@/\\', ExcludeNumbers: true }, /^[^"@/\\0-9]{400}$/],
    [{ PasswordLength: 5, IncludeSpace: true }, / /],
    [{ PasswordLength: 4 }, /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^a-zA-Z0-9]).{4}$/],
    [{ PasswordLength: 1, RequireEachIncludedType: false }, /^.$/],
  ])('%j', (options, shape) => expect(generatePassword(options)).toMatch(shape));

  it('a template gets the password under its key', () =>
    expect(JSON.parse(generateSecretString({ SecretStringTemplate: '{"user":"u"}', GenerateStringKey: 'password' }))).toEqual({
      user: 'u',
      password: expect.stringMatching(/^.{32}$/),
    }));

  it('refuses what cannot be generated', () => {
    expect(() => generatePassword({ ExcludeUppercase: true, ExcludeLowercase: true, ExcludePunctuation: true, ExcludeNumbers: true })).toThrow(/no characters/);
    expect(() => generatePassword({ PasswordLength: 2 })).toThrow(/cannot hold/);
    expect(() => generateSecretString({ GenerateStringKey: 'x' })).toThrow(/belong together/);
  });
});
