import { randomUUID } from 'node:crypto';
import { ACCOUNT, AwsError, type AwsService, type Caller } from '../kernel/types.ts';

/** STS, as far as a client needs it to find out who it is here. */
export const sts: AwsService = {
  signingName: 'sts',
  protocol: 'query',
  async handle({ operation, caller }) {
    if (operation !== 'GetCallerIdentity') throw new AwsError('InvalidAction', `STS operation ${operation} does not exist in the local runtime (supported: GetCallerIdentity)`);
    const { arn, id } = identityOf(caller);
    const body = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>${arn}</Arn><UserId>${id}</UserId><Account>${ACCOUNT}</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></GetCallerIdentityResponse>`;
    return { status: 200, headers: { 'content-type': 'text/xml' }, body };
  },
};

function identityOf(caller: Caller): { arn: string; id: string } {
  if (caller.kind !== 'role') return { arn: `arn:aws:iam::${ACCOUNT}:root`, id: ACCOUNT };
  return { arn: `arn:aws:sts::${ACCOUNT}:assumed-role/${caller.roleArn.split('/').at(-1)}/${caller.name}`, id: `LOCAL:${caller.name}` };
}
