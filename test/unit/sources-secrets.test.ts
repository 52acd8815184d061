import { GetSecretValueCommand, ResourceNotFoundException, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, test } from 'vitest';
import { activeValues, secretsmanagerSourceSecrets } from '../../shared/adapters/secretsmanager-source-secrets.ts';
import { NOW } from '../support/builders.ts';
import { memoryTime } from '../support/memory-outside.ts';

function secrets() {
  const client = new SecretsManagerClient({ region: 'us-west-2' });
  const mock = mockClient(client);
  const time = memoryTime(NOW);
  return { mock, time, book: secretsmanagerSourceSecrets({ arns: { website: 'arn:website' }, prefix: 'baton/source/' }, time, client) };
}

describe('secrets of sources', () => {
  test.each([
    ['plain', ['plain']],
    [' plain\n', ['plain']],
    ['["new","old"]', ['new', 'old']],
    ['["new",""]', ['new']],
    ['', []],
    ['[]', []],
  ])('the text %j holds %j', (text, values) => {
    expect(activeValues(text)).toEqual(values);
  });

  test('PI-02: a broken list is a fault that does not quote the secret', () => {
    for (const text of ['["s3cret"', '[1]']) expect(() => activeValues(text)).toThrow(/^a list of secrets is a JSON list of texts$/);
  });

  test('a value is fetched once in three minutes', async () => {
    const { mock, time, book } = secrets();
    mock.on(GetSecretValueCommand, { SecretId: 'arn:website' }).resolves({ SecretString: 'one' });
    expect([await book.active('website'), await book.active('website')]).toEqual([['one'], ['one']]);
    expect(mock.calls()).toHaveLength(1);
    time.forward(180);
    mock.on(GetSecretValueCommand).resolves({ SecretString: '["two","one"]' });
    expect(await book.active('website')).toEqual(['two', 'one']);
  });

  test('while Secrets Manager is away, what is known stays in use', async () => {
    const { mock, time, book } = secrets();
    mock.on(GetSecretValueCommand).resolves({ SecretString: 'one' });
    await book.active('website');
    time.forward(600);
    mock.on(GetSecretValueCommand).rejects(new Error('away'));
    expect(await book.active('website')).toEqual(['one']);
  });

  test('a secret that cannot be read is a fault that passes; one that nobody made has no values', async () => {
    const { mock, book } = secrets();
    mock.on(GetSecretValueCommand).rejects(new Error('away'));
    await expect(book.active('website')).rejects.toMatchObject({ name: 'SecretTimeout' });
    mock.on(GetSecretValueCommand).rejects(new ResourceNotFoundException({ message: 'no', $metadata: {} }));
    expect(await book.active('website')).toEqual([]);
  });

  test.each(['', 'Constructor', '__proto__', 'a/b', '../website', 'a'.repeat(50)])('a source called %s asks nobody', async (source) => {
    const { mock, book } = secrets();
    expect(await book.active(source)).toEqual([]);
    expect(mock.calls()).toHaveLength(0);
  });

  test('every other source has its secret by name, and one that is made is found within 15 seconds', async () => {
    const { mock, time, book } = secrets();
    mock.on(GetSecretValueCommand).rejects(new ResourceNotFoundException({ message: 'no', $metadata: {} }));
    expect([await book.active('tally'), await book.active('tally')]).toEqual([[], []]);
    expect(mock.calls()).toHaveLength(1);
    mock.on(GetSecretValueCommand, { SecretId: 'baton/source/tally' }).resolves({ SecretString: 'made' });
    time.forward(15);
    expect(await book.active('tally')).toEqual(['made']);
  });
});
