import { ACCOUNT, AwsError, type Caller, type Iam, type Kernel, type Provisioned, type Provisioner, REGION, type Resource } from '../kernel/types.ts';
import type { Context } from './iam/condition.ts';
import { MANAGED_POLICIES } from './iam/managed-policies.ts';
import { type Ask, judge, readPolicy, resourcePolicyAllows, type Statement } from './iam/statement.ts';
import { recordsOf, requiredText, textsOf } from './protocol/input.ts';
import { DESCRIPTION, TAGS, used } from './protocol/reasons.ts';

/** One action on one resource that a statement grants to a role. */
export type Grant = { role: string; statement: string; action: string; resource: string };

type Policy = { name: string; statements: Statement[] };
type Role = { name: string; arn: string; policies: Policy[]; trust: Statement[] };

export type LocalIam = Iam &
  Provisioner & {
    /** Throws unless the role's trust policy lets this service assume it. */
    mayAssume(roleArn: string, servicePrincipal: string): void;
    /** Everything the roles of the template are granted. */
    allGrants(): Grant[];
    /** What was needed so far by some call. Everything else in `allGrants` is too much, or not yet exercised. */
    usedGrants(): Grant[];
    /** Forgets what was needed so far. */
    forgetUse(): void;
    /** Treats one grant as if the template did not hold it, until the answer is called: how a test proves that it is needed. */
    withhold(grant: Grant): () => void;
  };

const PROPERTIES = {
  'AWS::IAM::Role': {
    ...used('AssumeRolePolicyDocument', 'ManagedPolicyArns', 'Policies', 'Policies.PolicyName', 'Policies.PolicyDocument', 'RoleName'),
    Description: DESCRIPTION,
    Tags: TAGS,
    MaxSessionDuration: 'no effect: sessions do not end here',
  },
  'AWS::IAM::Policy': used('PolicyDocument', 'PolicyName', 'Roles'),
  'AWS::IAM::ManagedPolicy': { ...used('ManagedPolicyName', 'PolicyDocument', 'Roles'), Description: DESCRIPTION },
};

const grantKey = (grant: Grant): string => JSON.stringify([grant.role, grant.statement, grant.action, grant.resource]);
const roleName = (arn: string): string => arn.slice(arn.lastIndexOf('/') + 1);

class Roles implements LocalIam {
  readonly properties = PROPERTIES;
  readonly #kernel: Kernel;
  readonly #roles = new Map<string, Role>();
  readonly #managed = new Map<string, Policy>(MANAGED_POLICIES.map(({ arn, document }) => [arn, { name: arn, statements: readPolicy(document) }]));
  readonly #used = new Map<string, Grant>();
  readonly #withheld = new Set<string>();

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  async provision(resource: Resource): Promise<Provisioned> {
    if (resource.type === 'AWS::IAM::Role') return this.#provisionRole(resource);
    const managed = resource.type === 'AWS::IAM::ManagedPolicy';
    const name = String(resource.properties[managed ? 'ManagedPolicyName' : 'PolicyName'] ?? resource.logicalId);
    const policy = { name, statements: readPolicy(resource.properties.PolicyDocument) };
    for (const roleName of textsOf(resource.properties, 'Roles')) this.#byName(roleName).policies.push(policy);
    if (!managed) return { ref: name, attributes: { Id: name } };
    const arn = `arn:aws:iam::${ACCOUNT}:policy/${name}`;
    this.#managed.set(arn, policy);
    return { ref: arn, attributes: { PolicyArn: arn } };
  }

  #provisionRole({ logicalId, properties }: Resource): Provisioned {
    const name = String(properties.RoleName ?? logicalId);
    const arn = `arn:aws:iam::${ACCOUNT}:role/${name}`;
    const inline = recordsOf(properties, 'Policies').map((policy) => ({ name: requiredText(policy, 'PolicyName'), statements: readPolicy(policy.PolicyDocument) }));
    const attached = textsOf(properties, 'ManagedPolicyArns').map((managed) => this.#managedPolicy(managed));
    this.#roles.set(name, { name, arn, policies: [...inline, ...attached], trust: readPolicy(properties.AssumeRolePolicyDocument) });
    return { ref: name, attributes: { Arn: arn, RoleId: `AROA${name.toUpperCase()}` } };
  }

  #managedPolicy(arn: string): Policy {
    const policy = this.#managed.get(arn);
    if (policy === undefined) throw new Error(`the managed policy ${arn} is not known here (known: ${[...this.#managed.keys()].join(', ')})`);
    return policy;
  }

  #byName(name: string): Role {
    const role = this.#roles.get(name);
    if (role === undefined) throw new Error(`there is no role ${name} in the template`);
    return role;
  }

  authorize(caller: Caller, action: string, resource: string, context: Context = {}): void {
    if (caller.kind !== 'role') return;
    const session = `arn:aws:sts::${ACCOUNT}:assumed-role/${roleName(caller.roleArn)}/${caller.name}`;
    const refusal = this.#refusal(caller.roleArn, { action, resource, context: { ...this.#globalContext(caller.roleArn), ...context } });
    if (refusal === undefined) return;
    const message = `User: ${session} is not authorized to perform: ${action} on resource: ${resource} ${refusal}`;
    this.#kernel.log({ service: 'iam', message, function: caller.name, action, resource });
    throw new AwsError('AccessDeniedException', message, 400);
  }

  /** Why not; undefined when a statement allows it and none denies it. Records every grant that allowed it. */
  #refusal(roleArn: string, ask: Ask): string | undefined {
    const role = this.#roles.get(roleName(roleArn));
    if (role === undefined) return `because the role ${roleArn} does not exist`;
    const because = `because no identity-based policy allows the ${ask.action} action`;
    const unclear: string[] = [];
    const allowing: Grant[] = [];
    for (const { name, statement } of statementsOf(role)) {
      const verdict = judge(statement, ask);
      if (verdict.kind === 'not') continue;
      if (statement.effect === 'Deny') return `with an explicit deny in an identity-based policy (${name})${verdict.kind === 'unclear' ? `: ${verdict.because}` : ''}`;
      if (verdict.kind === 'unclear') unclear.push(`${name}: ${verdict.because}`);
      else allowing.push({ role: role.name, statement: name, action: verdict.action, resource: verdict.resource });
    }
    const kept = allowing.filter((grant) => !this.#withheld.has(grantKey(grant)));
    for (const grant of kept) this.#used.set(grantKey(grant), grant);
    if (kept.length > 0) return undefined;
    return unclear.length > 0 ? `${because} (${unclear.join('; ')})` : because;
  }

  #globalContext(roleArn: string): Context {
    const now = this.#kernel.time.now();
    return {
      'aws:PrincipalArn': roleArn,
      'aws:PrincipalAccount': ACCOUNT,
      'aws:PrincipalType': 'AssumedRole',
      'aws:PrincipalIsAWSService': 'false',
      'aws:RequestedRegion': REGION,
      'aws:SecureTransport': 'true',
      'aws:ViaAWSService': 'false',
      'aws:CurrentTime': new Date(now).toISOString(),
      'aws:EpochTime': String(Math.floor(now / 1000)),
    };
  }

  mayAssume(roleArn: string, servicePrincipal: string): void {
    const role = this.#roles.get(roleName(roleArn));
    const ask = {
      action: 'sts:AssumeRole',
      resource: roleArn,
      context: { 'aws:SourceAccount': ACCOUNT, 'aws:PrincipalIsAWSService': 'true', 'aws:PrincipalServiceName': servicePrincipal },
    };
    if (role !== undefined && resourcePolicyAllows(role.trust, { kind: 'Service', name: servicePrincipal }, ask)) return;
    throw new AwsError(
      'AccessDeniedException',
      `${servicePrincipal} is not authorized to perform: sts:AssumeRole on resource: ${roleArn} because its trust policy does not allow it`,
      400,
    );
  }

  allGrants(): Grant[] {
    return [...this.#roles.values()].flatMap((role) =>
      statementsOf(role).flatMap(({ name, statement }) => (statement.effect === 'Allow' ? grantsOf(role.name, name, statement) : [])),
    );
  }

  usedGrants(): Grant[] {
    return [...this.#used.values()];
  }

  forgetUse(): void {
    this.#used.clear();
  }

  withhold(grant: Grant): () => void {
    this.#byName(grant.role);
    this.#withheld.add(grantKey(grant));
    return () => void this.#withheld.delete(grantKey(grant));
  }
}

const statementsOf = (role: Role): { name: string; statement: Statement }[] =>
  role.policies.flatMap((policy) => policy.statements.map((statement) => ({ name: `${policy.name}#${statement.sid}`, statement })));

const grantsOf = (role: string, name: string, { actions, resources }: Statement): Grant[] => {
  const spelled = (part: Statement['actions']): string[] => (part.negated ? [`not ${part.patterns.join(', ')}`] : [...part.patterns]);
  return spelled(actions).flatMap((action) => spelled(resources).map((resource) => ({ role, statement: name, action, resource })));
};

/** IAM: the roles of the template, and the question whether one of them may do something. */
export const iam = (kernel: Kernel): LocalIam => new Roles(kernel);
