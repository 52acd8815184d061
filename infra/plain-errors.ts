/**
 * A client's schemas without the errors that carry nothing but a message. An error that the SDK has no class for comes as the
 * client's own error under the same name, and Baton tells errors by their names; each class cost every cold start its text
 * and its registration, and DynamoDB alone has thirty. Errors that say more, or that say whether to try again, stay.
 */
export function withoutPlainErrors(schemas: string, errors: string): string {
  const retried = new Set([...errors.matchAll(/export class (\w+) extends \w+ \{(?:(?!\nexport class)[\s\S])*?\n {4}\$retryable = /g)].map(([, name]) => name));
  return schemas.replace(PLAIN, (found, declared: string, name: string) => (retried.has(name) ? found : declared));
}

/** Declaration of an error whose one member is its message, and its registration. */
const PLAIN = /(export var (\w+)\$ = \[-3, n0, \w+,\s+(?:0|\{[^{}]*\}),\s+\[_[mM]\],\s+\[0\]\s*\];\n)n0_registry\.registerError\(\2\$, \2\);\n/g;
