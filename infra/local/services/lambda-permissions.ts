import { AwsError, type Caller } from '../kernel/types.ts';

export const PERMISSION_PROPERTIES = {
  Action: 'used',
  FunctionName: 'used',
  Principal: 'used',
  SourceAccount: 'no effect: there is one account',
  SourceArn: 'used',
} as const;

export type Permission = { action: string; principal: string; sourceArn?: string };

/** Who may invoke which function by the function's own policy (`AWS::Lambda::Permission`). */
export class FunctionPolicies {
  readonly #permissions = new Map<string, Permission[]>();

  add(functionArn: string, permission: Permission): void {
    this.#permissions.set(functionArn, [...(this.#permissions.get(functionArn) ?? []), permission]);
  }

  /** Throws as Lambda does when a service has not been let in. */
  check(functionArn: string, caller: Extract<Caller, { kind: 'service' }>): void {
    const allowed = (this.#permissions.get(functionArn) ?? []).some(
      ({ action, principal, sourceArn }) =>
        (action === 'lambda:InvokeFunction' || action === 'lambda:*') &&
        principal === caller.principal &&
        (sourceArn === undefined || caller.sourceArn === undefined || matchesArn(sourceArn, caller.sourceArn)),
    );
    if (allowed) return;
    const from = caller.sourceArn ? ` from ${caller.sourceArn}` : '';
    throw new AwsError(
      'AccessDeniedException',
      `${caller.principal}${from} is not authorized to perform: lambda:InvokeFunction on resource: ${functionArn} because no AWS::Lambda::Permission of the template allows it`,
      403,
    );
  }
}

/** Whether `arn` fits a pattern with `*` and `?`. */
export function matchesArn(pattern: string, arn: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(arn);
}
