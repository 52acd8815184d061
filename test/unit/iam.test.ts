import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Caller, Kernel } from '../../infra/local/kernel/types.ts';
import { matchesWildcard } from '../../infra/local/services/iam/wildcard.ts';
import { iam, type LocalIam } from '../../infra/local/services/iam.ts';

const ROLE = 'arn:aws:iam::000000000000:role/AnswerRole';
const answerOffer: Caller = { kind: 'role', roleArn: ROLE, name: 'answer-offer' };
const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/handoffs';
const trusts = (service: string) => ({ Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }] });

let roles: LocalIam;
const kernel = { time: { now: () => Date.parse('2026-03-02T10:00:00Z') }, db: new DatabaseSync(':memory:'), log: () => {} } as unknown as Kernel;

const givenRole = (...statements: object[]) =>
  roles.provision({
    logicalId: 'AnswerRole',
    type: 'AWS::IAM::Role',
    path: 'Baton/AnswerRole',
    properties: {
      AssumeRolePolicyDocument: trusts('lambda.amazonaws.com'),
      Policies: statements.length === 0 ? [] : [{ PolicyName: 'own', PolicyDocument: { Statement: statements } }],
    },
  });
const allow = (Action: unknown, Resource: unknown, rest: object = {}) => ({ Effect: 'Allow', Action, Resource, ...rest });
const ask = (action: string, resource: string, context?: Record<string, string | string[]>) => () => roles.authorize(answerOffer, action, resource, context);

beforeEach(() => {
  roles = iam(kernel);
});

describe('identity policies', () => {
  it('a call without a matching Allow fails in the words of AWS, naming function, action and resource', async () => {
    await givenRole(allow('dynamodb:GetItem', TABLE));
    expect(ask('dynamodb:PutItem', TABLE)).toThrow(
      `User: arn:aws:sts::000000000000:assumed-role/AnswerRole/answer-offer is not authorized to perform: dynamodb:PutItem on resource: ${TABLE} because no identity-based policy allows the dynamodb:PutItem action`,
    );
  });

  it('a role that the template does not hold may do nothing', () => expect(ask('dynamodb:GetItem', TABLE)).toThrow(/does not exist/));

  it('actions ignore case and take wildcards, resources do not ignore case', async () => {
    await givenRole(allow(['DynamoDB:get*'], [`${TABLE}/index/*`]));
    expect(ask('dynamodb:GetItem', `${TABLE}/index/open`)).not.toThrow();
    expect(ask('dynamodb:GetItem', TABLE)).toThrow();
    expect(ask('dynamodb:GetItem', `${TABLE.replace('handoffs', 'Handoffs')}/index/open`)).toThrow();
  });

  it('a Deny wins over any Allow', async () => {
    await givenRole(allow('*', '*'), { Effect: 'Deny', Action: 'dynamodb:DeleteItem', Resource: '*' });
    expect(ask('dynamodb:PutItem', TABLE)).not.toThrow();
    expect(ask('dynamodb:DeleteItem', TABLE)).toThrow(/explicit deny/);
  });

  it('NotAction and NotResource allow what they do not list', async () => {
    await givenRole({ Effect: 'Allow', NotAction: 'dynamodb:*', NotResource: 'arn:aws:s3:::secret/*' });
    expect(ask('s3:GetObject', 'arn:aws:s3:::reports/a')).not.toThrow();
    expect(ask('s3:GetObject', 'arn:aws:s3:::secret/a')).toThrow();
    expect(ask('dynamodb:GetItem', TABLE)).toThrow();
  });

  it('policies attached later and managed policies count', async () => {
    await givenRole();
    await roles.provision({
      logicalId: 'P',
      type: 'AWS::IAM::Policy',
      path: 'P',
      properties: { PolicyName: 'P', Roles: ['AnswerRole'], PolicyDocument: { Statement: allow('sqs:SendMessage', '*') } },
    });
    expect(ask('sqs:SendMessage', 'arn:aws:sqs:us-east-1:000000000000:q')).not.toThrow();
  });

  it('operator and services are not checked here', () => {
    expect(() => roles.authorize({ kind: 'operator' }, 'dynamodb:PutItem', TABLE)).not.toThrow();
    expect(() => roles.authorize({ kind: 'service', principal: 'events.amazonaws.com' }, 'lambda:InvokeFunction', 'f')).not.toThrow();
  });
});

describe('conditions', () => {
  it.each([
    ['StringEquals holds', { StringEquals: { 'ses:FromAddress': 'a@b.example' } }, true],
    ['StringEquals differs', { StringEquals: { 'ses:FromAddress': 'x@b.example' } }, false],
    ['StringLike', { StringLike: { 'ses:FromAddress': '*@b.example' } }, true],
    ['StringNotLike', { StringNotLike: { 'ses:FromAddress': '*@b.example' } }, false],
    ['Bool on a global key', { Bool: { 'aws:SecureTransport': 'true' } }, true],
    ['ArnLike stays inside its segment', { ArnLike: { 'aws:PrincipalArn': 'arn:aws:*:role/AnswerRole' } }, false],
    ['ArnLike', { ArnLike: { 'aws:PrincipalArn': 'arn:aws:iam::*:role/Answer*' } }, true],
    ['ForAllValues', { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['a', 'b'] } }, true],
    ['ForAllValues with one too many', { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['a'] } }, false],
    ['ForAnyValue', { 'ForAnyValue:StringEquals': { 'dynamodb:LeadingKeys': ['b', 'z'] } }, true],
    ['an absent key', { StringEquals: { 'ses:ConfigurationSetName': 'x' } }, false],
    ['an absent key that may be absent', { StringEqualsIfExists: { 'ses:ConfigurationSetName': 'x' } }, true],
    ['Null', { Null: { 'ses:ConfigurationSetName': 'true' } }, true],
    ['DateLessThan', { DateLessThan: { 'aws:CurrentTime': '2026-01-01T00:00:00Z' } }, false],
    ['all operators must hold', { StringLike: { 'ses:FromAddress': '*' }, Bool: { 'aws:SecureTransport': 'false' } }, false],
  ])('%s', async (_name, Condition, holds) => {
    await givenRole(allow('x:y', '*', { Condition }));
    const attempt = ask('x:y', 'r', { 'ses:FromAddress': 'a@b.example', 'dynamodb:LeadingKeys': ['a', 'b'] });
    if (holds) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(/no identity-based policy/);
  });

  it.each([
    [{ StringEquals: { 'aws:PrincipalTag/team': 'x' } }, /condition key aws:PrincipalTag\/team is not known/],
    [{ IpAddress: { 'aws:PrincipalArn': 'x' } }, /condition operator IpAddress is not supported/],
    [{ StringEquals: { 'aws:PrincipalArn': '$' + '{aws:username}' } }, /policy variables/],
  ])('fails closed and says why: %j', async (Condition, message) => {
    await givenRole(allow('x:y', '*', { Condition }));
    expect(ask('x:y', 'r')).toThrow(message);
  });

  it('an unclear condition on a Deny denies', async () => {
    await givenRole(allow('x:y', '*'), { Effect: 'Deny', Action: 'x:y', Resource: '*', Condition: { StringEquals: { 'aws:MultiFactorAuthAge': '1' } } });
    expect(ask('x:y', 'r')).toThrow(/explicit deny.*not known/);
  });
});

describe('what the template says', () => {
  it('lists what is granted and what was used', async () => {
    await givenRole(allow(['a:b', 'a:c'], '*', { Sid: 'Both' }));
    ask('a:b', 'r')();
    expect(roles.allGrants().map((grant) => grant.action)).toEqual(['a:b', 'a:c']);
    expect(roles.usedGrants()).toEqual([{ role: 'AnswerRole', statement: 'own#Both', action: 'a:b', resource: '*' }]);
  });

  it('a grant that is withheld counts as if the template did not hold it, and only that one', async () => {
    await givenRole(allow(['a:b', 'a:c'], '*', { Sid: 'Both' }));
    const giveBack = roles.withhold({ role: 'AnswerRole', statement: 'own#Both', action: 'a:b', resource: '*' });
    expect(ask('a:b', 'r')).toThrow(/not authorized to perform: a:b on resource: r because no identity-based policy allows the a:b action/);
    expect(ask('a:c', 'r')).not.toThrow();
    giveBack();
    expect(ask('a:b', 'r')).not.toThrow();
    roles.forgetUse();
    expect(roles.usedGrants()).toEqual([]);
  });

  it('only the service in the trust policy may assume the role', async () => {
    await givenRole();
    expect(() => roles.mayAssume(ROLE, 'lambda.amazonaws.com')).not.toThrow();
    expect(() => roles.mayAssume(ROLE, 'scheduler.amazonaws.com')).toThrow(/sts:AssumeRole/);
  });

  it('refuses an unknown managed policy and unknown statement members', async () => {
    const role = (properties: object) =>
      roles.provision({ logicalId: 'R', type: 'AWS::IAM::Role', path: 'R', properties: { AssumeRolePolicyDocument: trusts('x'), ...properties } });
    await expect(role({ ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] })).rejects.toThrow(/not known here/);
    await expect(role({ Policies: [{ PolicyName: 'p', PolicyDocument: { Statement: [{ Effect: 'Allow', Actions: 'x' }] } }] })).rejects.toThrow(/Actions/);
  });
});

describe('wildcards', () => {
  it.each([
    ['a*c', 'abbbc', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['*', '', true],
    ['a*b*c', 'a-b-b-c', true],
    ['abc', 'abcd', false],
  ])('%s against %s', (pattern, value, expected) => expect(matchesWildcard(pattern, value)).toBe(expected));
});
