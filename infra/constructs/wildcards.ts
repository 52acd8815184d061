import { Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Accepts, with a reason, that a role names these resources with a wildcard; every other wildcard in the same role is still reported. */
export function acknowledgeWildcards(role: IConstruct, resources: readonly string[], reason: string): void {
  for (const resource of resources) Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${written(Stack.of(role).resolve(resource))}]`, reason });
}

/** A resource the way the rule writes it: `<Table.Arn>/index/*`. */
function written(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[intrinsic, argument] = []] = Object.entries(value as Record<string, unknown>);
  if (intrinsic === 'Ref') return `<${String(argument)}>`;
  if (intrinsic === 'Fn::GetAtt') return `<${(argument as string[]).join('.')}>`;
  if (intrinsic === 'Fn::Join') {
    const [separator, parts] = argument as [string, unknown[]];
    return parts.map(written).join(separator);
  }
  throw new Error(`a resource with ${String(intrinsic)} cannot be written for a suppression`);
}
